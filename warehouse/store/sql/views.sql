-- The lake as this generation sees it: rows of the outputs that its documents stand on, and no others.
-- {contents} … are the generation's files of each lake table, as a list of quoted paths.
CREATE VIEW contents AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{contents}], union_by_name = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key;

CREATE VIEW blocks AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{blocks}], union_by_name = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key;

CREATE VIEW tables AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{tables}], union_by_name = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key;

CREATE VIEW cells AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{cells}], union_by_name = true) r JOIN outputs o ON o.stage = 'tables' AND o.key = r.key;

CREATE VIEW mentions AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{mentions}], union_by_name = true) r JOIN outputs o ON o.stage = 'temporal' AND o.key = r.key;

CREATE VIEW entities AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{entities}], union_by_name = true) r JOIN outputs o ON o.stage = 'entities' AND o.key = r.key;

CREATE VIEW scores AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{scores}], union_by_name = true) r JOIN outputs o ON o.stage = 'score' AND o.key = r.key;

CREATE VIEW chunks AS
SELECT r.* EXCLUDE (key), s.quality_score
FROM read_parquet([{chunks}], union_by_name = true) r
JOIN outputs o ON o.stage = 'chunk' AND o.key = r.key AND o.document_id = r.document_id
LEFT JOIN scores s ON s.chunk_id = r.chunk_id;

CREATE VIEW findings AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{findings}], union_by_name = true) r
JOIN outputs o ON o.stage IN ('parse', 'refused', 'score') AND o.key = r.key
UNION ALL BY NAME
SELECT * FROM generation_findings;

CREATE VIEW chunk_vectors AS
SELECT o.document_id, r.* EXCLUDE (key)
FROM read_parquet([{embeddings}], union_by_name = true) r JOIN outputs o ON o.stage = 'embed' AND o.key = r.key;

CREATE VIEW embeddings AS
SELECT c.document_id, c.chunk_id, c."window", c.vector_id, v.model, v.vector
FROM chunk_vectors c JOIN read_parquet([{vectors}], union_by_name = true) v USING (vector_id);

CREATE VIEW generations AS
SELECT generation, started + to_microseconds(CAST(seconds * 1000000 AS BIGINT)) AS published, flow_run, documents, chunks, model
FROM runs;
