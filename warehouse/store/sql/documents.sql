-- {documents_file} is a quoted path. `no_documents` is empty and has every column: generations of older programs lack
-- the newest.
-- One row a file of the generation, with the facts that filters and people ask for.
CREATE TABLE documents AS
SELECT
    document_id,
    file.source AS source,
    file.root AS root,
    file.path AS path,
    file.sha256 AS sha256,
    file.size AS size,
    make_timestamp(file.modified_ns // 1000) AS modified,
    status,
    reason,
    kind,
    media_type,
    title,
    attributes.company AS company,
    authors,
    language,
    document_date,
    date_origin,
    fiscal_year_start,
    fiscal_calendar,
    reported_name,
    reported_start,
    reported_end,
    total_pages,
    non_empty_pages,
    table_count,
    chunk_count,
    attributes
FROM (FROM read_parquet({documents_file}) UNION ALL BY NAME FROM no_documents);

-- The stage outputs of each document. Identical files share outputs, so a key may serve several documents.
CREATE TABLE outputs AS
SELECT document_id, output.stage AS stage, output.key AS key, output.file AS file
FROM (SELECT document_id, unnest(outputs) AS output FROM read_parquet({documents_file}));
