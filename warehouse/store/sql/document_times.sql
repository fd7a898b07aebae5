-- The times of each document: its date, its reported period and how its fiscal years are named.
SELECT
    document_id,
    document_date - DATE '1970-01-01' AS published,
    reported_start - DATE '1970-01-01' AS reported_start,
    reported_end - DATE '1970-01-01' AS reported_end,
    fiscal_year_start AS first_month,
    kind IN ('note', 'message') AS is_note,
    -- Fiscal years are mostly called by the year in which they end; `ends_in` is that year for what is reported.
    CAST(TRY_CAST(regexp_extract(reported_name, '[0-9]{4}') AS INTEGER) = ends_in - 1 AS INTEGER) AS named_by_start
FROM (
    SELECT *, reported_end - INTERVAL 14 DAY AS late,
        year(late) + CAST(fiscal_year_start > 1 AND month(late) >= fiscal_year_start AS INTEGER) AS ends_in
    FROM documents
)
ORDER BY document_id;
