-- The fiscal calendars that are known, each once, with the documents whose companies have them.
SELECT fiscal_calendar, list(document ORDER BY document) AS documents
FROM documents JOIN ordinals USING (document_id)
WHERE fiscal_calendar IS NOT NULL
GROUP BY fiscal_calendar
ORDER BY min(document);
