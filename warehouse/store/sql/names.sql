-- The names that texts have, by document and place.
SELECT document, start, "end", name
FROM entities JOIN ordinals USING (document_id)
ORDER BY document, start;
