-- The passage of each row of figures, the vector of its label, and the statement that it stands in.
SELECT p.rowid AS row, v.vector_id, coalesce(v.statement, '') AS statement
FROM chunk_vectors v JOIN passages p USING (chunk_id)
WHERE v.label <> ''
ORDER BY p.rowid;
