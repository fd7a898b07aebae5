"""The place and day at the head of a letter, in the languages and spellings that letters come in."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.document_date import choose_date
from tasks.parsers.document_head import find_datelines, parse_issue_date, parse_title_date
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.temporal.document import with_times
from tests.tasks.parsers import raw_docx, raw_office
from tests.tasks.parsers.drawn_pdf import Drawing
from warehouse.records import DateOrigin

HEADS = {
    date(2024, 3, 22): """Rosenheim, 22. März 2024|Rosenheim, den 22. März 2024|Rosenheim, den 22.03.2024|
        Wien, am 22. März 2024|Bad Homburg v. d. Höhe, 22. März 2024|Frankfurt/Main, 22. März 2024|
        Frankfurt am Main, 22. März 2024|Leer (Ostfriesland), 22. März 2024|Castrop-Rauxel, 22. März 2024|
        Köln, Freitag, 22. März 2024|ROSENHEIM, 22. MÄRZ 2024""",
    date(2021, 5, 3): """Paris, le 3 mai 2021|Fait à Paris, le 3 mai 2021|Fait à Lyon le 3 mai 2021|
        À Paris, le 3 mai 2021|Saint-Étienne, le 3 mai 2021|Aix-en-Provence, le 3 mai 2021|Paris, lundi 3 mai 2021""",
    date(2020, 6, 4): """Madrid, 4 de junio de 2020|Madrid, a 4 de junio de 2020|En Madrid, a 4 de junio de 2020|
        Ciudad de México, a 4 de junio de 2020|México, D.F., a 4 de junio de 2020|Córdoba, 4 de junio de 2020""",
    date(2019, 3, 7): """São Paulo, 7 de março de 2019|São Paulo - SP, 7 de março de 2019|
        Rio de Janeiro, 7 de março de 2019|Lisboa, aos 7 de março de 2019""",
    date(2018, 6, 5): """Milano, 5 giugno 2018|Milano, lì 5 giugno 2018|L'Aquila, 5 giugno 2018|Den Haag, 5 juni 2018|
        's-Gravenhage, 5 juni 2018|Stockholm den 5 juni 2018|København, den 5. juni 2018|London, 5 June 2018|
        New York, June 5, 2018|New York, NY – June 5, 2018|Singapore, 5 June 2018.""",
}
CASES = [(day, line.strip()) for day, lines in HEADS.items() for line in lines.split("|")]


@pytest.mark.parametrize(("day", "line"), CASES)
@pytest.mark.parametrize("below", ["", "\nAn die Stadtwerke"], ids=["alone", "with the next line"])
def test_a_place_and_a_day_date_a_letter(day: date, line: str, below: str) -> None:
    (claim,) = find_datelines([line + below])
    assert (claim.date, claim.origin) == (day, DateOrigin.DATELINE)


BESIDE = ["Kiel, 9. Mai 2022", "Laboe, den 9. Mai 2022", "Nantes, le 9 mai 2022", "Lübeck, 09.05.2022"]


@pytest.mark.parametrize("line", BESIDE)
@pytest.mark.parametrize("gap", ["\t", "   ", "  \t "])
def test_a_place_and_a_day_beside_other_words_date_a_letter(line: str, gap: str) -> None:
    days = [date(2022, 5, 9)]
    assert [claim.date for claim in find_datelines([f"Unser Zeichen: AB-17/22{gap}{line}"])] == days
    assert [claim.date for claim in find_datelines([f"{line}{gap}Seite 1 von 1\nAn die Stadtwerke"])] == days


@pytest.mark.parametrize("line", BESIDE)
def test_a_place_and_a_day_on_the_right_of_a_page_date_a_letter(line: str) -> None:
    text = [(60, 60, "Stadtwerke Kiel AG"), (60, 100, "Unser Zeichen: AB-17/22"), (-540, 100, line)]
    assert Drawing().page([*text, (60, 160, "Der Vertrag endet zum Jahresende.")]).read().dates[0].date == date(
        2022, 5, 9
    )


def test_places_and_days_side_by_side_date_nothing() -> None:
    places = (60, 100, "Kiel, 9. Mai 2022"), (-540, 100, "Lübeck, 12. Mai 2022")
    events = (60, 130, "Anreise"), (-540, 130, "9. Mai 2022")
    for pieces in (places, events):
        words = [words for _, _, words in pieces]
        assert not find_datelines(["\t".join(words)])
        claims = Drawing().page([(60, 60, "Die Reise des Chors"), *pieces]).read().dates
        assert all(claim.origin is not DateOrigin.DATELINE for claim in claims)


@pytest.mark.parametrize(
    "lines",
    [
        ("Meeting held on Tuesday 14 January 2025, 19:30, village hall",),
        ("Minutes of the committee meeting on 14 January 2025",),
        ("Held on Tuesday 14 January 2025 in the village hall",),
        ("Last updated: 14 January 2025",),
        ("**Last updated:** 2025-01-14", "Next review: 2026-01-14"),
        ("Zuletzt aktualisiert am: 14.01.2025",),
        ("Dernière mise à jour : 14 janvier 2025",),
        ("Last updated: 3 March 2025", "Date: 14 January 2025"),
    ],
)
def test_minutes_and_pages_are_of_the_day_that_they_name(lines: tuple[str, ...]) -> None:
    assert [claim.date for claim in find_datelines(lines)] == [date(2025, 1, 14)]


@pytest.mark.parametrize(
    "paragraph",
    [
        "The next session was not held on a day of 2025.",
        "Updated rules apply from 5 June 2018",
        "Geboren in Rosenheim, 22. März 1964, wohnt sie heute in Wien.",
        "Gültig bis 22. März 2024",
        "Stand: 22. März 2024, Änderungen vorbehalten",
        "Paris, le 3 mai 2021, il a dit que tout irait bien.",
        "Battle of Leipzig, 18 October 1813",
        "Balance, 5 June 2018",
        "Last updated, 5 June 2018",
        "Berlin, 22. März 2024\nHamburg, 23. März 2024",
        "the Netherlands, 5 June 2018",
        "A-" * 60,
        "A a. " * 15 + "1",
    ],
)
def test_other_places_and_days_date_nothing(paragraph: str) -> None:
    assert find_datelines([paragraph]) == []


@pytest.mark.parametrize(
    ("paragraph", "day"),
    [
        ("THIS LEASE is made on 14 February 2023 between A Ltd, founded on 3 June 1998, and B.", date(2023, 2, 14)),
        (
            'This Master Services Agreement ("Agreement"), dated as of September 5, 2022, is entered into',
            date(2022, 9, 5),
        ),
        ("THIS DEED OF GUARANTEE is made and entered into this 3rd day of May, 2021, by A.", date(2021, 5, 3)),
        ("This Tenancy Agreement between A\nand B, executed as of the 1st day of\nJuly 2020.", date(2020, 7, 1)),
        ("AMENDMENT NO. 2 dated 3 May 2021 to the Agreement dated 2 June 2015", date(2021, 5, 3)),
        ("Geschlossen am 7. Juni 2023 zwischen Herrn A und Frau B.", date(2023, 6, 7)),
        ("Conclu le 3 mai 2021 entre A et B", date(2021, 5, 3)),
        ("Fait à Lyon, le 20 octobre 2021, en deux exemplaires.", date(2021, 10, 20)),
        ("En Madrid, a 4 de junio de 2020, en dos ejemplares", date(2020, 6, 4)),
    ],
)
def test_a_contract_is_of_the_day_on_which_it_is_made(paragraph: str, day: date) -> None:
    assert [claim.date for claim in find_datelines(["Contract", paragraph])] == [day]


@pytest.mark.parametrize(
    "paragraph",
    [
        "This agreement was signed on 3 May 1950.",
        "They met, and the lease made on 3 May 1950 was found.",
        "The museum is closed; sie bleibt geschlossen am 3. Mai 2021.",
        "This plan will be made. On 3 May 2021 it starts.",
        "This contract will be made in 2021",
    ],
)
def test_what_is_told_of_contracts_dates_nothing(paragraph: str) -> None:
    assert find_datelines([paragraph]) == []


def test_a_contract_is_of_the_day_on_which_it_is_signed_at_its_end() -> None:
    clauses = "\n\n".join(
        f"§ {number} Der Mieter zahlt jeden Monat die Miete an den Vermieter." for number in range(40)
    )
    text = f"Mietvertrag\n\nDas Haus von A, geboren am 12.05.1961.\n\n{clauses}\n\nKöln, den 15.03.2021\n\nA      B\n"
    assert find_date(Raw("a.txt", text.encode())) == date(2021, 3, 15)
    assert find_date(Raw("a.txt", f"Bonn, den 2. März 2020\n\n{text}".encode())) == date(2020, 3, 2)


def find_date(raw: Raw) -> date | None:
    document = with_times(read(raw))
    claim = choose_date(document.dates, raw.name, document.kind)
    return claim and claim.date


LETTER = (
    "Stadtwerke Rosenheim",
    "Rosenheim, 22. März 2024",
    "Ihr Schreiben vom 4. Februar 2024",
    "Sehr geehrte Frau Rey,",
)
PROSE = (
    "wir danken für Ihr Schreiben und werden die Leitung noch in diesem Jahr erneuern. Am 3. Mai 2025 wird sie geprüft."
)


@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.docx", "a.pdf"])
def test_a_letter_is_of_the_day_at_its_head(name: str) -> None:
    words = [*LETTER, PROSE]
    data = {
        "a.txt": "\n\n".join(words).encode(),
        "a.html": "".join(f"<p>{each}</p>" for each in words).encode(),
        "a.docx": raw_docx.package("".join(map(raw_docx.p, words))),
        "a.pdf": Drawing().page([(72, 72 + 40 * number, each) for number, each in enumerate(words)], size=8).data(),
    }
    assert find_date(Raw(name, data[name])) == date(2024, 3, 22)


LABELLED = {
    "in a line": ("ACME Ltd", "Bill date: 3 May 2024", "Due date: 24 May 2024"),
    "of a letter": ("County Council", "Date of letter: 3 May 2024", "Our ref: 12"),
    "behind another column": ("ACME Ltd   Invoice date: 03.05.2024", "Town   Due date: 24.05.2024"),
    "before another label": ("Quotation", "Quote date: 3 May 2024  Valid until: 24 May 2024"),
    "of a meeting in French": ("PROCÈS-VERBAL", "Date de la réunion : 3 mai 2024", "Lieu : Lyon"),
    "of a meeting in Dutch": ("Notulen", "Datum vergadering: 3 mei 2024", "Plaats: Delft"),
    "of a meeting in German": ("Protokoll", "Datum der Sitzung: 3. Mai 2024", "Ort: Kassel"),
    "in Danish": ("Referat", "Dato: 03.05.2024", "Sted: Odense"),
    "of a wiki's page": ("Backup policy", "Created by Dana Fox, last modified by Ann Roe on May 03, 2024", "Scope"),
    "of an order": ("ACME Ltd", "Order date: 3 May 2024", "Delivery date: 24 May 2024"),
    "of a print": ("Ward 3", "Printed: 03/05/2024 09:12", "Admitted: 01/05/2024"),
    "of a state": ("Fund report", "As of: 3 May 2024", "Next report: 24 May 2024"),
    "of a French order": ("Librairie", "Date de commande : 3 mai 2024", "Livraison : 24 mai 2024"),
    "in German": ("Stadtwerke", "Rechnungsdatum: 03.05.2024", "Fällig am: 24.05.2024"),
}


@pytest.mark.parametrize("lines", LABELLED.values(), ids=LABELLED)
@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.docx", "a.pdf", "a.xlsx"])
def test_a_labelled_day_dates_a_document_before_its_file_does(name: str, lines: tuple[str, ...]) -> None:
    data = {
        "a.txt": "\n".join(lines).encode(),
        "a.html": f"<p>{'<br>'.join(lines)}</p>".encode(),
        "a.docx": raw_docx.package("".join(map(raw_docx.p, lines))),
        "a.pdf": Drawing().page([(72, 72 + 14 * number, each) for number, each in enumerate(lines)], size=8).data(),
        "a.xlsx": raw_office.workbook(raw_office.sheet(raw_office.rows(*([line] for line in lines)))),
    }
    assert find_date(Raw(name, data[name])) == date(2024, 5, 3)


@pytest.mark.parametrize(
    "line",
    [
        "日付：2024年5月3日",
        "会议日期：2024年5月3日",
        "时间：2024年5月3日",
        "**時間**：2024年5月3日 14:00",
        "记录时间：2024-05-03",
        "開催日：2024年5月3日",
        "Дата: 03.05.2024",
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.docx"])
def test_labels_of_other_scripts_date_a_document(name: str, line: str) -> None:
    lines = ("No. 77", line, "1 / 2")
    data = {
        "a.txt": "\n".join(lines).encode(),
        "a.md": "\n\n".join(lines).encode(),
        "a.html": f"<p>{'<br>'.join(lines)}</p>".encode(),
        "a.docx": raw_docx.package("".join(map(raw_docx.p, lines))),
    }
    assert find_date(Raw(name, data[name])) == date(2024, 5, 3)


ROWS: dict[str, tuple[list[list[str]], date | None]] = {
    "beside its label": (
        [["Account", "123"], ["Bill date", "3 May 2024"], ["Due date", "24 May 2024"]],
        date(2024, 5, 3),
    ),
    "below its label": ([["No.", "Invoice date", "Due date"], ["77", "3 May 2024", "24 May 2024"]], date(2024, 5, 3)),
    "in a second pair": ([["Customer", "Roe", "Date:", "3 May 2024"], ["Town", "Leer", "No.", "77"]], date(2024, 5, 3)),
    "of an order": ([["Order date", "3 May 2024"], ["Customer", "Roe"]], date(2024, 5, 3)),
    "of a state of things": ([["As of", "3 May 2024"], ["Fund", "Alpha"], ["Units", "12"]], date(2024, 5, 3)),
    "of a delivery": ([["Delivery date", "3 May 2024"], ["Customer", "Roe"], ["Town", "Leer"]], None),
    "of one thing": ([["Date", "Place"], ["3 May 2024", "Leer"]], None),
    "of many things": ([["Invoice date", "Total"], ["3 May 2024", "1"], ["4 May 2024", "2"]], None),
    "of states": ([["Issued", "3 May 2024"], ["Filed", "4 May 2024"]], None),
    "in a row of days": ([["Date", "3 May 2024", "4 May 2024"], ["Sum", "1", "2"]], None),
}


@pytest.mark.parametrize(("rows", "day"), ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("name", ["a.html", "a.docx", "a.xlsx"])
def test_a_labelled_day_in_a_table_dates_a_document(name: str, rows: list[list[str]], day: date | None) -> None:
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    data = {
        "a.html": f"<table>{cells}</table>".encode(),
        "a.docx": raw_docx.package(raw_docx.table(*rows)),
        "a.xlsx": raw_office.workbook(raw_office.sheet(raw_office.rows(*rows))),
    }
    found = [claim.date for claim in read(Raw(name, data[name])).dates if claim.origin is DateOrigin.DATELINE]
    assert found == ([day] if day else [])


@pytest.mark.parametrize(
    ("title", "month"),
    [
        *(
            (title, date(2024, 3, 1))
            for title in ("Newsletter March 2024", "March 2024 Newsletter", "The Gazette, 03/2024")
        ),
        *((title, date(2024, 3, 1)) for title in ("Board minutes (March 2024)", "March 2024 Digest: what we shipped")),
        *((title, date(2023, 10, 1)) for title in ("Gemeindebrief Oktober 2023", "Protokoll vom Oktober 2023")),
        *(
            (title, date(2024, 5, 1))
            for title in ("Boletín - mayo de 2024", "Compte-rendu de mai 2024", "Ata de maio de 2024")
        ),
        *(
            (title, None)
            for title in ("The crash of October 1929", "Roadmap to March 2024", "Newsletter 2024", "Newsletter")
        ),
        ("Bulletin: timetable valid from March 2024", None),
    ],
)
def test_titles_of_periodicals_and_records_say_their_month(title: str, month: date | None) -> None:
    days = parse_title_date(title)
    assert (days and days[0]) == month


@pytest.mark.parametrize(
    ("line", "day"),
    [
        *(
            (line, date(2024, 3, 1))
            for line in ("Issue 14, March 2024", "Vol. 12, No. 3 (March 2024)", "Heft 3 | März 2024")
        ),
        *((line, date(2024, 3, 1)) for line in ("The Anchor    No. 27    March 2024", "N° 8 - mars 2024")),
        ("Ausgabe 3/2024 vom 5. März 2024", None),
        ("Issue 14: 5 March 2024", date(2024, 3, 5)),
        ("In issue 14, March 2024 is reviewed at length", None),
        ("No. 3 was sold in March 2024", None),
    ],
)
def test_the_issue_of_a_periodical_is_dated(line: str, day: date | None) -> None:
    assert parse_issue_date(line) == day
    assert [claim.date for claim in find_datelines(["The Anchor\n" + line])] == ([day] if day else [])


@pytest.mark.parametrize("line", [" " * 20_000 + "b", "a" + " " * 20_000 + "b", "no. 1" + " " * 20_000 + "bcdefgh;;"])
def test_blanks_of_an_issue_line_are_read_in_linear_time(line: str) -> None:
    """Searches that go back step by step make no calls; quadratic time of these lines would be minutes."""
    assert parse_issue_date(line) is None
    assert parse_issue_date(" " * 20_000 + "Issue 14, March 2024") == date(2024, 3, 1)
