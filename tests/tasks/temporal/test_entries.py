"""Entries of diaries: which stretch of a note is of which days, and that no passage lies in two of them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import CHUNKERS
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as, read
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.entries import find_entries, parse_planned_date, parse_task_day
from tests.tasks.documents import Draft
from warehouse.records import Chunk, DateClaim, DateOrigin, Document, Kind

DAY = timedelta(days=1)
FORMS = {
    "heading": lambda day: f"## {day.isoformat()}\n\n",
    "weekday": lambda day: f"### {day:%A}, {day.day} {day:%B %Y}\n\n",
    "chinese": lambda day: f"## {day.year}年{day.month}月{day.day}日\n\n",
    "line": lambda day: f"**{day:%Y-%m-%d}:** ",
    "alone": lambda day: f"{day.isoformat()}\n",
}
"""How an entry is headed."""


def note(text: str) -> Document:
    return parse_as("markdown", Raw("diary.md", text.encode()))


def passages(document: Document, chunker: str = "dated", claim: DateClaim | None = None) -> tuple[Chunk, ...]:
    return make_chunks(
        document, document_id="d", title="Diary", source="diary.md", date_claim=claim,
        mentions=find_mentions(document, claim.date if claim else None), entities=(), chunker=CHUNKERS[chunker],
    )  # fmt: skip


def day_of(document: Document, words: str, claim: DateClaim | None = None) -> tuple[date | None, DateOrigin | None]:
    (found,) = [chunk for chunk in passages(document, claim=claim) if words in chunk.text]
    return found.passage_date, found.passage_date_origin


@pytest.mark.parametrize("heading", ["", "## "])
@pytest.mark.parametrize(
    ("heads", "days"),
    [
        (("Friday 1 January 2021", "Saturday 2 January", "Sun 14 Feb"), ("2021-01-01", "2021-01-02", "2021-02-14")),
        (("May 3rd, 2018", "May 4th", "June 1st"), ("2018-05-03", "2018-05-04", "2018-06-01")),
        (("30. Dezember 2019", "31. Dezember", "2. Januar"), ("2019-12-30", "2019-12-31", "2020-01-02")),
        (("3 March 2022", "Wed, 2 March", "Mon, 28 February"), ("2022-03-03", "2022-03-02", "2022-02-28")),
    ],
)
def test_days_without_a_year_are_of_the_nearest(heading: str, heads: tuple[str, ...], days: tuple[str, ...]) -> None:
    document = note("".join(f"{heading}{head}\n\nEntry {n} tells of a walk.\n\n" for n, head in enumerate(heads)))
    found = [day_of(document, f"Entry {n}")[0] for n in range(3)]
    assert [str(day) for day in found] == list(days)


@pytest.mark.parametrize(
    "words",
    [
        *(
            "Timetable, valid from",
            "Price list (effective",
            "Essay, due by",
            "Deadline:",
            "Last updated:",
            "Course starts",
        ),
        *("Opening hours from", "Fahrplan, gültig ab", "Öffnungszeiten ab", "Abgabe:", "Aktualisiert am"),
        *("Horaires en vigueur au", "Mis à jour le", "Date limite :", "Horario válido desde el", "Fecha límite:"),
        *("In vigore dal", "Scadenza", "Em vigor a partir de", "Geldig vanaf", "时刻表更新：", "ダイヤ改正"),
    ],
)
def test_a_heading_that_says_from_when_or_until_when_dates_no_entry(words: str) -> None:
    document = note(f"# Harbour\n\n## {words} 2026-09-04\n\nThe first boat leaves at 6:05.\n")
    assert day_of(document, "The first boat")[0] is None


@pytest.mark.parametrize(
    "words",
    [
        "Notes from",
        "Meeting with Bob,",
        "Updated plan,",
        "Protokoll vom",
        "Réunion du",
        "Reunión del",
        "Released",
        "会议",
    ],
)
def test_a_heading_that_ends_with_the_day_of_an_entry_dates_it(words: str) -> None:
    document = note(f"# Harbour\n\n## {words} 2026-09-04\n\nThe first boat leaves at 6:05.\n")
    assert day_of(document, "The first boat")[0] == date(2026, 9, 4)


@pytest.mark.parametrize("line", ["May 4 people came", "3/4: cup of flour", "Sat 5 exams", "Monday"])
def test_lines_that_name_no_day_begin_no_entry(line: str) -> None:
    document = note(f"May 3rd, 2018\n\nThe cat came home.\n\n{line}\n\nThe dog left.\n")
    assert day_of(document, "The dog left")[0] == date(2018, 5, 3)


@pytest.mark.parametrize("chunker", [name for name in CHUNKERS if name != "semantic"])  # That one loads a model.
@given(
    form=st.sampled_from(sorted(FORMS)),
    days=st.lists(st.dates(date(1950, 1, 1), date(2049, 12, 28)), min_size=2, max_size=6, unique=True).map(sorted),
    preface=st.sampled_from(["", "# Diary\n\n", "# Diary\n\nKeep it dry.\n\n", "---\ntags: [daily]\n---\n"]),
)
def test_each_passage_is_of_the_entry_that_holds_it(chunker: str, form: str, days: list[date], preface: str) -> None:
    body = "".join(f"{FORMS[form](day)}Entry {number} tells of a quiet walk.\n\n" for number, day in enumerate(days))
    document = note(preface + body)
    found = passages(document, chunker)
    for number, day in enumerate(days):
        (chunk,) = [each for each in found if f"Entry {number} tells" in each.text]
        assert (chunk.passage_date, chunk.passage_end) == (day, day + DAY)
        assert sum(f"Entry {other} tells" in chunk.text for other in range(len(days))) == 1


CHANGES = {
    "closing": lambda number, day, words: f"Version 1.{number} ({day:%d %b %Y})\n\n- {words}\n\n",
    "iso": lambda number, day, words: f"{{{{{{ 1.{number} {day}\n\n:: fixes\n\n- {words}\n\n",
    "label": lambda number, day, words: (
        f"What is new in 1.{number}\n=================\n\n*Release date: {day}*\n\nLibrary\n-------\n\n- {words}\n\n"
    ),
    "debian": lambda number, day, words: (
        f"kalends (1.{number}-1) unstable; urgency=medium\n\n  * {words}\n\n"
        f" -- Ann Lee <ann@example.org>  {day:%a, %d %b %Y} 16:11:37 +0200\n\n"
    ),
    "git": lambda number, day, words: (
        f"commit {number:040x}\nAuthor: Ann Lee <ann@example.org>\nDate:   {day:%a %b} {day.day} 16:56:56 {day.year} "
        f"+0000\n\n    {words}\n\n"
    ),
}
"""How an entry of a list of changes is written."""


@given(
    form=st.sampled_from(sorted(CHANGES)),
    days=st.lists(st.dates(date(1950, 1, 1), date(2049, 12, 28)), min_size=2, max_size=5, unique=True),
)
def test_each_entry_of_a_list_of_changes_is_of_its_day(form: str, days: list[date]) -> None:
    text = "".join(CHANGES[form](n, day, f"Entry {n} mends a leak.") for n, day in enumerate(days, 1))
    found = passages(parse_as("text", Raw("ChangeLog", text.encode())))
    for number, day in enumerate(days, 1):
        (chunk,) = [each for each in found if f"Entry {number} mends" in each.text]
        assert (chunk.passage_date, chunk.passage_end) == (day, day + DAY)


def test_a_line_below_a_heading_dates_its_section() -> None:
    board = "## Board\n\nDate: 3 May 2021\n\n### Budget\n\nIt was agreed.\n\n"
    document = note(f"# Minutes\n\n{board}## Staff\n\nDue date: 9 May 2021\n")
    assert day_of(document, "agreed") == (date(2021, 5, 3), DateOrigin.HEADING)
    assert day_of(document, "Due date") == (None, None)


def test_a_report_of_two_days_in_capitals_has_no_entries() -> None:
    heads = ("BALANCE SHEET AS OF DECEMBER 31, 2022", "BALANCE SHEET AS OF DECEMBER 31, 2021")
    document = parse_as("text", Raw("report.txt", "\n\n".join(f"{head}\n\nCash was 5." for head in heads).encode()))
    assert find_entries(document) == ()


@pytest.mark.parametrize(
    ("head", "first", "last"),
    [
        ("## 2025-W43", date(2025, 10, 20), date(2025, 10, 26)),
        ("## October 2025", date(2025, 10, 1), date(2025, 10, 31)),
        ("## 2025-10-14 - Tuesday", date(2025, 10, 14), date(2025, 10, 14)),
        ("## Call with Tom, 14 Oct 2025", date(2025, 10, 14), date(2025, 10, 14)),
    ],
)
def test_a_heading_dates_what_stands_below_it(head: str, first: date, last: date) -> None:
    (chunk,) = passages(note(f"{head}\n\nQuiet.\n"))
    assert (chunk.passage_date, chunk.passage_end) == (first, last + DAY)
    assert chunk.passage_date_origin is DateOrigin.HEADING


def test_the_innermost_date_counts_and_what_lies_below_inherits_it() -> None:
    head = "# 2025\n\n## October 2025\n\nPlans.\n\n### 2025-10-14\n\nWalked.\n\n"
    document = note(f"{head}#### Evening\n\nRead.\n\n## November 2025\n\nRain.\n")
    assert day_of(document, "Plans") == (date(2025, 10, 1), DateOrigin.HEADING)
    assert day_of(document, "Walked")[0] == day_of(document, "Read")[0] == date(2025, 10, 14)
    assert day_of(document, "Rain")[0] == date(2025, 11, 1)


def test_a_note_is_of_the_day_of_its_name_and_not_of_plans_in_it() -> None:
    claim = DateClaim(date(2025, 10, 14), DateOrigin.FILE_NAME)
    document = note("Walked.\n\n- 2025-11-20: renew the passport\n")
    assert {chunk.passage_date for chunk in passages(document, claim=claim)} == {claim.date}
    assert day_of(note("Met Tom.\n"), "Met", claim) == (claim.date, DateOrigin.FILE_NAME)


@pytest.mark.parametrize("origin", [DateOrigin.TEXT, DateOrigin.PROPERTIES, DateOrigin.HEADING])
def test_a_note_without_a_day_of_its_own_has_no_entry(origin: DateOrigin) -> None:
    assert find_entries(note("The line opened on 4 May 1998.\n"), DateClaim(date(1998, 5, 4), origin)) == ()


def test_a_task_of_org_mode_is_of_the_day_that_its_planning_says() -> None:
    text = "* Chores\n** TODO Pay the bill\n   DEADLINE: <2024-03-20 Wed>\n"
    text += "* 2024-03-01\n** TODO Call\n   SCHEDULED: <2024-04-02 Tue>\n"
    document = parse_as("org", Raw("a.org", text.encode()))
    days = {
        document.text[entry.start :].split("\n")[0]: entry.days and entry.days[0] for entry in find_entries(document)
    }
    # What is planned in an entry of a day is told on that day.
    assert days == {"Chores": date(2024, 3, 20), "2024-03-01": date(2024, 3, 1)}


def test_relative_times_count_from_their_entry() -> None:
    document = note("## 2025-10-14\n\nYesterday it rained.\n\n## 2025-12-02\n\nYesterday it snowed.\n")
    found = {each.start_date for each in find_mentions(document, date(2020, 1, 1)) if each.text.lower() == "yesterday"}
    assert found == {date(2025, 10, 13), date(2025, 12, 1)}


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("SCHEDULED: <2024-03-05 Tue 07:00 +1w>", 5),
        ("DEADLINE: <2024-03-20 Wed -3d>", 20),
        ("CLOSED: [2024-03-04 Mon 10:15] SCHEDULED: <2024-03-01 Fri>", 4),
        ("DEADLINE: <2024-03-20 Wed> SCHEDULED: <2024-03-18 Mon>", 18),
        ("DEADLINE: <2024-03-20 Wed> or so", None),
        ("DEADLINE: <soon, I hope so>", None),
    ],
)
def test_planning_lines_date_their_task(line: str, day: int | None) -> None:
    assert parse_planned_date(line) == (day and (date(2024, 3, day), date(2024, 3, day + 1)))


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("x 2024-03-01 2024-02-20 pay rent +home @bank due:2024-03-05", 1),
        ("(A) 2024-02-25 call the tax office due:2024-03-12", 12),
        ("(B) 2024-03-03 order new tyres", 3),
        ("buy a present for Leo due:2024-03-09 +family", 9),
        ("pay the rent, due: 2024-03-05", None),
        ("x marks the spot", None),
    ],
)
def test_lines_of_task_lists_are_of_the_day_they_were_done_or_are_due(line: str, day: int | None) -> None:
    assert parse_task_day(line) == (day and (date(2024, 3, day), date(2024, 3, day + 1)))


CHATS = {
    "WhatsApp of iOS": "[{d:%d/%m/%Y, %H:%M:%S}] Alice: {words}\n",
    "with marks of direction": "\u200e[{d:%d.%m.%y, %H:%M:%S}] Alice: \u200e{words}\n",
    "WhatsApp of Android": "{d:%d.%m.%y, %H:%M} - Alice: {words}\nand more of it\n",
    "with dashes": "{d:%d-%m-%Y %H:%M} - Alice: {words}\n",
    "p. m. of Mexico": "{d:%d/%m/%Y, 0%-I:%M}\u202fp.\xa0m. - Alice: {words}\n",
    "hours with à": "{d:%d/%m/%Y} à {d:%H:%M} - alice: {words}\n",
    "LINE of Japan": "{d:%Y/%m/%d}(金)\n14:05\tAlice\t{words}\n\n",
    "am and pm": "[{d:%d/%m/%Y, %I:%M:%S\u202f%p}] Alice: {words}\n",
    "Telegram": "Alice, [{d:%d.%m.%y %H:%M}]\n{words}\n\n",
    "sender first": "Alice [{d:%Y-%m-%d %H:%M}]: {words}\n",
    "iMessage": "{d:%b %d, %Y  %I:%M:%S %p} (Read after 5 seconds)\nAlice\n{words}\n\n",
    "irssi": "--- Day changed {d:%a %b %d %Y}\n14:05 <alice> {words}\n14:06 <bob> yes\n",
    "KakaoTalk": "--------------- {d:%A, %B %d, %Y} ---------------\n[Alice] [2:05 PM] {words}\n",
    "LINE": "{d:%Y/%m/%d(%a)}\n14:05\tAlice\t{words}\n\n",
    "Day One": "\tDate:\t{d:%B %d, %Y at %I:%M:%S %p} GMT+1\n\tWeather:\tcloudy\n\n{words}\n\nA second paragraph.\n\n",
    "messages": "From: Alice\nType: incoming\nSent: {d:%a, %d %b %Y %H:%M:%S} +0100\n\n{words}\n\n",
    "mails one above the other": (
        "-----Original Message-----\nFrom: Ann\nSent: {d:%A, %B %d, %Y %H:%M}\nTo: Bob\n\n{words}\n\n"
    ),
    "jrnl": "[{d:%Y-%m-%d %H:%M}] {words}\n\nA second paragraph.\n\n",
}
"""How exports of chats and diaries say the day of what follows."""


@pytest.mark.parametrize("form", CHATS)
def test_each_message_of_an_export_is_of_its_day(form: str) -> None:
    moments = [datetime(2021, 3, 12, 14, 5, 11), datetime(2021, 3, 12, 18, 0), datetime(2021, 3, 13, 9, 0)]  # noqa: DTZ001
    words = ["The pump is broken again.", "Still waiting for him.", "It works now."]
    text = "".join(CHATS[form].format(d=moment, words=said) for moment, said in zip(moments, words, strict=True))
    document = with_times(read(Raw("chat.txt", text.encode())))
    found = passages(document)
    for moment, said in zip(moments, words, strict=True):
        (chunk,) = [each for each in found if said in each.text]
        assert chunk.passage_date == moment.date()


@given(days=st.lists(st.dates(date(2020, 1, 1), date(2021, 12, 28)), min_size=2, max_size=9, unique=True).map(sorted))
def test_lines_in_order_of_time_settle_which_number_is_the_month(days: list[date]) -> None:
    text = "".join(f"{day.month}/{day.day}/{day:%y}, 2:05 PM - Ann: words of {day.isoformat()}\n" for day in days)
    document = with_times(parse_as("text", Raw("chat.txt", text.encode())))
    is_sure = any(day.day > 12 for day in days)
    if not is_sure:
        others = [date(day.year, day.day, day.month) for day in days]
        is_sure = others not in (sorted(others), sorted(others, reverse=True))
    starts = {entry.days[0] for entry in find_entries(document) if entry.days}
    assert not is_sure or starts == set(days)


def test_moments_of_one_day_make_a_log_of_it() -> None:
    text = "".join(f"[2021-03-12 14:0{number}] Alice: message {number}\n" for number in range(4))
    entry = find_entries(with_times(parse_as("text", Raw("chat.txt", text.encode()))))[-1]
    assert entry.days == (date(2021, 3, 12), date(2021, 3, 13))
    assert find_entries(parse_as("text", Raw("a.txt", b"2021-03-12 Report\n\nSales rose at 14:05.\n"))) == ()


def test_a_patch_and_a_rule_announce_no_days() -> None:
    text = "--- a/pump.c 2021-03-12 10:00:00\n+++ b/pump.c 2021-03-13 10:00:00\n\n----- see also 2021-03-14 and more\n"
    assert find_entries(parse_as("text", Raw("a.txt", text.encode()))) == ()


@pytest.mark.parametrize(
    ("text", "name_days"),
    [
        ("# March 2021\n\n## Fri 12\n\nWent swimming.\n", None),
        ("# Journal 2021\n\n## March\n\n### 12.\n\nWent swimming.\n", None),
        ("## 12 Friday\n\nWent swimming.\n", (date(2021, 3, 1), date(2021, 4, 1))),
        ("## March 12: at the canal\n\nWent swimming.\n", (date(2021, 1, 1), date(2022, 1, 1))),
        ("## Friday\n\nWent swimming.\n", (date(2021, 3, 8), date(2021, 3, 15))),
    ],
)
def test_headings_say_a_part_of_their_day(text: str, name_days: tuple[date, date] | None) -> None:
    claim = DateClaim(name_days[0], DateOrigin.NOTE_NAME) if name_days else None
    document = note(text)
    place = document.text.index("Went swimming")
    found = [entry for entry in find_entries(document, claim, name_days) if entry.start <= place]
    assert found[-1].days == (date(2021, 3, 12), date(2021, 3, 13))


@pytest.mark.parametrize("line", ["Friday 12", "12 March", "Fri 12.", "**Friday, 12**"])
def test_lines_below_a_month_say_a_part_of_their_day(line: str) -> None:
    for head in ("# March 2021", "March 2021"):
        document = note(f"{head}\n\n{line}\n\nWent swimming.\n\nA long line that names Friday 12, and more than it.\n")
        found = find_entries(document)
        assert found[-1].days == (date(2021, 3, 12), date(2021, 3, 13))
    assert not any(entry.days for entry in find_entries(note(f"Notes\n\n{line}\n\nWent swimming.\n")))


def test_a_text_that_is_named_by_its_day_is_of_it() -> None:
    text, days = (
        parse_as("text", Raw("a.log", b"[14:05] <ann> the pump is broken\n")),
        (date(2021, 3, 12), date(2021, 3, 13)),
    )
    (entry,) = find_entries(text, DateClaim(days[0], DateOrigin.NOTE_NAME), days)
    assert entry.days == days
    assert find_entries(text, DateClaim(days[0], DateOrigin.FILE_NAME)) == ()


def test_a_day_in_the_words_of_a_message_begins_no_entry() -> None:
    messages = "".join(f"[1{number}/03/2021, 14:05:11] Alice: hello {number}\n" for number in range(3, 7))
    plan = "13.05.2021: dentist\n2021-06-01 Berlin\n"
    text = f"[13/03/2021, 08:00:00] Bob: the plan\n{plan}{messages}{plan}[18/03/2021, 09:00:00] Bob: fine\n"
    document = with_times(parse_as("text", Raw("chat.txt", text.encode())))
    assert [entry.days[0].day for entry in find_entries(document) if entry.days] == [13, 14, 15, 16, 18]


@pytest.mark.parametrize(
    "line", ["[14:05:11] <ann> hello", "14:05:11 From Ann to Everyone:\n\thello", "2:05 PM Ann: hello"]
)
def test_lines_of_hours_alone_are_of_the_day_of_their_file(line: str) -> None:
    day = date(2021, 3, 12)
    document = parse_as("text", Raw("a.log", f"{line} 1\n{line} 2\n{line} 3\n".encode()))
    (entry,) = find_entries(document, DateClaim(day, DateOrigin.FILE_NAME))
    assert entry.days == (day, day + DAY)
    assert find_entries(document) == ()


@pytest.mark.parametrize(
    ("title", "lines", "language"),
    [
        ("Diary, May 2024", ("Sunday 12 May", "Tuesday 14 May"), "en"),
        ("Tagebuch Mai 2024", ("Sonntag, 12. Mai", "Dienstag, 14. Mai"), "de"),
    ],
)
@pytest.mark.parametrize("kind", [Kind.TEXT, Kind.NOTE])
def test_a_diary_that_names_its_month_once_has_the_days_of_its_lines(
    title: str, lines: tuple[str, str], language: str, kind: Kind
) -> None:
    draft = Draft(language=language, kind=kind).paragraph(title)
    for line in lines:
        draft.paragraph(f"{line}\nRain, and a walk along the canal in the evening.")
    days = [date(2024, 5, 12), date(2024, 5, 14)]
    assert [entry.days[0] for entry in find_entries(draft.document()) if entry.days] == days
