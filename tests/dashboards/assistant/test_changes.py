"""How much something rose or fell: asked in any words, of prose or tables, in per cent or amounts, none is denied."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dashboards.assistant.answer_types import Answer, AnswerKind, ExtractsStatus
from dashboards.assistant.answers import answer
from dashboards.assistant.sessions import Exchange, Session, Sessions
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from warehouse.records import SearchRequest
from warehouse.settings.loader import load_settings

CHIPS = """# Kestrel Corporation Reports Fourth-Quarter and Full-Year 2022 Financial Results

PORTLAND, Jan. 26, 2023 – Kestrel Corporation (NASDAQ: KSTL) today reported fourth-quarter and full-year 2022 results.

- Fourth-quarter revenue of $14.0 billion, down 32 percent year-over-year (YoY).
- Full-year revenue of $63.1 billion, down 20 percent YoY.

| | Q4 2022 | Q4 2021 | vs. Q4 2021 |
|---|---|---|---|
| Revenue ($B) | $14.0 | $20.5 | down 32% |
| Net income (loss) ($B) | $(0.7) | $4.6 | down 114% |

| | 2022 | 2021 | vs. 2021 |
|---|---|---|---|
| Revenue ($B) | $63.1 | $79.0 | down 20% |
| Net income ($B) | $8.0 | $19.9 | down 60% |
"""
CHIPS_BEFORE = """# Kestrel Corporation Reports Full-Year 2021 Financial Results

PORTLAND, Jan. 26, 2022 – Kestrel Corporation today reported full-year 2021 results. Full-year revenue was
$79.0 billion, up 1 percent. Full-year EPS was $4.86, down 2 percent.
"""
MILLS = """# Harrow Mills plc annual report 2022

Harrow Mills plc presents its report for the year ended December 31, 2022.

The number of employees dropped from 4,120 to 3,805 during 2022. The average price of flour climbed by 14 per cent.
Energy cost went up by a quarter, while water consumption declined 6 %. Debt shrank by £12 million to £88 million.

(in thousands of pounds)

| | 2022 | 2021 |
|---|---|---|
| Turnover | 74,512 | 81,290 |
| Operating profit | 6,120 | 9,044 |
"""
ENERGY = """# Larkspur Energy Inc. reports results for 2022

Larkspur Energy Inc. today reported results for the year ended December 31, 2022. Production grew 8% to 41,200 barrels a
day. Operating expenses were down 5 percent, while capital spending was up $31 million from 2021.
"""
FORMS = (
    "How much did {of} {what} {verb} in {when}?",
    "By how much did {of} {what} {verb} in {when}?",
    "How far did {of} {what} {verb} in {when}?",
    "By what percentage did {of} {what} {verb} in {when}?",
    "how much did {of} {what} change in {when}",
    "What was the change in {of} {what} in {when}?",
    "How much did {of} {what} {verb} {when}?",
)
CASES = (
    ("Kestrel's", "revenue", ("fall", "drop", "decline", "decrease", "shrink"), "2022", ("20 percent", "down 20%")),
    ("Kestrel's", "revenue", ("fall", "drop"), "the fourth quarter of 2022", ("32 percent", "down 32%")),
    ("Kestrel's", "net income", ("fall", "decline"), "2022", ("down 60%",)),
    ("Kestrel's", "revenue", ("grow", "rise", "increase"), "2021", ("1 percent",)),
    ("Kestrel's", "EPS", ("fall", "decline"), "2021", ("down 2 percent",)),
    ("Harrow Mills'", "turnover", ("fall", "decline"), "2022", ("| 74,512 | 81,290 |",)),
    ("Harrow Mills'", "operating profit", ("drop", "shrink"), "2022", ("| 6,120 | 9,044 |",)),
    ("Harrow Mills'", "number of employees", ("drop", "decrease"), "2022", ("4,120 to 3,805",)),
    ("Harrow Mills'", "debt", ("shrink", "fall", "decline"), "2022", ("£12 million",)),
    ("Harrow Mills'", "water consumption", ("decline", "fall"), "2022", ("declined 6 %",)),
    ("Larkspur's", "production", ("grow", "rise", "increase"), "2022", ("8%",)),
    ("Larkspur's", "operating expenses", ("fall", "decrease"), "2022", ("down 5 percent",)),
    ("Larkspur's", "capital spending", ("rise", "grow"), "2022", ("$31 million",)),
)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder: Path = tmp_path_factory.mktemp("changes")
    sources = folder / "docs"
    sources.mkdir()
    texts = {
        "KESTREL_2022Q4_EARNINGS": CHIPS,
        "KESTREL_2021Q4_EARNINGS": CHIPS_BEFORE,
        "HARROWMILLS_2022": MILLS,
        "LARKSPUR_2022": ENERGY,
    }
    for name, text in texts.items():
        (sources / f"{name}.md").write_text(text, encoding="utf-8")
    warehouse = build_warehouse(folder / "w", sources, embed={"model": "minilm"})
    return ToolContext(load_settings({"warehouse": folder / "w"}), warehouse, date(2026, 11, 23))


def asked(context: ToolContext, question: str, session: Session | None = None) -> Answer:
    return answer(
        context,
        SearchRequest(question),
        session,
        on_event=lambda event: None,
        ask_permission=lambda *_: False,
        extracts_only=True,
    )


def questions() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each case in each of its verbs, the forms taken in turn, so that all meet all kinds of case."""
    number = 0
    for of, what, verbs, when, gold in CASES:
        for verb in verbs:
            for form in (FORMS[number % len(FORMS)], FORMS[(number + 3) % len(FORMS)]):
                # An amount of money is no answer to a question for a percentage.
                if "percentage" in form and all("%" not in each and "per" not in each for each in gold):
                    continue
                yield form.format(of=of, what=what, verb=verb, when=when), gold
            number += 1


@pytest.mark.parametrize(("question", "gold"), list(questions()))
def test_a_question_of_change_is_answered_and_never_denied(
    context: ToolContext, question: str, gold: tuple[str, ...]
) -> None:
    found = asked(context, question)
    assert found.extracts_status is ExtractsStatus.ANSWER, found.text
    assert any(each in found.text for each in gold), found.text


def before(folder: Path, *said: str) -> Session:
    found = Sessions(folder).start_session()
    for question in said:
        found.append(Exchange(datetime(2026, 11, 23, tzinfo=UTC), question, "An answer.", AnswerKind.EXTRACTS))
    return found


@pytest.mark.parametrize("between", [(), ("What did the chief executive say?",), ("And its net income?",)])
@pytest.mark.parametrize("follow_up", ["And in the fourth quarter?", "and in Q4?", "What about the fourth quarter?"])
def test_a_quarter_is_of_the_year_that_was_asked_about(
    context: ToolContext, between: tuple[str, ...], follow_up: str, tmp_path: Path
) -> None:
    session = before(tmp_path, "How much did Kestrel's revenue fall in 2022?", *between)
    (note,) = [each for each in asked(context, follow_up, session).notes if each.startswith("read as: ")]
    assert "2022" in note
    assert "2026" not in note


def test_the_follow_up_is_answered_by_its_quarter(context: ToolContext, tmp_path: Path) -> None:
    session = before(tmp_path, "How much did Kestrel revenue fall in 2022?")
    found = asked(context, "And in the fourth quarter?", session)
    assert found.extracts_status is ExtractsStatus.ANSWER
    assert "32" in found.extracts[0].text
