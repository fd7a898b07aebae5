"""What people corrected: applied by the next run to the documents concerned and to no other, noted, and undone."""

from __future__ import annotations

import os
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from flows.corrections import list_warnings
from flows.maintenance import maintain_warehouse, upgrade_warehouse
from flows.planning import make_plan
from flows.progress import Action
from tests.building import build_warehouse, copy_made
from tests.flows.conftest import Bench, worked
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, CorrectedField, Status, Table
from warehouse.settings.loader import Settings, load_settings
from warehouse.store import corrections_file
from warehouse.store.generations import SCHEMA_VERSION, find_current
from warehouse.store.lake import Lake
from warehouse.store.sql_queries import open_locked

WIRE = "SEATTLE, Wash.--(BUSINESS WIRE)--May 25, 2023--Gull Wholesale Corp. (NASDAQ: GULL) today announced results."


def table(*rows: str) -> str:
    """A table of HTML; its cells are separated by lines."""
    cells = (row.split("|") for row in rows)
    return "".join(["<table>", *("<tr><td>" + "</td><td>".join(row) + "</td></tr>" for row in cells), "</table>"])


SALES = ("|2023|2022", "Net sales|$ 52,604|$ 51,612", "Other income|1,044|984", "Total revenue|53,648|52,596")
MEMBERS = ("|Q3 2023", "Members|5", "Shops|6")
FILES = {
    "third.html": f"<h1>Gull Wholesale Corp. Reports Third Quarter Results</h1><p>{WIRE}</p>"
    "<p>Sales rose last month.</p>"
    + table(*SALES, "Shares outstanding|443|443")
    + "<p>Members are counted.</p>"
    + table(*MEMBERS),
    "year.html": f"<h1>Gull Wholesale Corp. Reports Results</h1><p>{WIRE}</p><p>Sales rose in Q2 2023.</p>",
    "other.html": "<h1>Heron</h1><p>Heron's sales rose in Q2 2023.</p>",
}
COMPANY, YEAR_END = CorrectedField.COMPANY, CorrectedField.FISCAL_YEAR_END
DATE, SCALE, CURRENCY = CorrectedField.DOCUMENT_DATE, CorrectedField.SCALE, CorrectedField.CURRENCY
KEPT = {"modified", "generation"}


class Shelf:
    """A folder of documents and its warehouse, made without Prefect."""

    def __init__(self, place: Path) -> None:
        self.docs, self.folder = place / "docs", place / "house"

    def build(self, **settings: Any) -> Warehouse:
        return build_warehouse(self.folder, self.docs, **settings)

    @property
    def house(self) -> Warehouse:
        return Warehouse(self.folder)

    def settings(self, **more: Any) -> Settings:
        return load_settings(
            {"warehouse": self.folder, "embed": {"model": "hashing"}, "parse": {"processes": 1}, **more}
        )

    def plan(self) -> dict[str, tuple[Action, tuple[str, ...]]]:
        """What would be done, by file."""
        plan = make_plan(self.settings(), find_current(self.house.layout), [self.docs])
        return {planned.source.removeprefix("docs/"): (planned.action, planned.stages) for planned in plan.files}

    def entry(self, name: str) -> CatalogEntry:
        return next(each for each in self.house.list_documents() if each.file.path.endswith(name))

    def tables(self, name: str) -> tuple[Table, ...]:
        parsed = self.entry(name).find_output("parse")
        assert parsed
        return Lake(self.house.layout.lake).read("tables", Table, {parsed.key: parsed.file})[parsed.key]

    def correct(self, name: str, table: int = 0, /, **values: str) -> None:
        """Note corrections: field by name."""
        said = {CorrectedField(field): value for field, value in values.items()}
        tables = self.tables(name) if table else ()
        meant = tables[table - 1] if table else None
        corrections_file.correct(self.house.layout, self.entry(name), said, meant, tables)

    def undo(self, name: str, field: CorrectedField | None = None) -> None:
        corrections_file.undo(self.house.layout, self.entry(name).file.source, field)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.house.snapshot.query_rows(sql)

    def cells(self, name: str) -> dict[str, tuple[Any, ...]]:
        sql = "SELECT c.text, value, scale, c.currency, doubt FROM cells c JOIN documents USING (document_id)"
        return {text: rest for text, *rest in self.rows(f"{sql} WHERE path = '{name}'")}

    def everything(self) -> dict[str, list[tuple[Any, ...]]]:
        """All tables of the warehouse, but for the runs, when files were changed, and where outputs lie."""
        listed = "SELECT table_name FROM information_schema.tables WHERE table_name NOT IN ('runs', 'generations')"
        connection = open_locked(self.house.snapshot.generation, Lake(self.house.layout.lake))
        names = [name for (name,) in connection.execute(listed).fetchall()]
        apart = {"documents": "* EXCLUDE modified", "outputs": "document_id, stage, key"}
        selected = {name: f"SELECT {apart.get(name, '*')} FROM {name} ORDER BY ALL" for name in names}
        return {name: connection.execute(query).fetchall() for name, query in selected.items()}


