"""Numbers, scales and currencies as tables print them."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.tables.frames import FigureKind, classify_measure
from tasks.tables.numbers import find_currency, find_scale, is_figure, is_nil, is_sign, parse_number


@pytest.mark.parametrize(
    ("text", "value", "unit", "currency"),
    [
        ("1,234", 1234, "", ""),
        ("(1,234)", -1234, "", ""),
        ("$ (1,234)", -1234, "", "USD"),
        ("($1,234.5)", -1234.5, "", "USD"),
        ("1,234-", -1234, "", ""),
        ("1,234 )", -1234, "", ""),
        ("−5", -5, "", ""),
        ("–5", -5, "", ""),
        ("-$5", -5, "", "USD"),
        ("12.5%", 12.5, "%", ""),
        ("(12.5)%", -12.5, "%", ""),
        ("(2.1% )", -2.1, "%", ""),
        ("12 percent", 12, "%", ""),
        ("(55) bps", -55, "bp", ""),
        ("1.2 pp", 1.2, "pp", ""),
        ("1.5x", 1.5, "x", ""),
        ("1 234,5 €", 1234.5, "", "EUR"),
        ("1.234,56", 1234.56, "", ""),
        ("1.234.567", 1234567, "", ""),
        ("1'234'567", 1234567, "", ""),
        ("10\u00a0000", 10000, "", ""),
        ("12,34,567", 1234567, "", ""),
        ("£5.2 million", 5.2e6, "", "GBP"),
        ("$5m", 5e6, "", "USD"),
        ("3 bn", 3e9, "", ""),
        ("¥ 3", 3, "", "JPY"),
        ("CHF 7", 7, "", "CHF"),
        ("HK$ 3", 3, "", "HKD"),
        ("U.S. $5.1", 5.1, "", "USD"),
        ("42 (1)", 42, "", ""),
        ("7*", 7, "", ""),
        ("12[3]", 12, "", ""),
        ("1,234ᵃ", 1234, "", ""),
        ("5²", 5, "", ""),
        ("1,5", 1.5, "", ""),
        ("0,123", 0.123, "", ""),
        (".5", 0.5, "", ""),
        ("0", 0, "", ""),
        ("1.5 × 10−3", 0.0015, "", ""),
        ("３．５亿元", 3.5e8, "", "CNY"),
        ("人民币1,234万元", 1.234e7, "", "CNY"),
        ("120,000円", 120_000, "", "JPY"),
        ("12.5亿美元", 1.25e9, "", "USD"),
        ("（1，234）", -1234, "", ""),
        ("2.5个百分点", 2.5, "pp", ""),
        ("1,234人", 1234, "人", ""),
        ("3 years", 3, "years", ""),
    ],
)
def test_numbers(text: str, value: float, unit: str, currency: str) -> None:
    found = parse_number(text)
    assert found is not None
    assert found.value == pytest.approx(value, rel=1e-12)
    assert (found.unit, found.currency) == (unit, currency)


NOT_NUMBERS = """
10-K|12a|Q1|1-2|2,017–2,019|1.2.3|1,2,3|12/31/2023|2023年|1/2|1:2|<0.05|1.2 ± 0.3|12.7 (11.4–14.2)|$|(5|5)|5m|2 0 1 8
"""


@pytest.mark.parametrize("text", [*NOT_NUMBERS.strip().split("|"), "", "1" * 500])
def test_what_is_more_or_less_than_a_number_has_no_value(text: str) -> None:
    assert parse_number(text) is None


def test_how_a_table_writes_decimals_settles_a_lone_group() -> None:
    assert [parse_number(text, comma=True).value for text in ("1.234", "1,234")] == [1234, 1.234]  # type: ignore[union-attr]
    assert [parse_number(text).value for text in ("1.234", "1,234")] == [1.234, 1234]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2000 TEUR", 2e6),
        ("1 950 TEUR", 1.95e6),
        ("TEUR 850", 8.5e5),
        ("(12 MSEK)", -12e6),
        ("5 k€", 5e3),
        ("T€ 5", 5e3),
    ],
)
def test_a_currency_may_have_a_prefix(text: str, value: float) -> None:
    number = parse_number(text)
    assert number is not None
    assert (number.value, number.scaled) == (value, True)
    assert number.currency in ("EUR", "SEK")


def test_chinese_documents_mean_the_yuan() -> None:
    assert parse_number("¥5", yuan=True).currency == "CNY"  # type: ignore[union-attr]


def test_nothing_and_unknown_are_told_apart() -> None:
    assert all(map(is_nil, ["—", "–", "-", "$ —", "- - %", "nil", "无", "—(1)"]))
    assert all(
        is_figure(text) and not is_nil(text) and parse_number(text) is None for text in ("n/a", "N.M.", "nm", "...")
    )
    assert not any(
        is_nil(text) or (is_figure(text) and parse_number(text) is None)
        for text in ("0", "-5", "none of them", "na na")
    )
    assert all(map(is_sign, ["$", ")", ")%", "%", ""]))


@given(st.text("0123456789,.()- $%*[1]×^", max_size=60))
def test_numbers_are_read_at_once(text: str) -> None:
    begun = time.process_time()
    parse_number(text)
    assert time.process_time() - begun < 1


@given(st.integers(-(10**12), 10**12))
def test_grouped_integers_come_back(value: int) -> None:
    found = parse_number(f"({-value:,})" if value < 0 else f"{value:,}")
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("text", "power", "of_money"),
    [
        ("(in millions)", 6, False),
        ("$m", 6, True),
        ("£'000", 3, True),
        ("$000", 3, True),
        ("(000's omitted)", 3, False),
        ("€ million", 6, True),
        ("USDm", 6, True),
        ("RMB’Million", 6, True),
        ("(Dollars in thousands, except per share data)", 3, True),
        ("$ and shares in millions", 6, False),
        ("thousands of euros", 3, True),
        ("in hundreds of millions of yuan", 8, True),
        ("Number of Shares (thousands)", 3, False),
        ("(in Tsd. Euro)", 3, True),
        ("Angaben in Tausend Euro", 3, True),
        ("en millones de euros", 6, True),
        ("en milliers d’euros", 3, True),
        ("in migliaia di euro", 3, True),
        ("in Milliarden Euro", 9, True),
        ("单位：万元", 4, True),
        ("人民币百万元", 6, True),
        ("产量（万吨）", 4, False),
        ("每股收益（元）", 0, True),
    ],
)
def test_words_of_scale(text: str, power: int, of_money: bool) -> None:
    found = find_scale(text)
    assert found is not None
    said = [each for each in (found.money, found.shares, found.other) if each is not None]
    assert said[0] == power
    assert (found.money is not None and found.other is None and not found.shares) == of_money


@pytest.mark.parametrize(
    "text",
    [
        "5 million people",
        "Deaths per thousand births",
        "Thousands of customers",
        "Thousand Oaks",
        "千克",
        "Land 10,000",
    ],
)
def test_words_that_are_no_scale(text: str) -> None:
    assert find_scale(text) is None


def test_words_of_currency() -> None:
    texts = ["$ in millions", "thousands of euros", "in thousand NT dollars", "EURm", "港币千元", "（元）", "tonnes"]
    assert [find_currency(text) for text in texts] == ["USD", "EUR", "TWD", "EUR", "HKD", "CNY", ""]


@pytest.mark.parametrize(
    ("label", "measure"),
    [
        ("Diluted earnings per share", FigureKind.PER),
        ("Common stock dividends, $0.92 per share", FigureKind.AMOUNT),
        ("Effective tax rate (%)", FigureKind.PERCENT),
        ("Amount computed at the statutory federal income tax rate", FigureKind.AMOUNT),
        ("5.875% Senior notes", FigureKind.AMOUNT),
        ("Weighted average common shares outstanding — diluted", FigureKind.SHARES),
        ("Repurchase of common shares", FigureKind.AMOUNT),
        ("Number of employees", FigureKind.COUNT),
        ("Employee benefits", FigureKind.AMOUNT),
        ("Expected life (in years)", FigureKind.TIME),
        ("Note", FigureKind.REFERENCE),
        ("(in millions, except percentages and per share amounts)", FigureKind.AMOUNT),
        ("毛利率", FigureKind.PERCENT),
        ("每股收益", FigureKind.PER),
    ],
)
def test_what_labels_say_of_their_figures(label: str, measure: Any) -> None:
    assert classify_measure(label) is measure


@given(st.text("shares per outstanding of() ", max_size=2000))
def test_labels_are_read_at_once(label: str) -> None:
    begun = time.process_time()
    classify_measure(label)
    find_scale(label)
    assert time.process_time() - begun < 1
