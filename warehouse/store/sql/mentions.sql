-- The times that texts name, by document and place: days since 1970, none for a side left open.
SELECT
    document,
    start,
    "end",
    start_date - DATE '1970-01-01' AS start_date,
    end_date - DATE '1970-01-01' AS end_date
FROM mentions JOIN ordinals USING (document_id)
WHERE start_date IS NOT NULL OR end_date IS NOT NULL
ORDER BY document, start;