def made(folder: Path) -> None:
    (folder / "docs").mkdir()
    for name, text in FILES.items():
        (folder / "docs" / name).write_text(text)
    Shelf(folder).build()


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    copy_made(made, tmp_path)
    return Shelf(tmp_path)


def test_a_corrected_date_is_the_day_of_its_relative_times_and_costs_that_document(shelf: Shelf) -> None:
    shelf.correct("third.html", document_date="2022-03-09")
    stages = ("tables", "temporal", "chunk", "score", "embed")
    assert shelf.plan() == {
        "third.html": (Action.CORRECTED, stages),
        "year.html": (Action.KEPT, ()),
        "other.html": (Action.KEPT, ()),
    }
    shelf.build()
    entry = shelf.entry("third.html")
    assert (entry.document_date, entry.date_origin) == (date(2022, 3, 9), "corrected by a person")
    assert shelf.rows("SELECT start_date FROM mentions WHERE text = 'last month'") == [(date(2022, 2, 1),)]
    assert shelf.rows('SELECT source, field, value, was, was_from, "table", note FROM corrections') == [
        ("docs/third.html", "document_date", "2022-03-09", "2023-05-25", "dateline", 0, "")
    ]
    assert {action for action, _ in shelf.plan().values()} == {Action.KEPT}


def test_a_corrected_company_makes_nothing_of_the_document_again(shelf: Shelf) -> None:
    shelf.correct("other.html", company="Heron Holdings plc")
    assert shelf.plan()["other.html"] == (Action.CORRECTED, ())
    before = shelf.everything()["outputs"]
    shelf.build()
    assert shelf.everything()["outputs"] == before
    assert shelf.entry("other.html").attributes.company == "Heron Holdings plc"
    assert shelf.house.resolve("Heron Holdings").documents == (shelf.entry("other.html").document_id,)


def test_a_fiscal_year_end_holds_for_all_documents_of_the_company_and_no_other(shelf: Shelf) -> None:
    shelf.correct("third.html", fiscal_year_end="last Sunday of August")
    assert {name: action for name, (action, _) in shelf.plan().items()} == {
        "third.html": Action.CORRECTED,
        "year.html": Action.CORRECTED,
        "other.html": Action.KEPT,
    }
    shelf.build()
    sql = "SELECT path, start_date FROM mentions JOIN documents USING (document_id) WHERE text = 'Q2 2023'"
    assert dict(shelf.rows(sql)) == {"year.html": date(2022, 11, 28), "other.html": date(2023, 4, 1)}
    assert shelf.rows("SELECT c.period_start, c.period_end FROM cells c WHERE c.text = '5'") == [
        (date(2023, 2, 27), date(2023, 5, 29))
    ]
    assert shelf.rows("SELECT source, value, was, shared FROM corrections ORDER BY source") == [
        ("docs/third.html", "last Sunday of August", "", False),
        ("docs/year.html", "last Sunday of August", "", True),
    ]
    assert shelf.entry("year.html").fiscal_year_start == 9
    assert "corrected by a person" in shelf.entry("year.html").fiscal_calendar.basis  # type: ignore[union-attr]
    # A document that comes to the company has it too, and one that leaves it has it no more.
    shelf.correct("other.html", company="GULL WHOLESALE CORP")
    shelf.correct("year.html", company="Auk Ltd")
    shelf.build()
    assert shelf.entry("other.html").fiscal_year_start == 9
    assert shelf.entry("year.html").fiscal_year_start is None
    assert {action for action, _ in shelf.plan().values()} == {Action.KEPT}


