-- name: within
FROM timeline t JOIN documents d USING (document_id)
WHERE {middle} >= $since AND {middle} < $until
    AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))

-- name: mentions
SELECT coalesce({name}, '') AS name, sum(t.mentions)::BIGINT AS count,
    greatest(date_trunc($unit, {middle})::DATE, DATE '0001-01-01') AS period
{within}

-- name: coarse
SELECT coalesce(sum(t.mentions), 0)::BIGINT
{within} AND t.end_date - t.start_date > $longest

-- name: lengths
SELECT t.end_date - t.start_date AS days, sum(t.mentions)::BIGINT
{within} GROUP BY days

-- name: documents
SELECT coalesce({name}, '') AS name, count(*) AS count,
    greatest(date_trunc($unit, d.document_date)::DATE, DATE '0001-01-01') AS period
FROM documents d
WHERE d.status <> 'unreadable' AND d.document_date >= $since AND d.document_date < $until
    AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))
GROUP BY ALL

-- name: outside
SELECT coalesce(sum(t.mentions) FILTER ({middle} < $since), 0)::BIGINT,
    coalesce(sum(t.mentions) FILTER ({middle} >= $until), 0)::BIGINT
FROM timeline t JOIN documents d USING (document_id)
WHERE len($names) = 0 OR list_contains($names, coalesce({name}, ''))

-- name: documents_outside
SELECT count(*) FILTER (d.document_date < $since), count(*) FILTER (d.document_date >= $until),
    count(*) FILTER (d.document_date IS NULL)
FROM documents d
WHERE d.status <> 'unreadable' AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))

-- name: range
WITH days AS (
    SELECT start_date, end_date, mentions, sum(mentions) OVER () AS every,
        sum(mentions) OVER (ORDER BY start_date, end_date, document_id) AS until_here
    FROM timeline WHERE end_date - start_date <= $longest
)
SELECT min(start_date) FILTER (is_usual), max(end_date) FILTER (is_usual), min(start_date), max(end_date),
    (SELECT min(document_date) FROM documents), (SELECT max(document_date) FROM documents)
FROM (
    SELECT *, until_here >= $tail * every AND until_here - mentions <= (1 - $tail) * every AS is_usual FROM days
)

-- name: periods
SELECT t.period, t.calendar, t.start_date AS since, t.end_date AS until, sum(t.mentions)::BIGINT AS mentions,
    count(DISTINCT t.document_id) AS documents
{within} GROUP BY t.period, t.calendar, t.start_date, t.end_date ORDER BY mentions DESC, since, until, t.period LIMIT $most

-- name: labels
SELECT row_header, count(DISTINCT document_id) AS documents, count(*) AS cells FROM cells
WHERE "value" IS NOT NULL AND period_start IS NOT NULL AND row_header <> ''
    AND NOT regexp_full_match(lower(row_header), $nameless)
    AND (len($documents) = 0 OR document_id IN (SELECT unnest($documents)))
GROUP BY row_header ORDER BY documents DESC, cells DESC, row_header LIMIT $most
