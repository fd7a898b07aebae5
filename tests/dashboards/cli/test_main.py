"""The command line as its users meet it: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dashboards.cli.main import MODULES
from tests.building import build_warehouse
from tests.command_line import ROOT, kalends

SAMPLES = ROOT / "samples"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "warehouse"
    build_warehouse(folder, SAMPLES)
    return folder


def test_search_prints_passages_with_citations(warehouse: Path) -> None:
    done = kalends("search", "total revenue three months ended June 30, 2025", "-w", warehouse)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^1\. Northlight .*, page \d+, 2025-\d\d-\d\d$", done.stdout, re.MULTILINE)
    assert re.search(r"^   samples/reports/\S+  file://\S+#page=\d+$", done.stdout, re.MULTILINE)
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_search_json_has_every_field_of_a_citation(warehouse: Path) -> None:
    done = kalends("search", "nitrate drift", "-w", warehouse, "--json", "-k", 2)
    hits = json.loads(done.stdout)["hits"]
    assert len(hits) == 2
    named = {"document_id", "title", "source", "page", "chunk_index", "page_chunk_index", "section", "quality", "date"}
    assert (
        named
        | {"label", "unit", "url", "relevance", "location", "formatted", "formatted_with_link", "rows", "last_date"}
        == hits[0]["citation"].keys()
    )


@pytest.mark.parametrize(
    ("options", "kinds"), [(("--kind", "paper"), {"paper"}), (("--since", "2025-07-01", "--until", "2025-08-01"), None)]
)
def test_filters_are_exact(warehouse: Path, options: tuple[str, ...], kinds: set[str] | None) -> None:
    done = kalends("search", "revenue nitrate lesson", "-w", warehouse, "--json", "-k", 50, *options)
    hits = json.loads(done.stdout)["hits"]
    columns = "chunk_id, kind, coalesce(passage_date, document_date) AS day"
    # A passage in a script that the model does not read is found by its words alone.
    read = "SELECT chunk_id FROM chunk_vectors"
    sql = f"SELECT {columns} FROM chunks JOIN documents USING (document_id) WHERE chunk_id IN ({read})"
    rows = json.loads(kalends("sql", sql, "-w", warehouse, "--json").stdout)["rows"]
    wanted = {
        row["chunk_id"]
        for row in rows
        if (row["kind"] in kinds if kinds else "2025-07-01" <= (row["day"] or "") < "2025-08-01")
    }
    assert wanted
    assert {each for hit in hits for each in hit["leaves"] or [hit["chunk_id"]]} == wanted


def test_ask_quotes_word_for_word(warehouse: Path) -> None:
    done = kalends("ask", "What was total revenue in the three months ended June 30, 2025?", "-w", warehouse, "--json")
    extracts = json.loads(done.stdout)["extracts"]
    assert any("Total revenue" in extract["text"] for extract in extracts)
    texts = json.loads(kalends("sql", "SELECT text FROM chunks", "-w", warehouse, "--json", "--limit", 9999).stdout)
    for extract in extracts:
        lines = extract["text"].splitlines()
        assert any(all(line in row["text"] for line in lines) for row in texts["rows"])


def test_status_and_plan(warehouse: Path) -> None:
    found = json.loads(kalends("status", "-w", warehouse, "--json").stdout)
    assert found["generation"] == 1
    readable = "SELECT count(*) AS n FROM documents WHERE status <> 'unreadable'"
    counted = json.loads(kalends("sql", readable, "-w", warehouse, "--json").stdout)["rows"][0]["n"]
    assert (found["documents"], found["unreadable_files"]) == (counted, 2)
    assert sum(found["kinds"].values()) == counted
    assert list(found["unreadable"]) == ["samples/broken.pdf", "samples/papers/window-coating-abstract.xml"]
    plan = json.loads(kalends("plan", "-w", warehouse, "--json", KALENDS_ENTITIES__KINDS="[]").stdout)
    assert plan["steps"] == []


def test_settings_name_their_origin(tmp_path: Path) -> None:
    (tmp_path / "kalends.toml").write_text('[parse]\nseconds = 7\n[[sources]]\nfolder = "notes"\n')
    done = kalends("status", "--settings", "--json", cwd=tmp_path, KALENDS_CHUNK__SIZE="321")
    found = json.loads(done.stdout)
    assert found["parse.seconds"] == {"value": 7, "origin": "kalends.toml"}
    assert found["chunk.size"] == {"value": 321, "origin": "environment"}
    assert found["embed.model"]["origin"] == "environment"
    assert found["batch.files"]["origin"] == "default"


def test_parse_and_chunks_need_no_warehouse(tmp_path: Path) -> None:
    release = SAMPLES / "reports" / "northlight-fy2025-q3.pdf"
    document = json.loads(kalends("parse", release, "--json", cwd=tmp_path).stdout)
    assert [table["number"] for table in document["tables"]] == list(range(1, len(document["tables"]) + 1))
    passages = json.loads(kalends("chunks", release, "--json", cwd=tmp_path).stdout)
    for passage in passages:
        chunk = passage["chunk"]
        assert document["text"][chunk["start"] : chunk["end"]] == chunk["text"]
    assert not (tmp_path / ".kalends").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("search", "x", "-w", "nowhere"), "run 'kalends ingest FOLDER' first"),
        (("ingest", "nowhere"), "check the path"),
        (("ingest",), "give one"),
        (("parse", "nowhere"), "check the path"),
        (("sql", "DROP TABLE documents", "-w", "WAREHOUSE"), "ask for one query"),
        (("sql", "SELECT count(*) FROM range(1e12::BIGINT)", "--seconds", "0.3", "-w", "WAREHOUSE"), "raise --seconds"),
        (("search", "x", "--since", "soonish", "-w", "WAREHOUSE"), "YYYY-MM-DD"),
        (("search", "x", "--during", "nothing", "-w", "WAREHOUSE"), "a period like"),
        (("search", "x", "--years", "2020-2019", "-w", "WAREHOUSE"), "write it as 2023"),
        (("search", "x", "--alpha", "0.5", "--fusion", "rrf", "-w", "WAREHOUSE"), "leave one of them out"),
        (("search", "x", "--document", "nope.pdf", "-w", "WAREHOUSE"), "lists them"),
        (("verify", "-w", "WAREHOUSE"), "give a HIT"),
        (("verify", "0" * 32, "-w", "WAREHOUSE"), "take the chunk_id"),
        (("verify", "--quote", "x", "-w", "WAREHOUSE"), "--document SOURCE"),
        (("verify", "--file", "nowhere", "-w", "WAREHOUSE"), "cannot be read (No such file or directory): check"),
        (("search", "  ", "-w", "WAREHOUSE"), "say what to look for"),
        (("search", "x", "-k", "0", "-w", "WAREHOUSE"), "ask for one at least"),
        (("search", "x", "--kind", "nope"), "see 'kalends search --help'"),
        (("search", "x", "-k", "x"), "see 'kalends search --help'"),
        (("search",), "Missing argument 'question'"),
        (("plan", "--wxyz"), "see 'kalends plan --help'"),
        (("serch", "x"), "Did you mean 'search'"),
    ],
)
def test_an_error_is_one_line_with_its_cure(warehouse: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = kalends(*(str(warehouse) if word == "WAREHOUSE" else word for word in words), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    done = kalends("status", cwd=tmp_path, KALENDS_PARSE__SECONDS="soon")
    assert done.returncode == 2
    assert "parse.seconds" in done.stderr
    assert "KALENDS_PARSE__SECONDS" in done.stderr


def test_another_model_is_refused(warehouse: Path) -> None:
    done = kalends("search", "x", "-w", warehouse, KALENDS_EMBED__MODEL="minilm")
    assert done.returncode == 2
    assert "embed anew" in done.stderr


def test_version_and_short_help() -> None:
    assert re.fullmatch(r"kalends \d+\.\d+\.\d+\n", kalends("--version").stdout)
    assert kalends("-h").stdout == kalends("--help").stdout
    assert kalends("search", "-h").stdout == kalends("search", "--help").stdout


def test_shells_complete_commands() -> None:
    asked = {"_KALENDS_COMPLETE": "complete_bash", "COMP_WORDS": "kalends mai", "COMP_CWORD": "1"}
    assert kalends(**asked).stdout.split() == ["maintain"]


def test_the_list_of_commands_fits_a_terminal_of_80_columns() -> None:
    lines = kalends("--help", COLUMNS="80").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines[1:] if line.endswith("...")]
    listed = {line.split()[0] for line in lines if re.match(r"  [a-z][a-z-]*  ", line)}
    assert listed == set(MODULES)


@pytest.mark.parametrize("name", ["search", "evaluate", "mcp"])
def test_a_help_page_has_types_in_plain_words(name: str) -> None:
    shown = kalends(name, "--help", COLUMNS="80").stdout
    assert not re.search(r"<(str|int|list|float)", shown)
