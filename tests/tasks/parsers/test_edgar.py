"""Submissions of EDGAR: the filing comes first, its exhibits follow, and what has no words is left out."""

from __future__ import annotations

import binascii
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.temporal.fiscal_inference import infer_text_calendar
from tests.fuzz.targets import chosen
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.xbrl.northlight import northlight
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateOrigin, Document, Kind

HEADER = """<SEC-DOCUMENT>0001650372-24-000011.txt : 20240502
<SEC-HEADER>0001650372-24-000011.hdr.sgml : 20240502
<ACCEPTANCE-DATETIME>20240502160512
ACCESSION NUMBER:\t\t0001650372-24-000011
CONFORMED SUBMISSION TYPE:\t8-K
PUBLIC DOCUMENT COUNT:\t\t14
CONFORMED PERIOD OF REPORT:\t20240430
FILED AS OF DATE:\t\t20240502

FILER:

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tHalcyon Robotics, Inc.
\t\tFISCAL YEAR END:\t\t\t0630
</SEC-HEADER>
"""
FILING = (
    "<html><head><title>Document</title></head>"
    "<body><h1>Form 8-K</h1><p>A release was issued on May 2, 2024.</p></body></html>"
)
RELEASE = (
    "<html><body><p>Revenue was $88.4 million.</p><table><tr><td></td><td>2024</td><td>2023</td></tr>"
    "<tr><td>Revenue</td><td>88,412</td><td>74,295</td></tr></table></body></html>"
)
PICTURE = (
    "begin 644 logo.jpg\n" + "".join(binascii.b2a_uu(bytes(range(k, k + 45))).decode() for k in range(99)) + "`\nend\n"
)


def _document(kind: str, body: str, name: str = "", description: str = "") -> str:
    lines = ["<DOCUMENT>", f"<TYPE>{kind}", "<SEQUENCE>1"]
    lines += [f"<FILENAME>{name}"] * bool(name) + [f"<DESCRIPTION>{description}"] * bool(description)
    return "\n".join([*lines, "<TEXT>", body, "</TEXT>", "</DOCUMENT>", ""])


def _read(text: str, name: str = "full-submission.txt") -> Document:
    raw = Raw(name, text.encode())
    assert choose_parser(raw) == "edgar"
    document = read(raw)
    keeps_its_promises(document)
    return document


def test_the_filing_its_exhibits_and_the_header_are_one_report() -> None:
    found = _read(
        HEADER
        + _document("8-K", FILING, "hlcn.htm", "8-K")
        + _document("EX-99.1", RELEASE, "ex991.htm", "PRESS RELEASE")
        + _document("GRAPHIC", PICTURE, "logo.jpg")
        + _document("EX-101.SCH", "<XBRL>\n<schema/>\n</XBRL>", "hlcn.xsd")
        + _document("XML", "<html><body>Cover Page</body></html>", "R1.htm", "IDEA: XBRL DOCUMENT")
        + _document("ZIP", PICTURE, "xbrl.zip")
        + "</SEC-DOCUMENT>\n"
    )
    assert found.kind is Kind.REPORT
    assert found.title == "Halcyon Robotics, Inc. 8-K 2024-04-30"
    assert (found.dates[0].date, found.dates[0].origin) == (date(2024, 5, 2), DateOrigin.PUBLICATION)
    assert found.text.startswith("Form 8-K\n\nA release was issued on May 2, 2024.")
    sections = {block.section[0]: block for block in found.blocks if block.kind is BlockKind.HEADING}
    assert list(sections) == ["Form 8-K", "Exhibit 99.1 PRESS RELEASE", "Submission"]
    assert found.tables[0].rows[1] == ("Revenue", "88,412", "74,295")
    assert "Company: Halcyon Robotics, Inc." in found.text
    assert "Cover Page" not in found.text
    assert "M" * 20 not in found.text
    calendar = infer_text_calendar(found.text, "en")
    assert calendar
    assert calendar.last_month == 6


def test_the_facts_of_a_tagged_filing_stay_at_their_places() -> None:
    alone = read(Raw("northlight.htm", northlight().encode()))
    found = _read(HEADER + _document("10-Q", f"<XBRL>\n{northlight()}\n</XBRL>", "n.htm") + _document("EX-99", RELEASE))
    assert found.facts == alone.facts
    assert found.text.startswith(alone.text)
    assert {claim.date for claim in alone.dates} <= {claim.date for claim in found.dates}


OLD = """
                 FOR THE QUARTERLY PERIOD ENDED JUNE 30, 1997

<PAGE>
                         CONSOLIDATED STATEMENTS OF INCOME
                               (IN THOUSANDS)
<TABLE>
<CAPTION>
                                              THREE MONTHS ENDED
                                                   JUNE 30,
                                             --------------------
                                               1997       1996
                                             ---------  ---------
<S>                                          <C>        <C>
Net sales..................................  $  24,310  $  21,877
Interest expense, net......................       (112)      (140)
<FN>
(1) Restated for the split.
</TABLE>

                                       4
<PAGE>
    Net sales rose.
"""


