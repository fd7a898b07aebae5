-- Tables of a generation that no search needs. {documents_file} … are quoted paths.
-- `no_documents` and `no_runs` are empty and have every column, as in documents.sql.
-- What people corrected: one row a correction of a document, or of one of its tables ("table", 0 for the document).
CREATE TABLE corrections AS
SELECT document_id, source, correction.*
FROM (
    SELECT document_id, file.source AS source, unnest(corrections) AS correction
    FROM (FROM read_parquet({documents_file}) UNION ALL BY NAME FROM no_documents)
);

CREATE TABLE generation_findings AS
SELECT * FROM read_parquet({findings_file});

CREATE TABLE runs AS
FROM read_parquet({runs_file}) UNION ALL BY NAME FROM no_runs;
