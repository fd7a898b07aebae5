"""The file of corrections: written and read again, replaced, undone, exported, taken in, and refused in one line."""

from __future__ import annotations

import json
import threading
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.corrections import KnownCorrections
from warehouse.errors import BadInput
from warehouse.records import (
    CatalogEntry,
    CorrectedField,
    Correction,
    Kind,
    SourceFile,
    Status,
    Table,
    TableMark,
)
from warehouse.records.calendars import MONTH_END, Weeks, YearEndRule, parse_year_end_rule
from warehouse.records.corrections import SCALES, normalize_value
from warehouse.store import corrections_file
from warehouse.store.layout import Layout

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
RULES = st.builds(
    YearEndRule,
    st.integers(1, 12),
    st.integers(1, 27) | st.just(MONTH_END),
    st.none(),
    st.booleans(),
) | st.builds(YearEndRule, st.integers(1, 12), weeks=st.builds(Weeks, st.integers(0, 6), st.booleans()))
NAMES = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=20).map(lambda text: f"A{text}")
LABELS = st.lists(st.text("abc 1|\"',", min_size=1, max_size=5).filter(str.strip), max_size=3).map(tuple)
VALUES = {
    CorrectedField.COMPANY: NAMES.map(lambda name: " ".join(name.split())),
    CorrectedField.FISCAL_YEAR_END: RULES.map(str),
    CorrectedField.DOCUMENT_DATE: st.dates(date(1000, 1, 1), date(2200, 12, 31)).map(str),
    CorrectedField.SCALE: st.sampled_from(list(SCALES)),
    CorrectedField.CURRENCY: st.sampled_from(["USD", "CNY"]),
}


@st.composite
def records(draw: st.DrawFn) -> Correction:
    chosen = draw(st.sampled_from(list(CorrectedField)))
    alike = draw(st.integers(1, 3))
    mark = TableMark(
        draw(st.integers(1, 9)), draw(NAMES), draw(LABELS), draw(LABELS), draw(st.integers(1, alike)), alike
    )
    source, sha256 = (
        draw(st.sampled_from(["docs/a.txt", "docs/ä b.md", 'x/"q".pdf'])),
        draw(st.sampled_from(["", "ab"])),
    )
    moment = draw(st.datetimes(timezones=st.just(UTC)))
    return Correction(
        source, sha256, chosen, draw(VALUES[chosen]), moment, draw(NAMES), mark if chosen.is_of_table else None
    )


def entry(source: str = "docs/a.txt", sha256: str = "ab") -> CatalogEntry:
    root, _, path = source.partition("/")
    return CatalogEntry("id", SourceFile(source, root, path, sha256, 1, 1), Status.PUBLISHED, kind=Kind.REPORT)


def table(number: int, *labels: str, caption: str = "Balance") -> Table:
    rows = (("", "2023"), *((label, str(len(label))) for label in labels))
    return Table(number, 0, 0, rows, tuple((0, 0) for _ in rows), 1, caption)


@given(st.lists(records(), max_size=6))
def test_what_is_written_is_read_again_as_json_and_as_csv(found: list[Correction]) -> None:
    known = corrections_file.parse_corrections(corrections_file.as_json(found), "it")
    assert set(known) <= set(found)
    assert {(each.source, each.field) for each in known} == {(each.source, each.field) for each in found}
    assert corrections_file.parse_corrections(corrections_file.as_json(known), "it") == known
    assert corrections_file.parse_corrections(corrections_file.as_csv(known), "it") == known


@given(st.lists(records(), max_size=6))
def test_the_latest_correction_of_a_subject_counts(found: list[Correction]) -> None:
    known = corrections_file.parse_corrections(corrections_file.as_json(found), "it")
    said = KnownCorrections(known)
    for each in known:
        own = said.select_corrections(each.source, "")
        if each.table is None:
            kept = own.fiscal_year_end if each.field is CorrectedField.FISCAL_YEAR_END else own.get_value(each.field)
            assert kept == each.value
    assert not said.select_corrections("of no document", "")
    assert said.select_corrections("of no document", "").key == ""


