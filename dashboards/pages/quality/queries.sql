-- name: findings
SELECT f.document_id, d.source, d.kind,
    CASE WHEN contains(d.source, '/') THEN regexp_replace(d.source, '/[^/]*$', '') ELSE '' END AS folder,
    f.code, f.name, f.severity, f.message, f.penalty, f.start, f."end", f.page, f.chunk_id
FROM findings f JOIN documents d USING (document_id)
ORDER BY d.source, f.start NULLS FIRST, f.code

-- name: document_kinds
SELECT source, document_id, kind FROM documents

-- name: distribution
SELECT round(quality_score / $step)::INT AS bar, count(*) AS passages
FROM scores WHERE quality_score IS NOT NULL GROUP BY bar

-- name: summary
SELECT sum(quality_score * size) / nullif(sum(size), 0) AS mean, count(*) AS passages,
    count(*) FILTER (quality_score < $weak) AS weak
FROM chunks WHERE quality_score IS NOT NULL

-- name: document_scores
WITH scored AS (
    SELECT document_id, round(sum(quality_score * size) / nullif(sum(size), 0), 4) AS score, count(*) AS passages,
        count(*) FILTER (quality_score < $weak) AS weak
    FROM chunks WHERE quality_score IS NOT NULL GROUP BY document_id
), found AS (
    SELECT document_id, count(*) AS findings FROM findings GROUP BY document_id
)
SELECT d.document_id, d.source, d.kind, s.score, coalesce(s.passages, 0) AS passages, coalesce(s.weak, 0) AS weak,
    coalesce(f.findings, 0) AS findings
FROM documents d LEFT JOIN scored s USING (document_id) LEFT JOIN found f USING (document_id)
ORDER BY s.score NULLS FIRST, findings DESC, d.source

-- name: lowest_passages
SELECT c.chunk_id, c.document_id, d.source, c.page, c.chunk_index + 1 AS number, c.quality_score AS score,
    left(c.text, 160) AS begins
FROM chunks c JOIN documents d USING (document_id)
WHERE c.quality_score < 1 AND ($document = '' OR c.document_id = $document)
ORDER BY c.quality_score, d.source, c.chunk_index
LIMIT $size OFFSET $first

-- name: faulty_count
SELECT count(*) FROM scores WHERE quality_score < 1 AND ($document = '' OR document_id = $document)

-- name: passage
SELECT c.chunk_id, c.document_id, d.source, coalesce(nullif(d.title, ''), d.path) AS title, c.start, c."end",
    c.text, c.section, c.page, c.chunk_index + 1 AS number, c.has_table, c.quality_score AS stored_score,
    EXISTS (
        SELECT 1 FROM blocks b WHERE b.document_id = c.document_id AND b.start < c."end" AND b."end" > c.start
            AND b.kind NOT IN ('table', 'furniture')
    ) AS has_prose,
    c.table_head
FROM chunks c JOIN documents d USING (document_id) WHERE c.chunk_id = $id

-- name: passage_at
SELECT chunk_id FROM chunks WHERE document_id = $id AND start <= $at AND "end" > $at ORDER BY start DESC LIMIT 1

-- name: severity_counts
SELECT severity, count(*) FROM findings GROUP BY severity

-- name: mean_score
SELECT sum(quality_score * size) / nullif(sum(size), 0), count(*) FROM chunks

-- name: sizes
SELECT chunk_id, size FROM chunks WHERE quality_score IS NOT NULL

-- name: unsearchable
SELECT document_id FROM documents WHERE chunk_count = 0

-- name: texts
SELECT chunk_id, text FROM chunks WHERE chunk_id IN ($one, $other)
