-- name: sections
SELECT section[-1], greatest(level, 1), page, start FROM blocks
WHERE document_id = $id AND kind = 'heading' AND len(section) > 0 ORDER BY start LIMIT $most

-- name: tables
SELECT number, caption, parts[1].page, len(rows) - header_rows, coalesce(len(rows[1]), 0), start FROM tables
WHERE document_id = $id ORDER BY number LIMIT $most

-- name: findings
SELECT code, name, severity, count(*) AS often FROM findings
WHERE document_id = $id GROUP BY ALL ORDER BY often DESC, code

-- name: periods
SELECT period, start_date, end_date, sum(mentions)::BIGINT AS often FROM timeline
WHERE document_id = $id AND grain IN ('year', 'half', 'quarter', 'month') AND period NOT LIKE 'P%' GROUP BY ALL
ORDER BY often DESC, start_date DESC, period LIMIT $most

-- name: blocks
SELECT kind, start, "end", level FROM blocks WHERE document_id = $id ORDER BY start

-- name: quality
SELECT document_id, avg(quality_score) FROM scores GROUP BY document_id