def test_old_filings_are_text_with_tagged_tables() -> None:
    pem = "-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\n\n"
    schedule = (
        "<TABLE> <S> <C>\n<ARTICLE> 5\n<S>         <C>\n<PERIOD-END>     JUN-30-1997\n<EPS-PRIMARY>     .31\n</TABLE>"
    )
    found = _read(pem + HEADER + _document("10-Q", OLD) + _document("EX-27", schedule, description="FDS"))
    statement, tags = found.tables
    assert statement.rows[:3] == (("", "THREE MONTHS ENDED", ""), ("", "JUNE 30,", ""), ("", "1997", "1996"))
    assert statement.rows[4] == ("Interest expense, net", "(112)", "(140)")
    assert statement.header_rows == 3
    assert tags.rows[-1] == ("Eps primary", ".31")
    text = "\n".join(found.text[block.start : block.end] for block in found.blocks if block.kind is not BlockKind.TABLE)
    assert "(1) Restated for the split." in text
    assert "CONSOLIDATED STATEMENTS OF INCOME" in text
    assert not any(word in text.split() for word in ("4", "<PAGE>", "<CAPTION>", "<S>", "PRIVACY-ENHANCED"))


def test_parts_and_items_head_their_text() -> None:
    text = (
        "               PART I.  FINANCIAL INFORMATION\n                 BRIARWOOD\n\nOpening words.\n\n"
        "ITEM 2.  MANAGEMENT'S DISCUSSION AND ANALYSIS OF RESULTS\n         OF OPERATIONS\n\n    Net sales rose.\n\n"
        "Item 3. Legal Proceedings\n\nNone, but for\nItem 7 of the report of last year that is named in\nthe notes.\n"
    )
    found = _read(HEADER + _document("10-Q", text))
    sections = {found.text[block.start : block.end]: block.section for block in found.blocks}
    results = "ITEM 2. MANAGEMENT'S DISCUSSION AND ANALYSIS OF RESULTS OF OPERATIONS"
    assert sections["Net sales rose."] == ("PART I. FINANCIAL INFORMATION", results)
    assert next(path for words, path in sections.items() if words.startswith("None")) == (
        "PART I. FINANCIAL INFORMATION",
        "Item 3. Legal Proceedings",
    )


@pytest.mark.parametrize("beginning", ["<PDF>\n", ""])
def test_a_file_of_another_format_inside_is_told_and_no_text(beginning: str) -> None:
    encoded = f"{beginning}begin 644 ex99.pdf\nM)5!$1BTQ+C0*,2 P(&]B\n`\nend"
    found = _read(HEADER + _document("8-K", FILING) + _document("EX-99.2", encoded, "ex99.pdf"))
    assert "begin 644" not in found.text
    assert [finding.message.partition(":")[0] for finding in found.findings] == ["EX-99.2 ex99.pdf could not be read"]


def test_columns_of_words_begin_where_the_tags_say() -> None:
    table = (
        "<TABLE>\n<CAPTION>\nNAME            TITLE\n<S>             <C>\n"
        "Ada Long        Chief Engineer\nB. Short        Secretary\n</TABLE>"
    )
    found = _read(HEADER + _document("10-K", f"Officers:\n{table}\nEnd of list."))
    assert found.tables[0].rows == (("NAME", "TITLE"), ("Ada Long", "Chief Engineer"), ("B. Short", "Secretary"))


def test_the_tags_of_the_dissemination_service_are_a_header_too() -> None:
    tags = (
        "<SUBMISSION>\n<ACCESSION-NUMBER>0000912057-97-027031\n<TYPE>10-Q\n<PERIOD>19970630\n<FILING-DATE>19970811\n"
        "<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>BRIARWOOD INSTRUMENTS INC\n<FISCAL-YEAR-END>0331\n</COMPANY-DATA>\n"
    )
    found = _read(f"{tags}{_document('10-Q', OLD)}</SUBMISSION>", "0000912057-97-027031.nc")
    assert found.title == "BRIARWOOD INSTRUMENTS INC 10-Q 1997-06-30"
    assert found.dates[0].date == date(1997, 8, 11)
    assert "Fiscal year end: March 31" in found.text


def test_a_document_saved_alone_is_read() -> None:
    found = _read(_document("10-K", FILING, "d10k.htm"), "d10k.htm")
    assert found.text.startswith("Form 8-K")
    assert found.dates == ()


def test_an_exhibit_that_cannot_be_read_costs_itself() -> None:
    found = _read(HEADER + _document("8-K", FILING) + _document("EX-99.1", "<div>" * 5_000, "ex.htm"))
    assert found.text.startswith("Form 8-K")
    assert [finding.message for finding in found.findings if "Exhibit 99.1 could not be read" in finding.message]


def test_a_submission_without_words_is_refused_with_a_cure() -> None:
    with pytest.raises(UnreadableFile) as problem:
        read(Raw("x.txt", (HEADER + _document("GRAPHIC", PICTURE)).encode()))
    assert "\n" not in str(problem.value)
    assert problem.value.cure


@given(st.integers(0, 2_000))
def test_wherever_it_is_cut_it_is_read_or_refused(end: int) -> None:
    whole = HEADER + _document("10-Q", OLD) + _document("EX-99.1", RELEASE)
    chosen(whole[:end].encode())
