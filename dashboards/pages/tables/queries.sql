-- name: tables
-- `conditions` are those of `_table_conditions`, `order` is one of `ORDERS`.
WITH wrong AS (
    SELECT document_id, "table" AS number, count(*) FILTER (NOT adds_up) AS wrong, count(*) AS totals
    FROM totals GROUP BY ALL
), matching AS (
    SELECT t.document_id, t.number, t.caption, len(t.rows) AS rows, len(t.rows[1]) AS columns, t.confidence,
        t.parts[1].page AS page, t.parts[-1].page AS last_page, d.title, d.company, d.kind, d.document_date,
        d.source, coalesce(w.totals, 0) AS totals, coalesce(w.wrong, 0) AS wrong
    FROM tables t JOIN documents d USING (document_id)
    LEFT JOIN wrong w ON w.document_id = t.document_id AND w.number = t.number
    WHERE {conditions}
)
SELECT *, count(*) OVER () AS matches FROM matching ORDER BY {order} LIMIT $most OFFSET $past

-- name: companies
SELECT DISTINCT company FROM documents WHERE company <> '' AND table_count > 0 ORDER BY lower(company)

-- name: numbers
SELECT number FROM tables WHERE document_id = $id ORDER BY number

-- name: cells
SELECT d.title, d.source, d.company, c.row_header, c.column_header, c.text, c."value", c.currency, c.unit,
    c.period_start, c.period_end, c.doubt, c.concept, c.document_id, c."table", c."row", c."column"
FROM cells c JOIN documents d USING (document_id)
WHERE {conditions} ORDER BY d.source, c."table", c."row", c."column" LIMIT $most OFFSET $past

-- name: cell_count
-- `conditions` are those of `_cell_conditions`, in both queries.
SELECT count(*) FROM cells c JOIN documents d USING (document_id) WHERE {conditions}

-- name: pages
SELECT t.document_id, t.number, k."row",
    list_filter(t.parts, lambda part: part.first_row <= k."row" AND part.last_row >= k."row")[1].page AS page
FROM (SELECT DISTINCT unnest($documents) AS document_id, unnest($tables) AS number, unnest($rows) AS "row") k
JOIN tables t ON t.document_id = k.document_id AND t.number = k.number

-- name: units
SELECT DISTINCT name FROM (SELECT unnest([currency, unit]) AS name FROM cells WHERE "value" IS NOT NULL)
WHERE name <> '' ORDER BY lower(name) LIMIT 200

-- name: table
SELECT * FROM tables WHERE document_id = $id AND number = $number

-- name: parts
SELECT * FROM {name} WHERE document_id = $id AND "table" = $number ORDER BY "row", "column"
