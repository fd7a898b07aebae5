"""The measures of TempEval-3 (UzZaman et al., 2013) for temporal expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.timexes.gold import Text, Timex

Tagger = Callable[[Text], Sequence[Timex]]


@dataclass(slots=True)
class Counts:
    """Pairs of one found and one tagged that overlap (relaxed), are equal (strict), mean the same (value)."""

    found: int = 0
    tagged: int = 0
    relaxed: int = 0
    strict: int = 0
    value: int = 0

    def f1(self, pairs: int) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * pairs / (self.found + self.tagged) if self.found + self.tagged else 0.0

    def report(self) -> dict[str, float]:
        """Every measure by its name."""
        return {
            "precision": self.relaxed / max(1, self.found),
            "recall": self.relaxed / max(1, self.tagged),
            "relaxed_f1": self.f1(self.relaxed),
            "strict_f1": self.f1(self.strict),
            "value_f1": self.f1(self.value),
            "found": self.found,
            "tagged": self.tagged,
        }


@dataclass(frozen=True, slots=True)
class Error:
    """What went wrong with one expression: missed, spurious or misread."""

    kind: str
    context: str
    found: str
    tagged: str


def score(texts: Iterable[Text], tagger: Tagger, errors: list[Error] | None = None) -> Counts:
    """Every text tagged and counted; what is ignored in the gold is neither a hit nor a false alarm."""
    counts = Counts()
    for text in texts:
        _count(text, tagger(text), counts, errors)
    return counts


def _count(text: Text, found: Sequence[Timex], counts: Counts, errors: list[Error] | None) -> None:
    ignored = [each for each in text.gold if each.ignored]
    left = [each for each in found if not any(_overlap(each, other) for other in ignored)]
    counts.found += len(left)
    for gold in text.gold:
        if gold.ignored:
            continue
        counts.tagged += 1
        ours = max((each for each in left if _overlap(each, gold)), key=lambda each: _common(each, gold), default=None)
        if ours is None:
            _note(errors, "missed", text, None, gold)
            continue
        left.remove(ours)
        counts.relaxed += 1
        counts.strict += (ours.start, ours.end) == (gold.start, gold.end)
        counts.value += means_the_same(ours, gold)
        if not means_the_same(ours, gold):
            _note(errors, "misread", text, ours, gold)
        elif (ours.start, ours.end) != (gold.start, gold.end):
            _note(errors, "extent", text, ours, gold)
    for each in left:
        _note(errors, "spurious", text, each, None)


def means_the_same(ours: Timex, gold: Timex) -> bool:
    """Equal days where the gold resolves to days, else equal TIMEX3 values."""
    if gold.intervals:
        return any(interval in gold.intervals for interval in ours.intervals)
    return ours.value == gold.value or (gold.value.startswith("T") and _clock(ours.value) == _clock(gold.value))


def _clock(value: str) -> str:
    """The time of day of a value, to the minute: T07 is T07:00."""
    clock = value.partition("T")[2]
    return f"{clock}:00" if len(clock) == 2 and clock.isdigit() else clock


def _overlap(one: Timex, other: Timex) -> bool:
    return one.start < other.end and other.start < one.end


def _common(one: Timex, other: Timex) -> int:
    return min(one.end, other.end) - max(one.start, other.start)


def _note(errors: list[Error] | None, kind: str, text: Text, ours: Timex | None, gold: Timex | None) -> None:
    if errors is None:
        return
    place = gold or ours
    assert place is not None
    context = text.text[max(0, place.start - 40) : place.end + 30].replace("\n", " ")
    errors.append(Error(kind, f"[{str(text.anchor)[:10]}] {context}", _shown(text, ours), _shown(text, gold)))


def _shown(text: Text, timex: Timex | None) -> str:
    if timex is None:
        return ""
    days = " or ".join(f"{start}..{end}" for start, end in timex.intervals)
    return f"{text.text[timex.start : timex.end]!r} {timex.value} {days}".rstrip()
