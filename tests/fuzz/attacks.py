"""SQL that wants out: statements that read or write files, reach a network, change the tables or the settings.

`SECRET`, `TARGET` and `URL` stand for a file that may not be read, one that may not be written and a server that may
not be called.
"""

from __future__ import annotations

from hypothesis import strategies as st

RELATIONS = (
    "read_text('SECRET')",
    "read_blob('SECRET')",
    "read_csv('SECRET')",
    "read_csv_auto('SECRET', header=false, all_varchar=true)",
    "read_json('SECRET')",
    "read_ndjson_objects('SECRET')",
    "read_parquet('SECRET')",
    "read_duckdb('SECRET')",
    "parquet_schema('SECRET')",
    "parquet_metadata('SECRET')",
    "sniff_csv('SECRET')",
    "glob('FOLDER/*')",
    "glob('FOLDER/../**')",
    "'SECRET'",
    '"SECRET"',
    "'URL/x.csv'",
    "read_csv('URL/x.csv')",
    "read_parquet('s3://bucket/x')",
    "query('COPY documents TO ''TARGET''')",
    "query('FROM read_text(''SECRET'')')",
    "query_table('SECRET')",
    "duckdb_secrets()",
    "which_secret('s3://bucket', 's3')",
    "enable_logging(storage_path='TARGET')",
    "enable_profiling(save_location='TARGET')",
    "force_checkpoint()",
)
STATEMENTS = (
    "COPY documents TO 'TARGET'",
    "COPY (SELECT 1) TO 'TARGET' (FORMAT parquet)",
    "COPY documents FROM 'SECRET'",
    "EXPORT DATABASE 'TARGET'",
    "IMPORT DATABASE 'FOLDER'",
    "ATTACH 'TARGET' AS x",
    "ATTACH 'SECRET' (TYPE sqlite)",
    "INSTALL httpfs",
    "INSTALL x FROM 'URL'",
    "LOAD httpfs",
    "LOAD 'SECRET'",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET GLOBAL allowed_directories = ['/']",
    "RESET allowed_paths",
    "PRAGMA enable_profiling",
    "PRAGMA profiling_output = 'TARGET'",
    "CREATE SECRET (TYPE s3)",
    "CREATE TABLE x AS SELECT 1",
    "CREATE OR REPLACE VIEW documents AS SELECT 1",
    "CREATE MACRO x() AS 1",
    "DROP TABLE documents",
    "DELETE FROM documents",
    "UPDATE documents SET title = 'x'",
    "INSERT INTO documents SELECT * FROM documents",
    "TRUNCATE documents",
    "ALTER TABLE documents RENAME TO x",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "CALL force_checkpoint()",
    "PREPARE x AS SELECT 1",
    "EXECUTE x",
    "USE memory",
    "SET VARIABLE x = (SELECT content FROM read_text('SECRET'))",
)
CALLS = (
    "getenv('KALENDS_TOKEN')",
    "getvariable('x')",
    "current_setting('secret_directory')",
    "nextval('x')",
    "(SELECT content FROM read_text('SECRET'))",
    "(SELECT list(content) FROM read_text(['SECRET']))",
)
AROUND = (
    "{}",
    "{};",
    "/* x */ {} -- y",
    "-- x\n{}",
    "SELECT 1; {}",
    "{}; SELECT 1",
    "EXPLAIN {}",
    "EXPLAIN ANALYZE {}",
    "({})",
    "WITH x AS ({}) SELECT * FROM x",
    "WITH x AS MATERIALIZED ({}) FROM x",
    "WITH RECURSIVE x AS ({} UNION ALL FROM x) SELECT * FROM x LIMIT 3",
    "SELECT * FROM ({})",
    "SELECT ({})",
    "SELECT EXISTS({})",
    "FROM query($${}$$)",
    "DESCRIBE {}",
    "SUMMARIZE {}",
    "SHOW {}",
    "PIVOT ({}) ON 1",
    "SELECT 1 UNION ALL {}",
    "{} RETURNING *",
    "WITH x AS ({} RETURNING *) SELECT * FROM x",
)
_CORES = st.one_of(
    st.sampled_from(STATEMENTS),
    st.sampled_from([f"SELECT * FROM {relation}" for relation in RELATIONS]),
    st.sampled_from([f"SELECT * FROM documents, LATERAL (SELECT * FROM {relation})" for relation in RELATIONS]),
    st.sampled_from([f"SELECT {call}" for call in CALLS]),
)


@st.composite
def attacks(draw: st.DrawFn) -> str:
    """A statement, wrapped up to three times, in any case of letters."""
    sql = draw(_CORES)
    for around in draw(st.lists(st.sampled_from(AROUND), max_size=3)):
        sql = around.format(sql)
    if draw(st.booleans()):
        sql = "".join(part if part in ("SECRET", "TARGET", "URL", "FOLDER") else part.lower() for part in _parts(sql))
    return sql


def _parts(sql: str) -> list[str]:
    for name in ("SECRET", "TARGET", "FOLDER", "URL"):
        sql = sql.replace(name, f"\0{name}\0")
    return sql.split("\0")


BOMBS = (
    "SELECT repeat('x', 1000000000)",
    "SELECT repeat('x', 10000000) FROM range(1000)",
    "SELECT 'x'.repeat(100000).repeat(10000).repeat(100).length()",
    "SELECT list_transform(range(100000000), lambda x: x::varchar || 'aaaaaaaaaaaaaaaaaaaaaaa')",
    "SELECT count(*) FROM (SELECT unnest(range(1000000000)))",
    "SELECT lpad('x', 2000000000, 'y').length()",
    "SELECT list(r) FROM range(10000000000) x(r)",
    "SELECT string_agg(repeat('y', 100000), ',') FROM range(10000000)",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    "WITH RECURSIVE t(n) AS (SELECT repeat('x', 1000) UNION ALL SELECT n || n FROM t) SELECT max(length(n)) FROM t",
    "SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c",
    f"SELECT {'(' * 20_000}1{')' * 20_000}",
    f"SELECT {'- ' * 50_000}1",
    f"SELECT 1 {' '.join(['UNION ALL SELECT 1'] * 20_000)}",
)
"""Each would take minutes or all memory, or fall off the stack."""
