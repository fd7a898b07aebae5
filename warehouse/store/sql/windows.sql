-- The passage of each window of text and its vector.
SELECT p.rowid AS row, v.vector_id
FROM chunk_vectors v JOIN passages p USING (chunk_id)
WHERE v.label = '';