def test_a_new_document_of_the_company_is_read_with_the_corrected_year_end(shelf: Shelf) -> None:
    shelf.correct("third.html", fiscal_year_end="08-31")
    (shelf.docs / "fourth.html").write_text(FILES["year.html"].replace("Q2 2023", "Q4 2023"))
    shelf.build()
    ((start,),) = shelf.rows("SELECT start_date FROM mentions WHERE text = 'Q4 2023'")
    assert start == date(2023, 6, 1)
    assert {action for action, _ in shelf.plan().values()} == {Action.KEPT}


def test_a_corrected_scale_changes_the_amounts_of_that_table_and_leaves_no_doubt(shelf: Shelf) -> None:
    before = shelf.cells("third.html")
    assert before["$ 52,604"][:2] == [52_604, 1]
    shelf.correct("third.html", 1, scale="millions", currency="CAD")
    assert shelf.plan()["third.html"] == (Action.CORRECTED, ("tables", "score", "embed"))
    shelf.build()
    after = shelf.cells("third.html")
    assert after["$ 52,604"] == [52_604_000_000, 1e6, "CAD", ""]
    assert after["443"] == [443_000_000, 1e6, "", ""]
    assert after["5"] == before["5"]
    assert shelf.rows("SELECT stated, adds_up FROM totals ORDER BY ALL") == [(52_596e6, True), (53_648e6, True)]
    assert shelf.rows('SELECT field, "table", value, was FROM corrections ORDER BY field') == [
        ("currency", 1, "CAD", "USD"),
        ("scale", 1, "millions", "ones"),
    ]


def test_undone_corrections_leave_every_table_as_it_was(shelf: Shelf) -> None:
    before = shelf.everything()
    files = {path: path.read_bytes() for path in (shelf.folder / "lake").rglob("*.parquet")}
    shelf.correct("third.html", company="Auk Ltd", fiscal_year_end="09-30", document_date="2021-01-01")
    shelf.correct("third.html", 1, scale="billions")
    shelf.build()
    assert shelf.everything() != before
    shelf.undo("third.html", COMPANY)
    shelf.build()
    assert shelf.entry("third.html").attributes.company == "Gull Wholesale Corp."
    shelf.undo("third.html")
    assert shelf.plan()["third.html"][0] is Action.CORRECTED
    shelf.build()
    assert shelf.everything() == before
    assert {path: path.read_bytes() for path in files} == files
    assert {action for action, _ in shelf.plan().values()} == {Action.KEPT}


