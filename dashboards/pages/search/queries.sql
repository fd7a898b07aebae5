-- name: before
SELECT chunk_index + 1, page, start, text FROM chunks WHERE document_id = $id AND start < $start
ORDER BY start DESC, chunk_index DESC LIMIT $reach

-- name: after
SELECT chunk_index + 1, page, start, text FROM chunks WHERE document_id = $id AND "end" > $stop AND start > $start
ORDER BY start, chunk_index LIMIT $reach

-- name: first_tables
WITH hits AS (SELECT unnest($places) AS place, unnest($ids) AS id, unnest($starts) AS low, unnest($ends) AS high)
SELECT hits.place, min(candidates.number)
FROM (SELECT * FROM tables WHERE document_id IN (SELECT unnest($ids))) AS candidates
JOIN hits ON candidates.document_id = hits.id AND candidates.start < hits.high AND candidates."end" > hits.low
GROUP BY hits.place

-- name: facts_inside
WITH passages AS (
    SELECT unnest($places) AS place, unnest($ids) AS id, unnest($starts) AS low, unnest($ends) AS high
)
SELECT passages.place, facts.start - passages.low AS start, facts."end" - passages.low AS "end",
    facts.* EXCLUDE (start, "end")
FROM (SELECT * FROM {table} WHERE document_id IN (SELECT unnest($ids))) AS facts
JOIN passages ON facts.document_id = passages.id AND facts.start >= passages.low AND facts."end" <= passages.high
ORDER BY ALL
