-- The fiscal calendars that are known, each once, with the documents whose companies have them.
SELECT fiscal_calendar, list(document_id ORDER BY document_id) AS documents
FROM documents
WHERE fiscal_calendar IS NOT NULL
GROUP BY fiscal_calendar
ORDER BY min(document_id);
