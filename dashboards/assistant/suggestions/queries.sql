-- name: figures
SELECT c.row_header, d.company, c.period_start, c.period_end, d.document_id, d.language
FROM cells c JOIN (
    SELECT document_id, company, document_date, source, language FROM documents
    WHERE company <> '' AND table_count > 0 AND status <> 'unreadable'
    ORDER BY document_date DESC NULLS LAST, source LIMIT $newest
) d USING (document_id)
WHERE c.value IS NOT NULL AND (c.currency <> '' OR c.scale > 1) AND c.unit = '' AND c.doubt = ''
    AND c.period_start IS NOT NULL AND c.period_end <= d.document_date
    AND (regexp_full_match(c.row_header, '[A-Za-z][A-Za-z ,&''-]{3,40}')
        OR d.language = 'zh' AND regexp_full_match(c.row_header, '\p{Han}{2,16}'))
ORDER BY d.document_date DESC NULLS LAST,
    NOT regexp_matches(lower(c.row_header), '\b(revenues?|sales|income|profit|earnings|expenses|cash|assets)\b|收入|利润'),
    c.period_end DESC, d.source, c.start
LIMIT 200

-- name: reports
SELECT document_id, company, reported_name FROM documents
WHERE company <> '' AND reported_name <> '' AND status <> 'unreadable' AND language <> 'zh'
ORDER BY document_date DESC NULLS LAST, source LIMIT $most

-- name: months
SELECT start_date, end_date, count(DISTINCT document_id) AS documents FROM timeline
WHERE calendar = 'calendar' AND grain = 'month' AND period NOT LIKE '%/%' AND end_date <= $today
GROUP BY ALL ORDER BY documents DESC, start_date DESC, end_date LIMIT $most

-- name: mentions
SELECT DISTINCT document_id FROM mentions WHERE start_date = $start AND end_date = $end LIMIT 500

-- name: days
SELECT passage_date, min(document_id) FROM chunks
WHERE passage_end = passage_date + INTERVAL 1 DAY AND passage_date <= $today
    AND passage_date_origin <> 'dates of rows'
GROUP BY passage_date HAVING count(DISTINCT document_id) = 1
ORDER BY passage_date DESC LIMIT $most

-- name: documents
SELECT document_id, title, language, attributes.lessons FROM documents
WHERE kind = $kind AND status <> 'unreadable' AND chunk_count > 0 AND length(title) BETWEEN 4 AND $longest
ORDER BY language = 'en' DESC, chunk_count > 1 DESC, document_date DESC NULLS LAST, source LIMIT $newest

-- name: headings
SELECT d.document_id, d.title, d.language, b.section[-1] AS heading FROM (
    SELECT document_id, title, language, chunk_count, source FROM documents
    WHERE kind <> 'course' AND status <> 'unreadable' AND chunk_count > 1 AND length(title) BETWEEN 4 AND $longest
    ORDER BY chunk_count DESC, source LIMIT $newest
) d JOIN blocks b USING (document_id)
WHERE b.kind = 'heading' AND len(b.section) > 0 AND heading <> d.title
    AND (regexp_full_match(heading, '\p{L}[\p{L},’''-]+( [\p{L}\d,’''-]+)+') AND length(heading) BETWEEN 10 AND 60
        OR d.language = 'zh' AND regexp_full_match(heading, '\p{Han}{3,20}'))
ORDER BY d.chunk_count DESC, d.source, b.start LIMIT 100
