-- The lake as this generation sees it: rows of the outputs of its documents, and no others.
-- A file may have a key that this generation reads from another file: hence the file in each join.
-- {contents} … are the generation's files of each lake table, as a list of quoted paths.
CREATE VIEW contents AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{contents}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW blocks AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{blocks}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW tables AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{tables}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW facts AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{facts}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'parse' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW cells AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{cells}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'tables' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW totals AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{totals}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'tables' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW mentions AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{mentions}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'temporal' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

-- The mentions that overlap the days from `since` up to, and without, `until`; an open side has no end.
CREATE MACRO during(since, until) AS TABLE
SELECT * FROM mentions
WHERE (start_date IS NOT NULL OR end_date IS NOT NULL)
    AND coalesce(start_date < CAST(until AS DATE), true)
    AND coalesce(end_date > CAST(since AS DATE), true);

CREATE VIEW entities AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{entities}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'entities' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW scores AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{scores}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'score' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW chunks AS
SELECT r.* EXCLUDE (key, filename), s.quality_score
FROM read_parquet([{chunks}], union_by_name = true, filename = true) r
JOIN outputs o ON o.stage = 'chunk' AND o.key = r.key AND o.file = parse_filename(r.filename, true) AND o.document_id = r.document_id
LEFT JOIN scores s ON s.chunk_id = r.chunk_id;

-- Each period that a document names, and how often; the days of an entry count once where only the note's name or
-- properties name them, as headings, lines and rows name them in the text.
CREATE VIEW timeline AS
SELECT period, grain, calendar, start_date, end_date, document_id, sum(mentions)::BIGINT AS mentions
FROM (
    SELECT "value" AS period, grain, calendar, start_date, end_date, document_id, 1 AS mentions
    FROM mentions
    WHERE start_date IS NOT NULL AND end_date IS NOT NULL
    UNION ALL
    SELECT DISTINCT
        CASE passage_end - passage_date
            WHEN 1 THEN strftime(passage_date, '%Y-%m-%d')
            WHEN 7 THEN strftime(passage_date, '%G-W%V')
            ELSE strftime(passage_date, '%Y-%m')
        END,
        CASE passage_end - passage_date WHEN 1 THEN 'day' WHEN 7 THEN 'week' ELSE 'month' END,
        'calendar', passage_date, passage_end, document_id, 1
    FROM chunks
    WHERE passage_date IS NOT NULL AND passage_end - passage_date <= 31
        AND passage_date_origin NOT IN ('date heading', 'date of a line', 'date of a message', 'dates of rows')
)
GROUP BY ALL;

CREATE VIEW parents AS
SELECT r.* EXCLUDE (key, filename)
FROM read_parquet([{parents}], union_by_name = true, filename = true) r
JOIN outputs o ON o.stage = 'chunk' AND o.key = r.key AND o.file = parse_filename(r.filename, true) AND o.document_id = r.document_id;

CREATE VIEW findings AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{findings}], union_by_name = true, filename = true) r
JOIN outputs o ON o.stage IN ('parse', 'refused', 'failed', 'temporal', 'score') AND o.key = r.key AND o.file = parse_filename(r.filename, true)
UNION ALL BY NAME
SELECT * FROM generation_findings;

CREATE VIEW chunk_vectors AS
SELECT o.document_id, r.* EXCLUDE (key, filename)
FROM read_parquet([{embeddings}], union_by_name = true, filename = true) r JOIN outputs o ON o.stage = 'embed' AND o.key = r.key AND o.file = parse_filename(r.filename, true);

CREATE VIEW embeddings AS
SELECT c.document_id, c.chunk_id, c."window", c.vector_id, v.model, v.vector
FROM chunk_vectors c JOIN read_parquet([{vectors}], union_by_name = true) v USING (vector_id)
WHERE c.label = '';

CREATE VIEW generations AS
SELECT generation, coalesce(published, started + to_microseconds(CAST(seconds * 1000000 AS BIGINT))) AS published, flow_run, documents, chunks, model
FROM runs;
