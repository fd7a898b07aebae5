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
