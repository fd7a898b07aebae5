"""Paragraphs of the text of cues, a line or two with a time each.

Cues are cut for display, often within sentences, and are joined again. A paragraph ends where another speaker begins,
where a sentence is followed by a pause, and where it is long. Captions that roll up show a line in two or three cues:
it is added once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SENTENCE_END = re.compile(r"[.!?。！？…][\"”’')\]]*$")
_EAST_ASIAN = re.compile(r"[\u3040-\u9fff\uff00-\uffef]")
_PAUSE = 2.0  # Seconds of silence after a sentence that begin a new paragraph.
_LONG_LENGTH, _MAX_LENGTH = 600, 1500  # Characters after which a paragraph ends with its sentence, or at once.
_MAX_ROLL_UP_GAP = 0.1
"""Seconds between two cues of which the second may repeat lines of the first, as captions that roll up do."""
_LABEL = re.compile(r"(?:-\s*|>>+\s*)?(?P<name>[^\W\d_][^:.!?,;\n]{0,38}[^\W_)]?\)?)\s?[:：]\s+(?=\S)")
"""A speaker's name before a line: "Anna Weber: Good morning", "AUDIENCE: Why?", "Speaker 1: Hello"."""
_MIN_SHARE = 0.5  # The share of cues that begin with a name in the captions of a meeting.
_MIN_LABELLED = 2  # Cues with a name.


@dataclass(frozen=True, slots=True)
class Cue:
    """The lines shown from `start` to `end`, in seconds; `speaker` is empty if nobody is named."""

    start: float
    end: float
    speaker: str
    lines: tuple[str, ...]


def iter_paragraphs(cues: Sequence[Cue]) -> Iterator[str]:
    """The paragraphs of some cues in order; each begins with the name of its speaker, if there is one.

    If most lines begin with the name of their speaker, as those of meetings do, it is shown once a paragraph; if few
    do, each name begins a paragraph, and lines without a name continue it.
    """
    labels = _find_labels(cues)
    paragraph, speaker = "", ""
    previous: Cue | None = None
    for cue in cues:
        new_lines = cue.lines if previous is None else _select_new_lines(previous, cue)
        if previous is not None and paragraph and new_lines:
            ends_sentence = _SENTENCE_END.search(paragraph) is not None and (
                cue.start - previous.end >= _PAUSE or len(paragraph) >= _LONG_LENGTH
            )
            if (not labels and cue.speaker != speaker) or len(paragraph) >= _MAX_LENGTH or ends_sentence:
                yield paragraph
                paragraph, speaker = "", speaker if labels.is_on_most_cues else ""
        if not labels:
            speaker = cue.speaker
        for line in new_lines:
            name, words = (cue.speaker, line) if not labels else labels.split(line)
            if labels and name and paragraph and (name != speaker or not labels.is_on_most_cues):
                yield paragraph
                paragraph = ""
            speaker = name or speaker
            if not paragraph and speaker:
                paragraph = f"{speaker}:"
            separator = "" if not paragraph or (_EAST_ASIAN.match(paragraph[-1]) and _EAST_ASIAN.match(words)) else " "
            paragraph += separator + words
        previous = cue
    if paragraph:
        yield paragraph


@dataclass(frozen=True, slots=True)
class _Labels:
    """The names that lines begin with, and whether most cues do so; empty where none are known."""

    names: frozenset[str]
    is_on_most_cues: bool

    def __bool__(self) -> bool:
        return bool(self.names)

    def split(self, line: str) -> tuple[str, str]:
        """The name before a line, or nothing, and its other words."""
        match = _LABEL.match(line)
        return (match["name"], line[match.end() :]) if match and match["name"] in self.names else ("", line)


def _find_labels(cues: Sequence[Cue]) -> _Labels:
    """The names of speakers before the lines of cues, where the file names them in no other way.

    Few lines begin with a name by chance ("Note: …"): at least half of the cues do, or a name in capitals, or of two
    words, is repeated.
    """
    if any(cue.speaker for cue in cues):
        return _Labels(frozenset(), is_on_most_cues=False)
    cue_names = [{match["name"] for line in cue.lines if (match := _LABEL.match(line))} for cue in cues]
    counts = Counter(name for names in cue_names for name in names)
    label_count = sum(map(bool, cue_names))
    if label_count >= _MIN_LABELLED and label_count >= _MIN_SHARE * len(cues):
        return _Labels(frozenset(counts), is_on_most_cues=True)
    repeated_names = {name for name, count in counts.items() if count > 1 and (name.isupper() or " " in name)}
    return _Labels(frozenset(counts if repeated_names else ()), is_on_most_cues=False)


def _select_new_lines(previous: Cue, cue: Cue) -> Sequence[str]:
    """The lines of a cue without those at its beginning that repeat the one before."""
    if cue.start - previous.end >= _MAX_ROLL_UP_GAP:
        return cue.lines
    possible_counts = range(min(len(previous.lines), len(cue.lines)), 0, -1)
    return cue.lines[next((count for count in possible_counts if previous.lines[-count:] == cue.lines[:count]), 0) :]
