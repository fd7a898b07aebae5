-- What ranking and filters need to know of every passage, held in memory: all but the texts. The `rowid` is its row.
CREATE TABLE passages AS
SELECT chunk_id, document_id, start, "end", coalesce(quality_score, 0) AS quality, page, lesson, has_table, section, is_references
FROM chunks
ORDER BY document_id, chunk_index;

CREATE TABLE ordinals AS
SELECT document_id, row_number() OVER (ORDER BY document_id) - 1 AS document
FROM (SELECT DISTINCT document_id FROM passages);
