"""The tags of inline XBRL as facts: values, places, what is hidden, continued or broken."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.xbrl.direct_reading import figures_of
from tests.tasks.parsers.xbrl.invented_filing import amount, context, page, tag, words
from tests.tasks.parsers.xbrl.northlight import northlight
from warehouse.records import BlockKind, Dimension, Document, Fact, Kind

GOLDEN = Path(__file__).parent / "golden" / "northlight-10q.json"
REWRITE = os.environ.get("KALENDS_REWRITE_GOLDEN") == "1"
NOW = context("now", "2025-03-30", "2025-06-28")
SALES = "us-gaap:Revenues"


def document_of(text: str) -> Document:
    document = read(Raw("filing.htm", text.encode()))
    keeps_its_promises(document)
    return document


def facts_in(body: str, *contexts: str, hidden: str = "") -> tuple[Fact, ...]:
    return document_of(page(f"<p>Words.</p>{body}", contexts or [NOW], hidden)).facts


def shown(document: Document, fact: Fact) -> str:
    return document.text[fact.start : fact.end]


def test_a_filing_gives_its_golden_record() -> None:
    record = asdict(document_of(northlight()))
    record["text"] = record["text"].split("\n")
    made = json.dumps(record, ensure_ascii=False, indent=1, default=str) + "\n"
    if REWRITE:
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(made, encoding="utf-8")
    assert made == GOLDEN.read_text(encoding="utf-8")


def test_what_a_reader_sees_is_the_text_and_nothing_else() -> None:
    text = document_of(northlight()).text
    for unseen in ("P1Y", "--09-27", "Nobody", "9.9", "0009999999", "n25"):
        assert unseen not in text
    assert "| Diluted earnings per share | $ (0.06) | $ 0.08 |" in text
    assert "Note 1. Revenue is recognised when control passes. Page 7" in text
    assert text.isascii() or not any(ord(character) > 0xFFFF for character in text)
    assert document_of(northlight()).kind is Kind.REPORT


def test_tags_change_nothing_of_the_text() -> None:
    plain = northlight()
    for name in ("nonFraction", "nonNumeric", "continuation", "exclude"):
        plain = (
            plain.replace(f"<ix:{name} ", "<span ")
            .replace(f"<ix:{name}>", "<span>")
            .replace(f"</ix:{name}>", "</span>")
        )
    assert document_of(plain).text == document_of(northlight()).text


def test_a_fact_that_goes_on_has_all_its_words_and_all_its_places() -> None:
    document = document_of(northlight())
    (policy,) = [fact for fact in document.facts if fact.name == "RevenueRecognitionPolicyTextBlock"]
    assert policy.content == ("Note 1. Revenue is recognised when control passes. It goes on here with 1.2 million.")
    assert shown(document, policy).startswith("Note 1.")
    assert [document.text[slice(*span)] for span in policy.continued] == ["It goes on here with 1.2 million."]


def test_the_words_that_a_page_shows_for_a_hidden_fact_are_its_place() -> None:
    document = document_of(northlight())
    (timing,) = [fact for fact in document.facts if fact.content == "P1Y"]
    assert shown(document, timing) == "within a year"


def test_long_words_are_cut_and_stand_in_the_text() -> None:
    document = document_of(page(words("word " * 1_000, "us-gaap:PolicyTextBlock", "now", escape="true"), [NOW]))
    (fact,) = document.facts
    assert fact.content.endswith("…")
    assert len(fact.content) < 2_100
    assert len(shown(document, fact)) == 4_999


@pytest.mark.parametrize(
    ("made", "content"),
    [
        (amount("1,204", SALES, "now"), "1204000000"),
        (amount("1,204", SALES, "now", sign="-"), "-1204000000"),
        (amount("1.204,5", SALES, "now", scale="0", format="ixt:num-comma-decimal"), "1204.5"),
        (amount("12.5", SALES, "now", "pure", "-2"), "0.125"),
        (amount("—", SALES, "now", format="ixt:fixed-zero"), "0"),
        (amount("no", SALES, "now", scale="0", format="ixt-sec:numwordsen"), "0"),
        (amount("9007199254740993.1", SALES, "now", scale="0"), "9007199254740993.1"),
        (amount("1<ix:exclude>*</ix:exclude>2", SALES, "now", scale="0"), "12"),
        (tag("nonFraction", "7", SALES, "now", unitRef="usd"), "7"),
        (
            tag("fraction", "<ix:numerator>1</ix:numerator> of <ix:denominator>4</ix:denominator>", SALES, "now",
                unitRef="pure"),
            "1/4",
        ),
    ],
)  # fmt: skip
def test_values_are_exact(made: str, content: str) -> None:
    (fact,) = facts_in(f"<p>{made}</p>")
    assert fact.content == content
    assert fact.value == (0.25 if "/" in content else float(content))


def test_nested_tags_are_two_facts_of_one_figure() -> None:
    inner = amount("5", "us-gaap:Cash", "now")
    document = document_of(page(f"<p>{amount(inner, SALES, 'now')} million</p>", [NOW]))
    assert [(fact.concept, fact.value, shown(document, fact)) for fact in document.facts] == [
        (SALES, 5e6, "5"),
        ("us-gaap:Cash", 5e6, "5"),
    ]


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2025-06-28", "", ("2025-06-28", "2025-06-29")),
        ("2025-01-01", "2025-12-31", ("2025-01-01", "2026-01-01")),
        ("2025-01-01T00:00:00", "2026-01-01T00:00:00", ("2025-01-01", "2026-01-01")),
        ("2026-01-01T00:00:00Z", "", ("2025-12-31", "2026-01-01")),
        ("", "", ("None", "None")),
    ],
)
def test_periods_are_half_open(start: str, end: str, days: tuple[str, str]) -> None:
    (fact,) = facts_in(f"<p>{amount('1', SALES, 'c')}</p>", context("c", start, end))
    assert (str(fact.period_start), str(fact.period_end)) == days


def test_dimensions_units_entities_and_tuples() -> None:
    typed = '<xbrldi:typedMember dimension="nli:ContractAxis"><nli:Number>17</nli:Number></xbrldi:typedMember>'
    members = [("srt:ProductOrServiceAxis", "us-gaap:ServiceMember")]
    body = (
        f'<ix:tuple name="nli:Director" tupleID="d">{words("Ann B", "nli:Name", "c")}</ix:tuple>'
        f"<p>{amount('2', 'us-gaap:EarningsPerShareBasic', 'c', 'usdPerShare', '0')}"
        f"{words('Chair', 'nli:Role', 'c', tupleRef='d')}</p>"
    )
    name, earned, role = facts_in(body, context("c", "2025-01-01", "2025-03-31", members, typed))
    assert earned.dimensions == (
        Dimension("srt:ProductOrServiceAxis", "us-gaap:ServiceMember"),
        Dimension("nli:ContractAxis", "17", typed=True),
    )
    assert (earned.unit, earned.currency, earned.entity) == ("USD/shares", "USD", "0009999999")
    assert name.group == role.group == "nli:Director 1"
    assert (earned.label, earned.group) == ("Earnings per share basic", "")


def test_concepts_have_their_usual_prefix_whatever_the_file_calls_it() -> None:
    made = page(f"<p>{amount('1', 'gaap:Revenues', 'now')}</p>", [NOW])
    (fact,) = document_of(made.replace("xmlns:us-gaap", "xmlns:gaap")).facts
    assert fact.concept == "us-gaap:Revenues"


def test_the_prefix_of_the_tags_themselves_is_the_files_own() -> None:
    made = page(f"<p>{amount('1', SALES, 'now')}</p>", [NOW])
    (fact,) = document_of(made.replace("ix:", "i:").replace(":ix=", ":i=").replace("xbrli", "x")).facts
    assert (fact.value, fact.unit, fact.period_end) == (1e6, "USD", date(2025, 6, 29))


def test_a_page_that_is_no_xml_is_read_as_html() -> None:
    made = page(f"<p>One<br>{amount('1,204', SALES, 'now')} million<p>Two", [NOW])
    document = document_of(made)
    (fact,) = document.facts
    assert (fact.content, fact.period_end, fact.currency) == ("1204000000", date(2025, 6, 29), "USD")
    assert shown(document, fact) == "1,204"
    assert document.text == "One\n1,204 million\n\nTwo"


def test_names_of_characters_are_read_in_xml_too() -> None:
    document = document_of(page(f"<p>A&nbsp;&mdash;&amp;&eacute; {amount('1', SALES, 'now')}</p>", [NOW]))
    assert document.text == "A —&é 1"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (amount("1", SALES, "gone"), "1 × a fact of a context that is not there, kept without it: 'gone'"),
        (amount("1", SALES, "now", "gone"), "1 × a fact of a unit that is not there, kept without it: 'gone'"),
        (amount("1", SALES, "now", format="ixt:num-roman"), "1 × a format that is not known: 'num-roman'"),
        (amount("one", SALES, "now"), f"1 × a value that is not written as its format says: '{SALES}: one'"),
        (amount("1", SALES, "now", scale="9999"), f"1 × a figure that is no number: '{SALES}: 1'"),
        (tag("nonFraction", "1,204", SALES, "now", unitRef="usd"), f"1 × a figure that is no number: '{SALES}: 1,204'"),
        (words("a", SALES, "now", continuedAt="k"), "1 × a continuation that is not there: 'k'"),
    ],
)
def test_what_a_tag_lacks_is_told_and_the_fact_is_kept(body: str, problem: str) -> None:
    document = document_of(page(f"<p>Words {body}</p>", [NOW]))
    assert [(found.code, found.message) for found in document.findings] == [("DOC031", problem)]
    (fact,) = document.facts
    assert shown(document, fact) in document.text
    assert fact.concept == SALES


def test_continuations_that_lead_back_end() -> None:
    body = (
        f'{words("One", SALES, "now", continuedAt="a")}<ix:continuation id="a" continuedAt="b">two</ix:continuation>'
        '<ix:continuation id="b" continuedAt="a">three</ix:continuation>'
        f"{words('Four', 'us-gaap:X', 'now', continuedAt='b')}"
    )
    document = document_of(page(f"<p>{body}</p>", [NOW]))
    assert [fact.content for fact in document.facts] == ["Onetwothree", "Four"]
    assert "2 × a continuation of two facts: 'a', 'b'" in [found.message for found in document.findings]


def test_of_several_contexts_of_one_id_the_first_counts() -> None:
    other = context("now", "1999-01-01", "1999-12-31")
    document = document_of(page(f"<p>{amount('1', SALES, 'now')}</p>", [NOW, other, other]))
    assert document.facts[0].period_end == date(2025, 6, 29)
    assert document.findings[0].message == "2 × an id that several contexts have, of which the first counts: 'now'"


@pytest.mark.parametrize("declared", ["<!ENTITY a 'aaaaaaaaaa'>", "<!ENTITY a SYSTEM 'file:///etc/passwd'>"])
def test_entities_of_a_files_own_are_never_expanded(declared: str) -> None:
    bomb = "".join(f"<!ENTITY b{n} '{f'&b{n - 1};' * 10 if n else '&a;'}'>" for n in range(12))
    made = page(f"<p title='&b11;'>x &b11; {amount('1', SALES, 'now')}</p>", [NOW])
    started = process_time()
    document = document_of(made.replace("<html", f"<!DOCTYPE html [{declared}{bomb}]><html", 1))
    assert len(document.text) < 100
    assert [fact.value for fact in document.facts] == [1e6]
    assert process_time() - started < 5


def test_characters_that_look_like_marks_are_no_marks() -> None:
    document = document_of(
        page(f"<p>a \U0010fc00\U0010f800\U0010f800\U0010f800b {amount('1', SALES, 'now')}</p>", [NOW])
    )
    assert document.text == "a \ufffd\ufffd\ufffd\ufffdb 1"
    assert shown(document, document.facts[0]) == "1"


def test_ten_thousand_contexts_and_facts_take_a_moment() -> None:
    contexts = [context(f"c{n}", "2025-01-01", "2025-12-31") for n in range(10_000)]
    chain = "".join(f'<ix:continuation id="k{n}" continuedAt="k{n + 1}">x</ix:continuation>' for n in range(5_000))
    body = "".join(f"<p>{amount(str(n), SALES, f'c{n}')}</p>" for n in range(5_000))
    started = process_time()
    found = read(Raw("a.htm", page(body + chain + words("w", SALES, "c1", continuedAt="k0"), contexts).encode()))
    assert len(found.facts) == 5_001
    assert process_time() - started < 15


def test_facts_stand_in_headings_lists_and_nested_tables() -> None:
    inner = f"<table><tr><td>x</td><td>{amount('3', SALES, 'now')}</td></tr><tr><td>y</td><td>4</td></tr></table>"
    body = (
        f"<h2>Sales of {amount('1', SALES, 'now')} million</h2><ul><li>{amount('2', SALES, 'now')} | more</li></ul>"
        f"<table><tr><th>a</th><th>b</th></tr><tr><td>c {inner}</td><td>p|q {amount('5', SALES, 'now')}</td></tr>"
        "</table>"
        f"<pre>{amount('6', SALES, 'now')}</pre>"
    )
    document = document_of(page(body, [NOW]))
    assert [shown(document, fact) for fact in document.facts] == ["1", "2", "3", "5", "6"]
    assert [block.kind for block in document.blocks] == [
        BlockKind.HEADING, BlockKind.LIST, BlockKind.TABLE, BlockKind.TABLE, BlockKind.CODE,
    ]  # fmt: skip
    assert document.blocks[0].section == ("Sales of 1 million",)


FORMATS = {
    "ixt:num-dot-decimal": lambda digits: f"{digits:,}",
    "ixt:num-comma-decimal": lambda digits: f"{digits:,}".translate(str.maketrans(",.", ".,")),
}


@given(
    st.lists(
        st.tuples(
            st.decimals(min_value=0, max_value=10**12, places=2),
            st.sampled_from(sorted(FORMATS)),
            st.integers(-6, 12),
            st.booleans(),
            st.sampled_from(["p", "td", "span", "li"]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_figures_written_in_any_notation_are_read_back_exactly(
    drawn: list[tuple[Decimal, str, int, bool, str]],
) -> None:
    body, other = [], "<tr><td>b</td><td/><td>2</td><td/></tr>"
    for digits, form, scale, is_negative, holder in drawn:
        sign = {"sign": "-"} if is_negative else {}
        made = amount(FORMATS[form](digits), SALES, "now", scale=str(scale), format=form, decimals="INF", **sign)
        around = {
            "td": f"<table><tr><td>Label</td><td>$</td><td>{made}</td><td>)</td></tr>{other}</table>",
            "li": f"<ul><li>{made}</li></ul>",
        }
        body.append(around.get(holder, f"<{holder}>It was {made}, surely.</{holder}>"))
    text = page("".join(body), [NOW])
    document = document_of(text)
    assert [Decimal(fact.content) for fact in document.facts] == [each.value for each in figures_of(text)]
    for fact, (digits, form, scale, is_negative, _) in zip(document.facts, drawn, strict=True):
        assert Decimal(fact.content) == digits.scaleb(scale) * (-1 if is_negative else 1)
        assert shown(document, fact) == FORMATS[form](digits)
