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

COMMENT ON TABLE documents IS 'One row a file, unreadable ones too (status; stale: the last good version answers): what it is, its date and where that came from, counts, and what its kind adds.';
COMMENT ON TABLE corrections IS 'What people corrected: field, value, what was read instead (was, was_from), the table (0 for the document itself); shared where it was made for another document of the company; note says why it is not applied.';
COMMENT ON TABLE outputs IS 'The stage outputs (key) of each document, and the lake files with them.';
COMMENT ON TABLE generation_findings IS 'Findings of files that could not be opened; part of the view findings.';
COMMENT ON TABLE runs IS 'The runs that published something: settings, costs by stage in seconds, counts (documents: files, unreadable ones too).';
COMMENT ON VIEW generations IS 'The published generations, oldest first; documents counts files, unreadable ones too.';
COMMENT ON VIEW contents IS 'The canonical text of each document and what was read with it.';
COMMENT ON VIEW blocks IS 'Headings, paragraphs, lists, tables, code and set-aside lines: spans of the text, with page and boxes.';
COMMENT ON VIEW tables IS 'Each table: its rows, header rows, caption, and the part of it on each page.';
COMMENT ON VIEW cells IS 'Each body cell with its header paths, value in units, currency and half-open period; dashes and n/a have no value; doubt says why scale or period are not sure; statement is the kind of primary statement that its table is (income, balance sheet, cash flows, equity, comprehensive income), if any; concept and fact (facts.number) where the filer tags the figure: value, unit, scale, currency and period are then those of the tag, and doubt says how the printed table differs.';
COMMENT ON VIEW facts IS 'What filers tag as data in inline XBRL, shown or hidden, in tables or sentences: concept, its name in words (label), exact value (content; value where it is a number, in units), unit, currency, half-open period, dimensions, and the span of the text that shows it (NULL where hidden); number is what cells.fact names.';
COMMENT ON VIEW totals IS 'Each figure that is the total of others in its column (of rows) or row (of columns), and whether it adds up.';
COMMENT ON VIEW mentions IS 'Each temporal expression: TIMEX3 type and value, half-open interval, and its headers in a table. FROM during(since, until) gives those that overlap some days.';
COMMENT ON VIEW timeline IS 'How often each document names each period.';
COMMENT ON VIEW entities IS 'Each name: span, label, normalised form.';
COMMENT ON VIEW chunks IS 'Each passage: text, prefix it is embedded with, head of the long table whose rows it begins with (table_head, empty for most), place, sizes, period covered, quality; the day or days of its entry in a diary or log, or of its rows in a table of them (passage_date to before passage_end), NULL where document_date counts.';
COMMENT ON VIEW parents IS 'Each larger passage that hierarchical chunks (their parent_id) were cut from; never searched itself.';
COMMENT ON VIEW scores IS 'The quality of each chunk.';
COMMENT ON VIEW findings IS 'Each finding of a rule: its place, severity and penalty. Corpus-wide and vault findings are given by kalends check --warehouse.';
COMMENT ON VIEW chunk_vectors IS 'The vector of each window of each chunk, or, where label is not empty, of the label of one of its rows of figures; statement is the primary statement that the row belongs to.';
COMMENT ON VIEW embeddings IS 'The vectors of the windows of text: float32, unit length.';
