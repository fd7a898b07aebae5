"""Which date and title a document bears."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import permutations

import pytest

from tasks.document_date import choose_date, choose_title, find_date_disputes, find_name_claims, parse_name_interval
from warehouse.records import DateClaim, DateOrigin, Kind

TODAY = date(2026, 1, 1)


def chosen(claims: Sequence[DateClaim], name: str, kind: Kind = Kind.REPORT) -> DateClaim | None:
    """The date of a document that is read on 2026-01-01."""
    return choose_date(claims, name, kind, parse_name_interval(name), TODAY)


def test_trust_follows_the_order_of_origins() -> None:
    claims = [DateClaim(date(2001 + index, 1, 1), origin) for index, origin in enumerate(list(DateOrigin)[:3])]
    for order in permutations(claims):
        assert chosen(order, "2020-02-02.pdf") == claims[0]


def test_a_dateline_beats_the_properties() -> None:
    made, given = DateClaim(date(2023, 4, 21), DateOrigin.PROPERTIES), DateClaim(date(2023, 4, 25), DateOrigin.DATELINE)
    assert chosen([made, given], "PEPSICO_2023Q1.pdf") == given


def test_a_name_beats_the_text_and_nothing_is_no_date() -> None:
    text = DateClaim(date(2010, 1, 1), DateOrigin.TEXT)
    assert chosen([text], "2020-02-02.pdf") == DateClaim(date(2020, 2, 2), DateOrigin.FILE_NAME)
    year = str(text.date.year)
    assert chosen([text], f"annual-report-{year}.pdf") == text
    assert chosen([text], f"annual-report-{int(year) - 1}.pdf") == DateClaim(
        date(int(year) - 1, 12, 31), DateOrigin.FILE_NAME
    )
    assert chosen([text], "notes.pdf") == text
    assert chosen([], "notes.pdf") is None


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2023-05-05.md", "2023-05-05"),
        ("scan20230505.pdf", "2023-05-05"),
        ("202305051405 Heron colonies.md", "2023-05-05"),
        ("20230505T140511--heron-colonies__birds.md", "2023-05-05"),
        ("GMT20230505-140511_Recording.vtt", "2023-05-05"),
        ("walk_2023_05_05.txt", "2023-05-05"),
        ("2023050599.pdf", None),
        ("PEPSICO_2023_8K_dated-2023-05-05.pdf", "2023-05-05"),
        ("AMCOR_2023Q2_10Q.pdf", "2023-06-30"),
        ("Q4_2022 results.pdf", "2022-12-31"),
        ("report-2024-02.docx", "2024-02-29"),
        ("ACME_FY2022.pdf", "2022-12-31"),
        ("ADOBE_2022_10K.pdf", "2022-12-31"),
        ("invoice 12345678.pdf", None),
        ("notes.md", None),
        ("2023-02-30.md", None),
    ],
)
def test_dates_in_names(name: str, day: str | None) -> None:
    assert next((claim.date for claim in find_name_claims(name)), None) == (date.fromisoformat(day) if day else None)


def test_titles() -> None:
    assert choose_title("  A  title ", "x.pdf") == "A title"
    assert choose_title("", "annual_report-final.pdf") == "annual report final"
    assert choose_title("", "2023-05-05.md") == "2023-05-05"
    assert choose_title("", "___.md") == "___"
    assert choose_title("", "202305051405 Heron colonies.md") == "Heron colonies"
    assert choose_title("", "20230505T140511--heron-colonies__birds_canal.md") == "heron colonies"
    assert choose_title("", "Roof repair 1a2b3c4d5e6f47a8b9c0d1e2f3a4b5c6.md") == "Roof repair"
    assert choose_title("", "202305051405.md") == "202305051405"


FRONT = DateClaim(date(2024, 3, 1), DateOrigin.FRONT_MATTER)


def test_a_wild_disagreement_is_a_finding() -> None:
    (finding,) = find_date_disputes([FRONT], "minutes-2019-05-05.md", FRONT)
    assert (finding.code, finding.name, finding.severity) == ("DOC015", "disputed-date", "warning")
    assert finding.message == "2024-03-01 (front matter) is taken, but 2019-05-05 (file name)"


def test_each_source_disputes_once_with_its_nearest_claim() -> None:
    stamps = [DateClaim(date(year, 1, 1), DateOrigin.PUBLICATION) for year in (2010, 2012, 2011)]
    properties = DateClaim(date(2015, 1, 1), DateOrigin.PROPERTIES)
    found = [finding.message for finding in find_date_disputes([*stamps, properties, FRONT], "x.md", FRONT)]
    assert [message.split("but ")[1] for message in found] == [
        "2012-01-01 (publication date)",
        "2015-01-01 (document properties)",
    ]


def entries(*years: int) -> list[DateClaim]:
    return [DateClaim(date(year, 5, 1), DateOrigin.HEADING) for year in years]


def test_a_log_is_of_its_newest_entry_that_has_begun() -> None:
    assert chosen(entries(2019, 2025, 2027, 2021), "log.md", Kind.NOTE) == entries(2025)[0]
    assert chosen(entries(2027, 2026), "plans.md", Kind.NOTE) == entries(2026)[0]
    assert chosen(entries(2023, 2025, 2026), "log 2025.md", Kind.NOTE) == entries(2025)[0]


def test_entries_of_a_log_dispute_nothing() -> None:
    log = entries(2010, 2013, 2025)
    for claim in (FRONT, log[-1], DateClaim(date(2025, 10, 14), DateOrigin.NOTE_NAME)):
        assert find_date_disputes([*log, FRONT], "log 2010.md" if claim in log else "log.md", claim) == ()
    assert len(find_date_disputes([*entries(2010), FRONT], "x.md", FRONT)) == 1


def test_a_note_is_not_dated_by_its_text() -> None:
    text = DateClaim(date(1998, 5, 4), DateOrigin.TEXT)
    assert chosen([text], "Tom Baker.md", Kind.NOTE) is chosen([text], "Lesson.txt", Kind.COURSE) is None
    assert chosen([text], "minutes.txt", Kind.TEXT) == text
    assert find_date_disputes([text], "Tom Baker.md", None) == ()


def test_a_note_whose_name_is_a_date_is_of_that_day_whatever_it_holds() -> None:
    day = date(2025, 10, 14)
    for name in ("2025-10-14.md", "2025-10-14 - Tuesday.md", "Tuesday, October 14, 2025.md", "2025_10_14.md"):
        assert chosen([FRONT, *entries(2019)], name, Kind.NOTE) == DateClaim(day, DateOrigin.NOTE_NAME)
        assert chosen([FRONT], name, Kind.REPORT) == FRONT
    assert chosen(entries(2019), "2025-W43.md", Kind.NOTE) == DateClaim(date(2025, 10, 20), DateOrigin.NOTE_NAME)
    assert chosen([], "9999-10-14.md", Kind.NOTE) is None


def test_a_day_in_a_name_beats_a_heading() -> None:
    claim = chosen(entries(2019), "2025-10-14 Meeting with Tom.md", Kind.NOTE)
    assert claim == DateClaim(date(2025, 10, 14), DateOrigin.FILE_NAME)


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ([DateClaim(date(2022, 4, 1), DateOrigin.PROPERTIES)], "notes.md"),  # under two years
        ([DateClaim(date(1994, 12, 13), DateOrigin.TEXT)], "notes.md"),  # a text may speak of any time
        ([DateClaim(date(2019, 1, 1), DateOrigin.FRONT_MATTER)], "notes.md"),  # of one source the first counts
        ([], "Agenda 2030.md"),
        ([DateClaim(date(2013, 12, 23), DateOrigin.PROPERTIES)], "memo.docx"),
        ([DateClaim(date(2018, 1, 1), DateOrigin.HEADING), DateClaim(date(2024, 1, 1), DateOrigin.HEADING)], "log.md"),
    ],
)
def test_no_dispute(claims: list[DateClaim], name: str) -> None:
    assert find_date_disputes([FRONT, *claims], name, FRONT) == ()


def test_a_day_in_the_name_after_the_date_disputes_it() -> None:
    assert len(find_date_disputes([FRONT], "2030-06-01.md", FRONT)) == 1


@pytest.mark.parametrize(
    "claim",
    [
        DateClaim(date(1, 1, 1), DateOrigin.FRONT_MATTER),
        DateClaim(date(2204, 5, 1), DateOrigin.HEADING),
        DateClaim(date(1904, 1, 1), DateOrigin.PROPERTIES),
        DateClaim(date(1970, 1, 1), DateOrigin.PROPERTIES),
        DateClaim(date(1969, 12, 31), DateOrigin.PROPERTIES),
        DateClaim(date(2000, 1, 1), DateOrigin.PROPERTIES),
    ],
)
def test_impossible_claims_lose_trust(claim: DateClaim) -> None:
    text = DateClaim(date(2023, 7, 7), DateOrigin.TEXT)
    assert chosen([claim, text], "notes.md") == text
    assert chosen([claim], "notes.md") is None


def test_what_was_set_aside_is_named() -> None:
    claims = [DateClaim(date(1, 1, 1), DateOrigin.FRONT_MATTER), DateClaim(date(2023, 7, 7), DateOrigin.HEADING)]
    claim = chosen(claims, "notes.md")
    (finding,) = find_date_disputes(claims, "notes.md", claim)
    assert finding.message == (
        "2023-07-07 (date heading) is taken, since 0001-01-01 (front matter), which cannot be its own"
    )


@pytest.mark.parametrize("day", [date(1789, 7, 14), date(1970, 1, 1), date(2027, 12, 1)])
def test_old_and_near_dates_are_believed(day: date) -> None:
    claim = DateClaim(day, DateOrigin.FRONT_MATTER)
    assert chosen([claim], "notes.md") == claim


@pytest.mark.parametrize("origin", [DateOrigin.TEXT, DateOrigin.PROPERTIES])
def test_a_day_to_come_dates_nothing_that_was_written(origin: DateOrigin) -> None:
    assert chosen([DateClaim(date(2026, 7, 1), origin)], "games.md") is None
    assert chosen([DateClaim(date(2026, 1, 2), origin)], "games.md") is not None  # it may be tomorrow


@pytest.mark.parametrize(("name", "day"), [("Agenda 2027.md", None), ("Minutes 2026.md", date(2026, 12, 31))])
def test_a_year_to_come_in_a_name_is_a_subject(name: str, day: date | None) -> None:
    claim = chosen([], name)
    assert (claim.date if claim else None) == day


def test_a_document_whose_only_date_cannot_be_its_own_is_undated_and_says_so() -> None:
    claim = DateClaim(date(2204, 5, 1), DateOrigin.FRONT_MATTER)
    assert chosen([claim], "notes.md") is None
    (finding,) = find_date_disputes([claim], "notes.md", None)
    assert finding.message == "the document is undated: 2204-05-01 (front matter) cannot be its own"
    assert find_date_disputes([], "Agenda 2030.md", None) == ()


@pytest.mark.parametrize(
    ("kind", "name", "origin"),
    [
        (Kind.NOTE, "2021-03.md", DateOrigin.NOTE_NAME),
        (Kind.TEXT, "2021-03-12.log", DateOrigin.NOTE_NAME),
        (Kind.TEXT, "2021-W10.txt", DateOrigin.NOTE_NAME),
        (Kind.TEXT, "2021-03.csv", DateOrigin.FILE_NAME),
        (Kind.REPORT, "2021-03-12.pdf", DateOrigin.FILE_NAME),
    ],
)
def test_texts_are_of_the_day_or_week_that_is_their_name(kind: Kind, name: str, origin: DateOrigin) -> None:
    claim = chosen([], name, kind)
    assert claim
    assert claim.origin is origin


@pytest.mark.parametrize(
    ("folder", "day"),
    [
        ("2021-03-12 14.05.11 Team Weekly 91234567890", date(2021, 3, 12)),
        ("20210312 Team", date(2021, 3, 12)),
        ("2021", None),
        ("Team Weekly", None),
    ],
)
def test_a_folder_may_say_the_day_where_nothing_else_does(folder: str, day: date | None) -> None:
    claim = choose_date([], "chat.txt", Kind.TEXT, None, TODAY, folder)
    assert (claim and claim.date) == day
    other = DateClaim(date(2020, 1, 1), DateOrigin.TEXT)
    assert choose_date([other], "chat.txt", Kind.TEXT, None, TODAY, folder) == other