def test_corrections_outlive_a_changed_a_renamed_and_a_moved_file(shelf: Shelf) -> None:
    shelf.correct("third.html", company="Auk Ltd", document_date="2021-01-01")
    shelf.correct("third.html", 1, scale="millions")
    (shelf.docs / "third.html").write_text(FILES["third.html"].replace("1,044", "1,045"))
    shelf.build()
    assert shelf.cells("third.html")["1,045"][0] == 1_045_000_000
    (shelf.docs / "third.html").rename(shelf.docs / "moved.html")
    assert shelf.plan()["moved.html"][0] is Action.RENAMED
    shelf.build()
    moved = shelf.entry("moved.html")
    assert (moved.attributes.company, moved.document_date) == ("Auk Ltd", date(2021, 1, 1))
    assert shelf.cells("moved.html")["1,045"][0] == 1_045_000_000
    assert {each.source for each in corrections_file.read(shelf.house.layout)} == {"docs/moved.html"}
    # Changed after the move: it is known by its new name.
    (shelf.docs / "moved.html").write_text(FILES["third.html"].replace("1,044", "1,046"))
    assert shelf.build().list_documents()
    assert shelf.entry("moved.html").attributes.company == "Auk Ltd"
    # The folder gets another name, and with it every source.
    shelf.docs.rename(shelf.docs.with_name("papers"))
    shelf.docs = shelf.docs.with_name("papers")
    shelf.build()
    assert {each.source for each in corrections_file.read(shelf.house.layout)} == {"papers/moved.html"}
    assert {each.file.source: each.attributes.company for each in shelf.house.list_documents()}[
        "papers/moved.html"
    ] == "Auk Ltd"


def test_a_copy_beside_a_corrected_document_stays_as_it_is_read(shelf: Shelf) -> None:
    shelf.correct("other.html", company="Auk Ltd")
    shutil.copy(shelf.docs / "other.html", shelf.docs / "copy.html")
    shelf.build()
    assert shelf.entry("copy.html").attributes.company != "Auk Ltd"
    assert shelf.entry("other.html").attributes.company == "Auk Ltd"


def test_a_table_that_is_no_longer_known_is_told_and_no_other_is_changed(shelf: Shelf) -> None:
    shelf.correct("third.html", 1, scale="millions")
    changed = FILES["third.html"].replace("<td>2023</td><td>2022</td>", "<td>Spring</td><td>Winter</td>")
    (shelf.docs / "third.html").write_text(changed)
    shelf.build()
    assert shelf.cells("third.html")["$ 52,604"][0] == 52_604
    (line,) = list_warnings(shelf.house.list_documents())
    assert "the corrected scale of table 1 is not applied: no table has this caption" in line
    assert "kalends correct 'docs/third.html' --table 1 --undo" in line
    ((note,),) = shelf.rows("SELECT note FROM corrections")
    assert note
    # A table that comes before it changes nothing.
    inserted = FILES["third.html"].replace("<p>Sales rose", f"{table('|2020', 'Cranes|7', 'Storks|8')}<p>Sales rose")
    (shelf.docs / "third.html").write_text(inserted)
    shelf.build()
    assert shelf.cells("third.html")["$ 52,604"][0] == 52_604_000_000
    assert shelf.cells("third.html")["7"][0] == 7
    assert not list(list_warnings(shelf.house.list_documents()))
    assert shelf.rows('SELECT "table" FROM corrections') == [(2,)]


def test_a_document_in_its_last_good_version_is_corrected_and_stays_stale(shelf: Shelf) -> None:
    (shelf.docs / "other.html").write_bytes(b"\x00\x01\x02" * 400)
    shelf.build()
    assert shelf.entry("other.html").status is Status.STALE
    shelf.correct("other.html", company="Auk Ltd")
    shelf.build()
    stale = shelf.entry("other.html")
    assert (stale.status, stale.attributes.company) == (Status.STALE, "Auk Ltd")
    assert stale.reason
    assert {action for action, _ in shelf.plan().values()} == {Action.KEPT}


def test_corrections_outlive_maintenance_and_an_upgrade(shelf: Shelf) -> None:
    shelf.correct("third.html", company="Auk Ltd", document_date="2021-01-01")
    shelf.build()
    said, noted = corrections_file.read(shelf.house.layout), shelf.entry("third.html").corrections
    maintain_warehouse(shelf.settings(maintain={"keep": 1, "days": 0, "grace": 0}))
    assert corrections_file.read(shelf.house.layout) == said
    assert shelf.entry("third.html").corrections == noted
    manifest = shelf.house.layout.current / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"schema_version": {SCHEMA_VERSION}', '"schema_version": 3'))
    assert upgrade_warehouse(shelf.house.layout) == 3
    assert corrections_file.read(shelf.house.layout) == said
    assert shelf.entry("third.html").corrections == noted
    assert {action for action, _ in shelf.plan().values()} == {Action.KEPT}


