-- What ranking and filters need to know of every passage, held in memory: all but the texts. The `rowid` is its row.
CREATE TABLE passages AS
-- `day` and `day_end` (half-open) are those of its entry, else the document's date.
SELECT
    chunk_id, document_id, start, "end", coalesce(quality_score, 0) AS quality, page, lesson, has_table, section, is_references,
    coalesce(passage_date, document_date) AS day, coalesce(passage_end, document_date + 1) AS day_end, passage_date IS NOT NULL AS is_entry
FROM chunks JOIN documents USING (document_id)
ORDER BY document_id, chunk_index;

CREATE TABLE ordinals AS
SELECT document_id, row_number() OVER (ORDER BY document_id) - 1 AS document
FROM (SELECT DISTINCT document_id FROM passages);
