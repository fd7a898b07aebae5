"""The temporal grammar on sentences made of its own words, and its time on texts that are long."""

from __future__ import annotations

import re
from datetime import date
from itertools import cycle
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.temporal.tagger import tag
from tests.call_counts import count_calls
from tests.examples import examples
from tests.fuzz import expressions
from tests.fuzz.targets import composed, dated, sound

_LINES = """
the first second last next this past previous of in to from until since between and or by on at ago before after fiscal
quarter year years months month week weeks day half H1 Q3 FY2023 1Q24 2023 1999 '99 12 31 30 29 7 2023-03-05 03/04/2023
3.4.2023 2020-W53 March December Feb. Friday ended ending three twenty-first 1990s century every twice daily noon 3:30
pm UTC early late mid about some few decade yesterday tomorrow Easter Christmas , . ( ) - – / : ; |
"""
WORDS = tuple(_LINES.split())
HAN = (
    "二〇零一三十百千年月日号季度上下半前去今明本个第初末底至到从周星期点分秒春节农历闰世纪代约近过来后间内以每"
    "0123456789，。 "
)
LONG = 4_000
"""Times that a phrase is repeated: some tens of thousands of characters."""
PHRASES = (
    "the ",
    "2023-",
    "1 ",
    "of the quarter ",
    "Q1 Q2 ",
    "from 1 to ",
    "(",
    "3/",
    "second ",
    "the last ",
    "年",
    "二",
    "第一季度至",
    "个月前",
)
LEXICON = sorted({head for rule in expressions.RULES["zh"] for head in rule.heads if head.isalpha()})
MOST_WORK = 6.0
"""So many times the calls for four times the text: 4.2 at most where measured, sixteen where it is quadratic."""
MOST_GROWTH = 8.0
"""Fourfold the text may cost so much more: four where time is linear, sixteen where it is quadratic."""


@examples(3)
@given(st.lists(st.sampled_from(WORDS), max_size=25), st.sampled_from(["", " "]))
def test_sentences_of_the_grammar_s_words_keep_the_promises(words: list[str], between: str) -> None:
    dated(between.join(words).encode())


@examples(2)
@given(st.text(HAN, max_size=40))
def test_so_do_those_of_chinese_signs(text: str) -> None:
    dated(text.encode())


@examples(6)
@given(st.binary(max_size=250))
def test_each_composition_of_the_grammar_has_a_reading_or_none(data: bytes) -> None:
    composed(data)


@pytest.mark.slow
@settings(max_examples=20_000)
@given(st.binary(max_size=600))
def test_so_do_many_compositions(data: bytes) -> None:
    composed(data)


def test_each_rule_and_join_has_a_reading_or_none_in_every_context() -> None:
    samples = [expressions.samples(rule, 3) for rule in expressions.RULES["zh"]]
    samples += [
        [expressions.of_join(join, "zh", expressions.Choices(Random(seed).randbytes(300))) for seed in range(3)]
        for join in expressions.JOINS["zh"]
    ]
    texts = ["\n\n".join(each) for each in zip(*samples, strict=True)]
    for text, anchor, calendar in zip(cycle(texts), expressions.ANCHORS, cycle(expressions.CALENDARS), strict=False):
        sound(text, tag(text, anchor, "zh", fiscal=calendar))


def test_compositions_reach_the_rules() -> None:
    """But for a few that ask for more context than their own look-behind tells, or for two years that follow."""
    rules = expressions.RULES["zh"]
    reached = sum(bool(expressions.kinds(rule)) for rule in rules)
    assert reached > 0.95 * len(rules)


@pytest.mark.slow
@settings(max_examples=5_000)
@given(st.lists(st.sampled_from((*WORDS, *HAN)), max_size=60), st.sampled_from(["", " "]))
def test_so_do_many_of_both(words: list[str], between: str) -> None:
    dated(between.join(words).encode())


def test_rules_and_joins_look_a_bounded_distance_ahead() -> None:
    patterns = [each for rule in expressions.RULES["zh"] for each in (rule.pattern, rule.lead) if each]
    for join in expressions.JOINS["zh"]:
        patterns += [join.gap] if isinstance(join.gap, re.Pattern) else join.gap
    assert [each.pattern for each in patterns if not expressions.is_bounded(each)] == []


def test_work_grows_with_the_repeats_of_a_word_and_no_faster() -> None:
    for unit in ("march ", "1 ", "and ", "2023-03-05", "1/1/", "the last ", *LEXICON[::40]):
        assert growth(unit) < MOST_WORK, unit


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["", " ", "-", ", "])
def test_so_it_does_for_every_word_of_the_lexicon(mark: str) -> None:
    for word in LEXICON:
        assert growth(word + mark) < MOST_WORK, word


def growth(unit: str) -> float:
    """How many more calls four times the repeats of a text need: the same number on every machine."""
    short = unit * max(1, 300 // len(unit))
    tag(short, date(2025, 11, 22), "zh")  # What is made once, as the pattern of a rule, is no growth.
    few = count_calls(lambda: tag(short, date(2025, 11, 22), "zh"))
    return count_calls(lambda: tag(4 * short, date(2025, 11, 22), "zh")) / few


@pytest.mark.slow
@pytest.mark.parametrize("phrase", PHRASES)
def test_time_grows_with_the_text_and_no_faster(phrase: str) -> None:
    short, long = (min(seconds(phrase * times) for _ in range(2)) for times in (LONG, 4 * LONG))
    assert long < MOST_GROWTH * short + 0.5


def seconds(text: str) -> float:
    """Of the processor, to find the times of a text."""
    started = process_time()
    tag(text, date(2025, 11, 22), "zh")
    return process_time() - started