def test_an_experiment_is_made_with_the_corrections_of_its_warehouse_and_leaves_them(shelf: Shelf) -> None:
    shelf.correct("third.html", company="Auk Ltd")
    shelf.correct("third.html", 1, scale="millions")
    said = corrections_file.read(shelf.house.layout)
    folder = shelf.house.layout.experiments / "other"
    folder.mkdir(parents=True)
    (folder / "lake").symlink_to("../../lake")
    trial = build_warehouse(folder, shelf.docs)
    assert trial.layout.home == shelf.house.layout
    assert "Auk Ltd" in {each.attributes.company for each in trial.list_documents()}
    assert trial.snapshot.query_rows("SELECT value FROM cells WHERE text = '$ 52,604'") == [(52_604e6,)]
    (shelf.docs / "third.html").rename(shelf.docs / "moved.html")
    moved = build_warehouse(folder, shelf.docs)
    assert {each.file.path: each.attributes.company for each in moved.list_documents()}["moved.html"] == "Auk Ltd"
    assert corrections_file.read(shelf.house.layout) == said


def test_an_older_generation_shows_what_was_corrected_then(shelf: Shelf) -> None:
    before = shelf.house.generation
    shelf.correct("third.html", company="Auk Ltd")
    shelf.build()
    older = shelf.house.pin_generation(before)
    assert not older.snapshot.query_rows("FROM corrections")
    assert "Auk Ltd" not in {each.attributes.company for each in older.list_documents()}


def test_a_broken_file_of_corrections_stops_a_run_in_one_line(shelf: Shelf, capfd: pytest.CaptureFixture[str]) -> None:
    from dashboards.cli.main import run

    shelf.house.layout.corrections.write_text('{"version": 1, "corrections": [{"source": 1}]}')
    assert run(["plan", str(shelf.docs), "-w", str(shelf.folder)]) == 2
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert "corrections.json holds no corrections" in said
    assert "mend it by hand" in said


def test_the_flow_applies_them_from_any_run_and_tells_what_it_could_not(bench: Bench) -> None:
    bench.write("table.md", "# Gulls\n\n| | 2023 |\n| --- | --- |\n| Sales | $ 5 |\n| Costs | $ 4 |\n")
    bench.build()
    layout = bench.warehouse.layout
    entry = {each.file.path: each for each in bench.warehouse.list_documents()}
    parsed = entry["table.md"].find_output("parse")
    assert parsed
    tables = Lake(layout.lake).read("tables", Table, {parsed.key: parsed.file})[parsed.key]
    corrections_file.correct(layout, entry["table.md"], {SCALE: "thousands"}, tables[0], tables)
    corrections_file.correct(layout, entry["beta.txt"], {COMPANY: "Auk Ltd"})
    # A run over one file applies what was said of others too.
    report = bench.ingest(bench.docs / "alpha.md")
    assert report.counts == {"corrected": 2, "unchanged": 1}
    assert {stage for stage, count in worked(report).items() if count} == {"tables", "score", "embed", "publish"}
    assert worked(report)["tables"] == 1
    assert bench.warehouse.snapshot.query_rows("SELECT DISTINCT scale FROM cells WHERE value > 0") == [(1000.0,)]
    bench.write("table.md", "# Gulls\n\n| | 2024 |\n| --- | --- |\n| Sales | $ 5 |\n| Costs | $ 4 |\n")
    (warning,) = bench.ingest().warnings
    assert "scale of table 1 is not applied" in warning
    (bench.docs / "beta.txt").rename(bench.docs / "gamma.txt")
    bench.ingest()
    assert {each.source for each in corrections_file.read(layout) if each.field is COMPANY} == {"docs/gamma.txt"}
    assert bench.ingest().generation is None
    assert os.access(layout.corrections, os.R_OK)
