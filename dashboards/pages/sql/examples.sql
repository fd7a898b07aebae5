-- Documents by kind and year
SELECT kind, year(document_date) AS year, count(*) AS documents
FROM documents
GROUP BY ALL
ORDER BY year, kind

-- What each document holds
SELECT coalesce(nullif(title, ''), source) AS document, total_pages, table_count, chunk_count, status
FROM documents
ORDER BY chunk_count DESC
LIMIT 50

-- Periods mentioned most
SELECT period, start_date, sum(mentions) AS mentions, count(DISTINCT document_id) AS documents
FROM timeline
GROUP BY ALL
ORDER BY mentions DESC
LIMIT 50

-- Passages that name a quarter
SELECT d.source, m.text, m.start_date, m.end_date
FROM during(DATE '2023-04-01', DATE '2023-07-01') m
JOIN documents d USING (document_id)
LIMIT 100

-- Figures that several documents have
SELECT row_header, count(DISTINCT document_id) AS documents, count("value") AS figures
FROM cells
GROUP BY row_header
ORDER BY documents DESC, figures DESC
LIMIT 50

-- Totals that do not add up
SELECT d.source, t."table", t.label, t.stated, t.computed, t.difference
FROM totals t
JOIN documents d USING (document_id)
WHERE NOT t.adds_up
ORDER BY abs(t.difference) DESC

-- Quality of the passages
SELECT round(quality_score, 1) AS quality, count(*) AS passages
FROM chunks
GROUP BY quality
ORDER BY quality

-- Findings by rule
SELECT code, name, severity, count(*) AS findings, count(DISTINCT document_id) AS documents
FROM findings
GROUP BY ALL
ORDER BY findings DESC

-- Names mentioned most
SELECT name, label, count(*) AS mentions, count(DISTINCT document_id) AS documents
FROM entities
GROUP BY ALL
ORDER BY mentions DESC
LIMIT 50

-- Seconds by stage and run
SELECT part.stage, part.seconds, part.documents, generation
FROM (SELECT generation, unnest(stages) AS part FROM runs)
ORDER BY generation
