"""The grammars of German, French, Spanish, Italian, Portuguese and Dutch: one set of rules over a table of words each.

Dates in numbers are those of every language, and so is how times join. A new language is a table in `languages`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from tasks.parsers.language import EUROPEAN
from tasks.temporal import english
from tasks.temporal.english.times import HALF_DAY
from tasks.temporal.english.years import BARE_YEAR
from tasks.temporal.european.calendar_dates import make_date_rules, make_unambiguous_rules
from tasks.temporal.european.eras import make_christian_era_rules, make_era_rules
from tasks.temporal.european.fiscal import make_fiscal_rules
from tasks.temporal.european.holiday_dates import make_holiday_rules
from tasks.temporal.european.lexicon import NUMBER_HEADS, UNACCENTED, EuropeanLexicon, split_phrases
from tasks.temporal.european.numeric_dates import make_numeric_rules
from tasks.temporal.european.periods import make_period_rules
from tasks.temporal.european.sets import make_set_rules
from tasks.temporal.european.signals import make_joins, make_signal_rules
from tasks.temporal.european.times import make_time_rules
from tasks.temporal.grammar import LETTERED, MARKED, GrammarRule, JoinRule, Signal
from tasks.temporal.readings import Meaning
from tasks.temporal.tense import TenseWords

__all__ = ["UNACCENTED", "build_rules", "build_stages", "build_tense_words", "build_unambiguous_rules"]

_NUMBERS = frozenset(head + shape for head in NUMBER_HEADS for shape in ("", LETTERED, MARKED))
_NUMERIC_RULES = tuple(rule for rule in english.RULES if rule.heads <= _NUMBERS and rule is not BARE_YEAR)


_IN_STREET = re.compile(
    r"\b(?:rue|avenue|boulevard|place|quai|cours|square|calle|avenida|plaza|paseo|via|viale|piazza|largo|corso|rua|praca"
    r"|strasse|platz|allee)\s(?:(?:du|de|del|des|della|do|dos|da)\s)?(?:\d{1,2}\s(?:de\s)?)?\Z",
    re.IGNORECASE,
)
"""Words before a day by which a street is named: "rue du 11 Novembre"."""
_STREET_REACH = 24


def _refuse_streets(rule: GrammarRule) -> GrammarRule:
    """A rule that reads no day by which a street is named."""

    def read_outside_street(match: re.Match[str]) -> Meaning | Signal | None:
        is_street = _IN_STREET.search(match.string, max(0, match.start() - _STREET_REACH), match.start())
        return None if is_street else rule.reader(match)

    return replace(rule, reader=read_outside_street)


@cache
def build_rules(code: str) -> tuple[GrammarRule, ...]:
    """The rules of a language."""
    lexicon = EuropeanLexicon.read(code)
    has_am = "am" in split_phrases(lexicon.part_links)
    return (
        *make_era_rules(lexicon),
        *map(_refuse_streets, (*make_date_rules(lexicon), *make_christian_era_rules(lexicon))),
        *make_numeric_rules(lexicon),
        *make_holiday_rules(lexicon),
        *make_time_rules(lexicon),
        *make_period_rules(lexicon),
        *make_set_rules(lexicon),
        *make_signal_rules(lexicon),
        *(rule for rule in _NUMERIC_RULES if rule is not HALF_DAY or not has_am),
    )


@cache
def build_tense_words(code: str) -> TenseWords:
    """The words of a language that indicate the tense."""
    lexicon = EuropeanLexicon.read(code)
    # With their accents, as in the text.
    words, due, fillers = (
        "|".join(re.escape(part.strip()) for part in line.split(","))
        for line in (f"{lexicon.until}, {lexicon.before}", lexicon.due, lexicon.fillers)
    )
    until = rf"\b(?:(?:{words})|(?:{due})\s?:?)\s(?:(?:{fillers})\s)?\Z"
    return TenseWords(re.compile(lexicon.past), re.compile(lexicon.future), re.compile(until))


@cache
def build_stages(code: str) -> tuple[tuple[JoinRule, ...], ...]:
    """The stages of joins of a language."""
    return make_joins(EuropeanLexicon.read(code))


@cache
def build_unambiguous_rules() -> tuple[GrammarRule, ...]:
    """Rules for dates in a text of unknown language: days, months, quarters and fiscal years with their year."""
    lexicons = [EuropeanLexicon.read(code) for code in EUROPEAN]
    return tuple(
        rule
        for lexicon in lexicons
        for rule in (*make_unambiguous_rules(lexicon), *make_fiscal_rules(lexicon, is_year_required=True))
    )