@given(RULES)
def test_a_rule_of_year_ends_is_read_from_its_own_words(rule: YearEndRule) -> None:
    assert str(parse_year_end_rule(str(rule))) == str(rule)
    assert parse_year_end_rule(str(rule)) == (rule if rule.weeks is None else parse_year_end_rule(f"  {rule} ".upper()))


@given(st.sampled_from(list(CorrectedField)), st.text(max_size=30))
def test_any_text_is_a_value_or_is_refused_in_one_line(chosen: CorrectedField, text: str) -> None:
    refused, value = "", ""
    try:
        value = normalize_value(chosen, text)
    except BadInput as error:
        refused = str(error)
    if refused:
        assert ": " in refused
        assert "\n" not in refused
    else:
        assert normalize_value(chosen, value) == value


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("9-30", "09-30"),
        ("02-29", "02-28"),
        ("exactly 09-30", "exactly 09-30"),
        ("the last saturday of september", "last Saturday of September"),
        ("last Sunday in Aug", "last Sunday of August"),
        ("Saturday nearest January 31", "Saturday nearest the end of January"),
        ("the Sunday closest to the last day of 8", "Sunday nearest the end of August"),
    ],
)
def test_year_ends_as_people_write_them(text: str, rule: str) -> None:
    assert str(parse_year_end_rule(text)) == rule


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        (CorrectedField.FISCAL_YEAR_END, "13-01", "is no day of the year: write it as MM-DD"),
        (CorrectedField.FISCAL_YEAR_END, "end of summer", "does not say when fiscal years end"),
        (CorrectedField.DOCUMENT_DATE, "7.5.2023", "is no date: write it as YYYY-MM-DD"),
        (CorrectedField.DOCUMENT_DATE, "0001-01-01", "no document is dated"),
        (CorrectedField.COMPANY, "  ", "the company is empty"),
        (CorrectedField.COMPANY, "-" * 3, "is no company's name"),
        (CorrectedField.SCALE, "dozens", "is no scale: choose from ones, thousands"),
        (CorrectedField.CURRENCY, "dollars", "is no currency"),
    ],
)
def test_a_bad_value_is_one_line_with_its_cure(field: CorrectedField, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        normalize_value(field, text)


def test_a_correction_replaces_that_of_the_same_and_is_undone(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    first = {CorrectedField.COMPANY: "Amcor", CorrectedField.DOCUMENT_DATE: "2023-05-07"}
    corrections_file.correct(layout, entry(), first, moment=MOMENT)
    before = layout.corrections.read_bytes()
    corrections_file.correct(
        layout, entry(), {CorrectedField.COMPANY: " Amcor "}, moment=datetime(2030, 1, 1, tzinfo=UTC)
    )
    assert layout.corrections.read_bytes() == before
    corrections_file.correct(layout, entry(), {CorrectedField.COMPANY: "Amcor plc"}, moment=MOMENT)
    assert [each.value for each in corrections_file.read(layout)] == ["Amcor plc", "2023-05-07"]
    with pytest.raises(BadInput):
        corrections_file.correct(layout, entry(), {CorrectedField.COMPANY: "B", CorrectedField.DOCUMENT_DATE: "soon"})
    assert len(corrections_file.read(layout)) == 2
    assert not corrections_file.undo(layout, "docs/unknown.txt")
    (gone,) = corrections_file.undo(layout, "docs/a.txt", CorrectedField.COMPANY)
    assert gone.value == "Amcor plc"
    assert len(corrections_file.undo(layout, "docs/a.txt")) == 1
    assert corrections_file.read(layout) == ()


def test_a_table_is_corrected_once_however_it_changed(tmp_path: Path) -> None:
    layout, scale = Layout(tmp_path), {CorrectedField.SCALE: "millions"}
    before = [table(1, "cash", "debt", "sum"), table(2, "other", caption="Flows")]
    corrections_file.correct(layout, entry(), scale, before[0], before, MOMENT)
    after = [table(1, "other", caption="Flows"), table(2, "cash", "debt", "loans", "sum")]
    corrections_file.correct(layout, entry(), {CorrectedField.SCALE: "billions"}, after[1], after, MOMENT)
    (kept,) = corrections_file.read(layout)
    assert (kept.value, kept.table and kept.table.number) == ("billions", 2)
    assert not corrections_file.undo(layout, "docs/a.txt", table=1, tables=after)
    assert corrections_file.undo(layout, "docs/a.txt", table=2, tables=after)


def test_a_table_is_known_again_or_it_is_said_why_not() -> None:
    tables = [table(1, "a", "b"), table(2, "a", "b"), table(3, "c")]
    mark = TableMark.from_table(tables[1], tables)
    assert (mark.place, mark.alike) == (2, 2)
    assert mark.find([table(1, "x", caption="New"), *(table(each.number + 1, *"ab") for each in tables[:2])]) == table(
        3, "a", "b"
    )
    assert mark.find([*tables, table(4, "a", "b")]) is None
    assert (
        mark.describe_mismatch([*tables, table(4, "a", "b")])
        == "3 tables look like it now, 2 did when it was corrected"
    )
    assert "no table has" in mark.describe_mismatch([table(1, "a", "b", caption="Another")])
    assert mark.describe_mismatch(tables) == ""


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    layout = Layout(tmp_path)

    def many(name: str) -> None:
        for number in range(20):
            corrections_file.correct(layout, entry(f"{name}/{number}"), {CorrectedField.COMPANY: name}, moment=MOMENT)

    threads = [threading.Thread(target=many, args=(name,)) for name in "abc"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(corrections_file.read(layout)) == 60


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not JSON", "holds no corrections"),
        ("[]", "holds no corrections"),
        ('{"version": 1}', "it has no 'corrections'"),
        ('{"version": 99, "corrections": []}', "newer program: install"),
        ('{"version": 1, "corrections": 3}', "is not a list"),
        ('{"version": 1, "corrections": [{"source": "a", "field": "colour", "value": "red"}]}', "0.field"),
        ('{"version": 1, "corrections": [{"source": "a", "field": "scale", "value": "ones"}]}', "names no table"),
        (
            '{"version": 1, "corrections": [{"source": "a", "field": "document_date", "value": "x"}]}',
            "correction 1: 'x'",
        ),
        ("source,value\na,b\n", "its columns must be source, sha256"),
    ],
)
def test_a_file_that_holds_none_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        corrections_file.parse_corrections(text, "taken.json")
    assert "\n" not in str(caught.value)
    assert caught.value.cure
    layout = Layout(tmp_path)
    if text.startswith(("{", "[")):
        layout.corrections.write_text(text)
        with pytest.raises(BadInput, match=said):
            corrections_file.read(layout)


def test_a_person_may_write_the_file_by_hand(tmp_path: Path) -> None:
    row = {"source": "docs/a.txt", "field": "fiscal_year_end", "value": "last Saturday in Sep"}
    (found,) = corrections_file.parse_corrections(json.dumps({"version": 1, "corrections": [row]}), "it")
    assert (found.value, found.sha256) == ("last Saturday of September", "")
    assert corrections_file.merge(Layout(tmp_path), [found]) == 1
    assert corrections_file.merge(Layout(tmp_path), [found]) == 0


def correction(source: str, field: CorrectedField, value: str, company: str = "", day: int = 1) -> Correction:
    return Correction(source, "", field, value, MOMENT.replace(day=day), company)


@pytest.mark.parametrize("step", [1, -1])
def test_a_year_end_holds_for_the_company_and_the_latest_counts(step: int) -> None:
    year_end = CorrectedField.FISCAL_YEAR_END
    rows = [
        correction("docs/a.txt", year_end, "06-30", "Amcor plc"),
        correction("docs/b.txt", year_end, "09-30", "Bolingbrook", day=2),
        correction("docs/b.txt", CorrectedField.COMPANY, "AMCOR"),
    ]
    said = KnownCorrections(rows[::step])
    assert said.select_corrections("docs/a.txt", "Amcor plc").fiscal_year_end == "06-30"
    assert said.select_corrections("docs/c.txt", "Amcor Inc.").fiscal_year_end == "09-30"
    assert said.select_corrections("docs/c.txt", "Bolingbrook").fiscal_year_end == ""
    assert said.select_corrections("docs/c.txt", "").fiscal_year_end == ""
