"""Rules that begin with a number are tried only before characters with which they can match."""

import pytest

from tasks.temporal import english
from tasks.temporal.european import build_rules
from tasks.temporal.grammar import may_match
from tasks.temporal.tagger import NextCharacterFinder

TEXTS = (
    "On 3 March 2024 from 3:30 pm to 05/03/2024; 12 days, 48 hours and 3 weeks later, in 2025, the 1990s, Q2 2023",
    "2023-04-05T10:00, FY24/25, 15th of May, 10-12 June, 5'30'' and 7 a.m. it was 2 1/2 years old, 10 \u2013 12 mars",
    "| 12 | 34.72 | 2019 | 1/2 | -3.5 | 12.05.2023 | 99% | 1,234 |\n| 3 | 8. Juli | 14 h 30 | 5 jours | 3\xa0Tage | 7|",
    "Am 3. Oktober 1990 um 14.30 Uhr, 24. bis 26. Mai, 90er Jahre, 1. Halbjahr 2023, le 1er mai 2024 à 15 h",
    "el 5 de junio de 2023, 2 settimane fa, 3 dagen geleden, 1º de abril de 2022, 2e kwartaal 2024",
)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "nl", "pt"])
def test_a_rule_that_matches_is_tried(language: str) -> None:
    """No rule is left out at a number where its pattern matches."""
    rules = english.RULES if language == "en" else build_rules(language)
    count = 0
    for rule in rules:
        if rule.lead_words or not any(head.startswith("#") for head in rule.heads):
            continue
        for text in TEXTS:
            for match in rule.pattern.finditer(text):
                first = match.start()
                end = next((place for place in range(first, len(text)) if not text[place].isdigit()), len(text))
                if end > first and not text[first - 1 : first].isdigit():
                    count += 1
                    assert may_match(rule.words, NextCharacterFinder(text).find(end)), (rule.words, match[0])
    assert count > 5


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"[0-9]+\s*days?\b", " days", True),
        (r"[0-9]+\s*days?\b", " Days", True),
        (r"[0-9]+\s*days?\b", " | 5", False),
        (r"[0-9]+\s*days?\b", "\xa0days", True),
        (r"[0-9]+\s*days?\b", "", False),
        (r"[0-9]+(?:st|th)?", " | 5", True),
        (r"[0-9]+(?!:)", ":", True),
        (r"[0-9]+(?=:)", ": ", True),
        (r"[0-9]+(?=:)", "-", False),
        (r"[0-9]+\.[0-9]+\.[0-9]+", ".5.2020 |", True),
        (r"[0-9]+\. (?:may|june)", ". May", True),
        (r"[0-9]+\. (?:may|june)", ".75 |", False),
        (r"(?P<mark>[0-9])(?P=mark)x", "x", True),
        (r"[0-9]+[^,\s\d.]", ";", True),
        (r"[0-9]+[^,\s\d.]", ",", False),
        (r"[0-9]+\s*days?\b", " " * 50 + "days", True),
    ],
)
def test_the_next_characters_decide(pattern: str, text: str, expected: bool) -> None:
    """The character behind the number, and the one behind its decimals, must be possible; unknown ones are."""
    assert may_match(pattern, NextCharacterFinder(text).find(0)) is expected
