"""European words that bend or join the times beside them: "seit", "jusqu'à", "entre", "fine"; with their articles."""

from __future__ import annotations

from tasks.temporal.english.lexicon import S
from tasks.temporal.european.lexicon import EuropeanLexicon, either, heads, phrases
from tasks.temporal.grammar import GrammarRule, Signal, SignalRole, rule
from warehouse.records import Modifier


def signal_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """The signals of a language. A word that says several things, as "bis" does, is the first of them."""
    article = rf"(?:{S}(?:{either(phrases(lexicon.fillers))}))?"
    table = (
        (lexicon.to, Signal(SignalRole.TO)),
        (lexicon.until, Signal(SignalRole.TO, Modifier.ON_OR_BEFORE)),
        (lexicon.from_, Signal(SignalRole.FROM)),
        (lexicon.between, Signal(SignalRole.BETWEEN)),
        (lexicon.and_, Signal(SignalRole.AND)),
        (lexicon.at, Signal(SignalRole.AT)),
        (lexicon.since, Signal(SignalRole.BOUND, Modifier.ON_OR_AFTER)),
        (lexicon.before, Signal(SignalRole.BOUND, Modifier.BEFORE)),
        (lexicon.after, Signal(SignalRole.BOUND, Modifier.AFTER)),
        (lexicon.start, Signal(SignalRole.PART, Modifier.START)),
        (lexicon.middle, Signal(SignalRole.PART, Modifier.MID)),
        (lexicon.end, Signal(SignalRole.PART, Modifier.END)),
        (lexicon.about, Signal(SignalRole.LENGTH, Modifier.APPROX)),
    )
    meaning: dict[str, Signal] = {}
    for words, signal in table:
        for each in phrases(words):
            # What ends a range may also end what is open: "bis 2020".
            is_either = each in meaning and meaning[each].word is signal.word
            meaning[each] = signal if is_either else meaning.get(each, signal)
    return tuple(rule(heads([each]), rf"{either([each])}{article}", signal) for each, signal in meaning.items())
