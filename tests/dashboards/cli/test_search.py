"""`kalends search` and `kalends verify` as their users meet them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from tests.building import build_warehouse
from tests.command_line import kalends
from tests.dashboards.cli.test_main import SAMPLES

QUESTION = "total revenue three months ended June 30, 2025"
Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search") / "warehouse"
    build_warehouse(folder, SAMPLES / "reports")
    return folder


@pytest.fixture(scope="module")
def hits(warehouse: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(kalends("search", QUESTION, "-w", warehouse, "--json", "--boxes").stdout)
    return found


def test_explain_says_what_was_understood_and_what_each_score_is(warehouse: Path) -> None:
    said = kalends("search", QUESTION, "-w", warehouse, "--explain", "-k", 1).stdout
    assert "Looked for total revenue" in said
    assert "Time       “three months ended June 30, 2025”: 2025-04-01 up to 2025-07-01 (named)" in said
    assert "Ranking    hybrid, weighed" in said
    (line,) = [line for line in said.splitlines() if line.startswith("   Score ")]
    total, parts = line.removeprefix("   Score ").split(" = ")
    values = [float(part.split()[-1]) for part in parts.partition(" (")[0].split(" + ")]
    assert sum(values) == pytest.approx(float(total), abs=0.003)


def test_a_part_of_the_ranking_can_be_left_out(warehouse: Path) -> None:
    said = kalends("search", QUESTION, "-w", warehouse, "--mode", "keyword", "--no-times", "--explain", "-k", 1).stdout
    assert "Ranking    keyword" in said
    assert "time 0." not in said
    assert "cosine" not in said


def test_words_can_be_read_plainly(warehouse: Path) -> None:
    time = "three months ended June 30, 2025"
    said = kalends("search", QUESTION, "-w", warehouse, "--plainly", time, "--explain", "-k", 1).stdout
    assert "Looked for" in said
    assert f"Time       “{time}”" not in said


def test_json_has_the_same_facts(hits: dict[str, list[dict[str, object]]]) -> None:
    assert {"question", "understood", "notes", "hits"} == hits.keys()
    assert all(sum(part["value"] for part in hit["parts"]) == pytest.approx(hit["score"]) for hit in hits["hits"])  # type: ignore[attr-defined,index]
    assert all(hit["regions"] for hit in hits["hits"])


def test_a_passage_of_which_no_part_stands_out_is_shown_by_its_beginning(warehouse: Path) -> None:
    asked = ("search", "Northlight revenue in Q2 2025", "-w", warehouse, "-k", 12)
    hits = json.loads(kalends(*asked, "--json").stdout)["hits"]
    passages = re.split(r"^\d+\. ", kalends(*asked).stdout, flags=re.MULTILINE)[1:]
    shown = [passage.partition("\n\n   ")[2].rpartition("\n\n   ")[0] for passage in passages]
    without = [(hit, text) for hit, text in zip(hits, shown, strict=True) if not hit["excerpt"]]
    assert without
    for hit, text in without:
        assert text.split("\n")[0] in hit["text"].splitlines()[:4]
        assert "… (--whole shows all of it)" in text


def test_a_document_is_named_by_its_source(warehouse: Path) -> None:
    source = "reports/northlight-fy2025-q3.pdf"
    done = kalends("search", "revenue", "-w", warehouse, "--document", source, "--json")
    assert {hit["citation"]["source"] for hit in json.loads(done.stdout)["hits"]} == {source}


def test_every_hit_is_verified_on_its_page(warehouse: Path, hits: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "hits.json").write_text(json.dumps(hits), encoding="utf-8")
    done = kalends("verify", "--file", tmp_path / "hits.json", "-w", warehouse)
    assert done.returncode == 0, done.stdout
    assert "verified by its page boxes: reports/" in done.stdout
    assert "page 1 [" in done.stdout


def test_a_quotation_that_differs_is_exit_1_and_shown(warehouse: Path) -> None:
    source = "reports/northlight-fy2025-q3.pdf"
    query = "SELECT text FROM chunks JOIN documents USING (document_id) WHERE source LIKE '%q3.pdf' AND NOT has_table"
    found = json.loads(kalends("sql", f"{query} LIMIT 1", "-w", warehouse, "--json").stdout)["rows"]
    sentence = found[0]["text"].split(". ")[0]
    assert kalends("verify", "--quote", sentence, "--document", source, "-w", warehouse).returncode == 0
    done = kalends("verify", "--quote", f"{sentence} never", "--document", source, "-w", warehouse)
    assert done.returncode == 1
    assert "differs: reports/northlight-fy2025-q3.pdf" in done.stdout
    assert "   found: " in done.stdout
    assert done.stderr == ""


def test_extracts_are_verified_too(warehouse: Path, tmp_path: Path) -> None:
    (tmp_path / "extracts.json").write_text(
        kalends("ask", QUESTION, "-w", warehouse, "--json").stdout, encoding="utf-8"
    )
    proofs = json.loads(kalends("verify", "--file", tmp_path / "extracts.json", "-w", warehouse, "--json").stdout)[
        "proofs"
    ]
    assert {proof["verdict"] for proof in proofs} == {"verified"}


COMMANDS = (["status"], ["search", QUESTION], ["ask", QUESTION], ["ask", "How many reports are there?"], ["rules"])


UNUSED = {"pandas", "prefect", "torch", "spacy", "streamlit", "openvino", "httpx", "anthropic", "pydantic_ai", "scipy"}
"""What no command that reads needs with a stand-in for the model."""
FOR_DATA = {"numpy", "pyarrow", "duckdb", "tantivy", "rapidfuzz", "snowballstemmer", "jieba", "rich"}
"""What only commands that open a warehouse need."""


def _imported(commands: Sequence[Sequence[str]], modules: Collection[str], **variables: str) -> str:
    """Those of some modules that a process imports which runs commands, in the order of their names."""
    code = (
        "import os, sys\nfrom dashboards.cli.main import run\n"
        f"codes = [run(words) for words in {[list(words) for words in commands]!r}]\n"
        f"print(codes, *sorted(sys.modules.keys() & {set(modules)!r}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **variables}, capture_output=True, text=True, check=True
    )
    codes, _, found = done.stderr.strip().splitlines()[-1].partition("]")
    assert not set(codes) & set("123456789"), done.stderr
    return found.strip()


def test_commands_that_read_import_nothing_of_what_writes(warehouse: Path) -> None:
    held = {"KALENDS_WAREHOUSE": str(warehouse), "KALENDS_EMBED__MODEL": "hashing"}
    assert not _imported(COMMANDS, UNUSED, **held)


@pytest.mark.parametrize(
    ("words", "modules"),
    [
        (["--help"], UNUSED | FOR_DATA | {"pydantic", "tasks.temporal", "warehouse.settings.models"}),
        (["rules"], UNUSED | FOR_DATA | {"yaml", "markdown_it", "lxml", "pydantic_settings", "tasks.tables.numbers"}),
        (["status"], UNUSED | (FOR_DATA - {"numpy", "pyarrow"}) | {"pyarrow.compute", "tasks.temporal.tagger"}),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_a_command_imports_what_it_needs_alone(warehouse: Path, words: list[str], modules: set[str]) -> None:
    assert not _imported([words], modules, KALENDS_WAREHOUSE=str(warehouse))
