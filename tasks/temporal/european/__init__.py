"""The grammars of German, French, Spanish, Italian, Portuguese and Dutch: one set of rules over a table of words each.

Dates in numbers are those of every language, and so is how times join. A new language is a table in `languages`.
"""

from __future__ import annotations

import re
from functools import cache

from tasks.parsers.language import EUROPEAN
from tasks.temporal import english
from tasks.temporal.english.dates import BARE_YEAR
from tasks.temporal.english.times import HALF_DAY
from tasks.temporal.european.calendar_dates import date_rules, sure_rules
from tasks.temporal.european.eras import era_rules
from tasks.temporal.european.holiday_dates import holiday_rules
from tasks.temporal.european.lexicon import NUMBER_HEADS, UNACCENTED, EuropeanLexicon, phrases
from tasks.temporal.european.numeric_dates import numeric_rules
from tasks.temporal.european.periods import fiscal_rules, period_rules
from tasks.temporal.european.signals import joins_of, signal_rules
from tasks.temporal.european.times import time_rules
from tasks.temporal.grammar import LETTERED, MARKED, GrammarRule, JoinRule
from tasks.temporal.tense import TenseWords

__all__ = ["UNACCENTED", "rules", "stages", "sure", "tense_words"]

_NUMBERS = frozenset(head + shape for head in NUMBER_HEADS for shape in ("", LETTERED, MARKED))
_IN_NUMBERS = tuple(each for each in english.RULES if each.heads <= _NUMBERS and each is not BARE_YEAR)


@cache
def rules(code: str) -> tuple[GrammarRule, ...]:
    """The rules of a language."""
    lexicon = EuropeanLexicon.read(code)
    has_am = "am" in phrases(lexicon.part_links)
    return (
        *era_rules(lexicon),
        *date_rules(lexicon),
        *numeric_rules(lexicon),
        *holiday_rules(lexicon),
        *time_rules(lexicon),
        *period_rules(lexicon),
        *signal_rules(lexicon),
        *(each for each in _IN_NUMBERS if each is not HALF_DAY or not has_am),
    )


@cache
def tense_words(code: str) -> TenseWords:
    """What the verbs of a language tell of the tense."""
    lexicon = EuropeanLexicon.read(code)
    return TenseWords(re.compile(lexicon.past), re.compile(lexicon.ahead))


@cache
def stages(code: str) -> tuple[tuple[JoinRule, ...], ...]:
    """The stages of joins of a language."""
    return joins_of(EuropeanLexicon.read(code))


@cache
def sure() -> tuple[GrammarRule, ...]:
    """What is surely a date in a text of unknown language: days, months, quarters and fiscal years with their year."""
    lexicons = [EuropeanLexicon.read(code) for code in EUROPEAN]
    return tuple(each for lexicon in lexicons for each in (*sure_rules(lexicon), *fiscal_rules(lexicon)))
