-- name: unreadable
SELECT count(*) FROM documents WHERE status <> 'published'

-- name: worst
SELECT f.code, f.name, f.severity, count(*) AS findings FROM findings f JOIN documents d USING (document_id)
WHERE d.status = 'published' AND f.severity IN ('error', 'warning')
GROUP BY ALL ORDER BY f.severity, findings DESC, f.code LIMIT 1

-- name: undated_count
SELECT count(*) FROM findings WHERE code = $code

-- name: doubtful
SELECT count(*), any_value(document_id), any_value("table")
FROM (SELECT DISTINCT document_id, "table" FROM cells WHERE contains(doubt, 'scale'))

-- name: versions
SELECT source, document_id, coalesce(nullif(title, ''), path) AS title, sha256, status FROM documents

-- name: newest
SELECT document_id, coalesce(nullif(title, ''), path) FROM documents WHERE status <> 'unreadable'
ORDER BY document_date DESC NULLS LAST, source LIMIT $most

-- name: figures
SELECT c.row_header, d.company, c.period_start, c.period_end, c.document_id, c.start, c."end"
FROM cells c JOIN (
    SELECT document_id, company, document_date FROM documents
    WHERE company <> '' AND table_count > 0 AND status <> 'unreadable'
    ORDER BY document_date DESC NULLS LAST, source LIMIT $newest
) d USING (document_id)
WHERE c.value IS NOT NULL AND (c.currency <> '' OR c.scale > 1) AND c.unit = '' AND c.doubt = ''
    AND c.period_start IS NOT NULL
    AND c.period_end <= d.document_date AND regexp_full_match(c.row_header, '[A-Za-z][A-Za-z ,&''-]{3,40}')
ORDER BY d.document_date DESC NULLS LAST,
    NOT regexp_matches(lower(c.row_header), '\b(revenues?|net sales|net income|operating income)\b'),
    c.period_end DESC, c.start
LIMIT 200

-- name: periods
SELECT start_date, end_date, grain, count(DISTINCT document_id) AS documents FROM timeline
WHERE calendar = 'calendar' AND grain IN ('month', 'quarter') AND period NOT LIKE '%/%' AND end_date <= $today
GROUP BY ALL ORDER BY documents DESC, start_date DESC LIMIT 4

-- name: mentions
SELECT document_id, start, "end" FROM mentions WHERE start_date = $start AND end_date = $end LIMIT 500

-- name: documents
SELECT document_id, title, attributes.lessons FROM documents
WHERE kind = $kind AND status <> 'unreadable' AND chunk_count > 0 AND length(title) BETWEEN 4 AND $longest
ORDER BY language = 'en' DESC, chunk_count > 1 DESC, document_date DESC NULLS LAST, source LIMIT $newest

-- name: headings
SELECT d.document_id, d.title, b.section[-1], b.start FROM (
    SELECT document_id, title, chunk_count FROM documents
    WHERE status <> 'unreadable' AND chunk_count > 1 AND length(title) BETWEEN 4 AND $longest
    ORDER BY chunk_count DESC, source LIMIT $newest
) d JOIN blocks b USING (document_id)
WHERE b.kind = 'heading' AND len(b.section) > 0 AND length(b.section[-1]) BETWEEN 6 AND 60
    AND b.section[-1] <> d.title
ORDER BY d.chunk_count DESC, d.document_id, b.start LIMIT 100
