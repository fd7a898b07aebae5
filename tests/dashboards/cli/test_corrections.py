"""`kalends correct` and `kalends corrections`: noted, listed, undone, exported and taken into another warehouse."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboards.cli.main import run
from tests.building import build_warehouse, copy_made
from tests.dashboards.cli.test_parse import Done

Verb = Callable[..., Done]
TABLE = "# Gulls\n\nGulls are counted at dawn.\n\n| | 2023 |\n| --- | --- |\n| Sales | $ 5 |\n| Costs | $ 4 |\n"


def made(place: Path) -> Path:
    docs = place / "the docs"
    docs.mkdir()
    (docs / "gulls.md").write_text(TABLE)
    (docs / "auks.txt").write_text("Auks are counted at dusk on March 3, 2021.\n")
    build_warehouse(place / "house", docs)
    return place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a test that writes to it."""
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "house"))
    copy_made(made, tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def kalends(capsys: pytest.CaptureFixture[str]) -> Verb:
    def run_verb(*words: object) -> Done:
        code = run([str(word) for word in words])
        return Done(code, *capsys.readouterr())

    return run_verb


def test_a_correction_is_noted_and_the_next_ingest_applies_it(folder: Path, kalends: Verb) -> None:
    done = kalends("correct", "auks.txt", "--company", "Auk  Ltd", "--date", "2020-02-02", "--fiscal-year-end", "9-30")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "the docs/auks.txt: the company is Auk Ltd",
        "the docs/auks.txt: the fiscal year end is 09-30",
        "the docs/auks.txt: the document date is 2020-02-02",
        f"The next ingest applies it: kalends ingest '{folder / 'the docs' / 'auks.txt'}'",
    ]
    listed = kalends("corrections").stdout
    assert listed.splitlines()[0] == "the docs/auks.txt"
    assert "  the company: Auk Ltd (applied by the next ingest), corrected on " in listed
    build_warehouse(folder / "house", folder / "the docs")
    assert "  the document date: 2020-02-02 (was 2021-03-03), corrected on " in kalends("corrections").stdout
    asked = kalends("sql", "SELECT field, value, was FROM corrections ORDER BY field", "--json")
    assert json.loads(asked.stdout)["rows"][1] == {"field": "document_date", "value": "2020-02-02", "was": "2021-03-03"}


def test_a_table_is_corrected_and_undone(folder: Path, kalends: Verb) -> None:
    assert kalends("correct", "gulls", "--table", 1, "--scale", "million", "--currency", "cad").returncode == 0
    build_warehouse(folder / "house", folder / "the docs")
    cells = kalends("sql", "SELECT value, currency FROM cells WHERE text = '$ 5'", "--json").stdout
    assert json.loads(cells)["rows"] == [{"value": 5e6, "currency": "CAD"}]
    assert "the scale of table 1: millions (was ones)" in kalends("corrections").stdout
    assert kalends("correct", "gulls", "--undo", "--field", "currency").stdout.splitlines()[0] == (
        "the docs/gulls.md: the currency of table 1 is no longer corrected"
    )
    kept = json.loads(kalends("correct", "gulls", "--undo", "--table", 1, "--json").stdout)["corrections"]
    assert [(each["field"], each["value"]) for each in kept] == [("scale", "millions")]
    assert kalends("corrections").stdout == "There are no corrections.\n"
    assert kalends("correct", "gulls", "--undo").stderr == (
        "kalends: there is no correction of the docs/gulls.md: 'kalends corrections' lists all corrections\n"
    )


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_what_is_exported_is_taken_into_another_warehouse(folder: Path, kalends: Verb, form: str) -> None:
    kalends("correct", "auks", "--company", 'Auk "&" Söhne, Ltd')
    kalends("correct", "gulls", "--table", 1, "--scale", "thousands")
    exported = kalends("corrections", form).stdout
    rows = list(csv.DictReader(io.StringIO(exported))) if form == "--csv" else json.loads(exported)["corrections"]
    assert [row["value"] for row in rows] == ['Auk "&" Söhne, Ltd', "thousands"]
    (folder / "taken").write_text(exported, encoding="utf-8")
    # It may be taken in before anything is ingested.
    other = folder / "other"
    assert kalends("corrections", "--import", folder / "taken", "-w", other).stdout.startswith(
        "2 corrections imported."
    )
    assert kalends("corrections", "--import", folder / "taken", "-w", other).stdout == "0 corrections imported.\n"
    assert kalends("corrections", form, "-w", other).stdout == exported
    house = build_warehouse(other, folder / "the docs")
    assert {each.attributes.company for each in house.list_documents()} >= {'Auk "&" Söhne, Ltd'}
    assert house.snapshot.query_rows("SELECT value FROM cells WHERE text = '$ 5'") == [(5000.0,)]
    assert "(was ones)" in kalends("corrections", "-w", other).stdout


def test_what_is_said_of_a_document_that_is_gone_can_be_undone(folder: Path, kalends: Verb) -> None:
    kalends("correct", "auks", "--company", "Auk Ltd")
    (folder / "the docs" / "auks.txt").unlink()
    build_warehouse(folder / "house", folder / "the docs")
    assert kalends("corrections").stdout.splitlines()[0] == "the docs/auks.txt (no longer in the warehouse)"
    assert kalends("correct", "the docs/auks.txt", "--undo").returncode == 0
    assert kalends("corrections").stdout == "There are no corrections.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["correct", "auks"], "there is nothing to correct: give --company"),
        (["correct", "auks", "--scale", "millions"], "the scale belongs to a table: choose the table with --table N"),
        (["correct", "auks", "--table", "1"], "there is no correction for table 1: give --scale"),
        (
            ["correct", "auks", "--table", "1", "--scale", "ones"],
            "there is no table 1 in the docs/auks.txt: it",
        ),
        (["correct", "gulls", "--table", "7", "--scale", "ones"], "there is no table 7 in the docs/gulls.md: it has 1"),
        (["correct", "auks", "--date", "tomorrow"], "'tomorrow' is no date: write it as YYYY-MM-DD"),
        (["correct", "auks", "--fiscal-year-end", "2023"], "does not say when fiscal years end: write it as MM-DD"),
        (["correct", "auks", "--company", ""], "the company is empty: give a value"),
        (["correct", "auks", "--undo", "--company", "A"], "--undo cannot be combined with a new value"),
        (["correct", "auks", "--field", "company"], "--field can only be used with --undo"),
        (["correct", "nothing of that name", "--company", "A"], "there is no document 'nothing of that name'"),
        (["corrections", "--json", "--csv"], "cannot be combined"),
        (["corrections", "--import", "/nowhere"], "/nowhere cannot be read"),
        (["corrections", "--import", __file__], "holds no corrections"),
    ],
)
def test_bad_input_is_one_line_with_its_cure(shared: Path, kalends: Verb, words: list[str], said: str) -> None:
    done = kalends(*words, "-w", shared / "house")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not (shared / "house" / "corrections.json").exists()
