"""Paragraphs of what is said in cues, a line or two with a time each.

Cues are cut for the eye, in the middle of sentences; they are put together again. A paragraph ends where another
speaker begins, where a sentence is followed by a pause, and where it has grown long. Captions that roll up show a line
in two or three cues: it is said once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ENDS = re.compile(r"[.!?。！？…][\"”’')\]]*$")
_WIDE = re.compile(r"[\u3040-\u9fff\uff00-\uffef]")
_PAUSE = 2.0  # Seconds of silence after a sentence that begin a new paragraph.
_LONG, _LONGEST = 600, 1500  # Characters from which a paragraph ends with its sentence, and at which it ends anyhow.
_ROLLING = 0.1
"""Seconds between two cues of which the second may show lines of the first again, as captions do that roll up."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What is shown from `start` to `end`, in seconds; `speaker` is empty where nobody is named."""

    start: float
    end: float
    speaker: str
    lines: tuple[str, ...]


def iter_paragraphs(cues: Sequence[Cue]) -> Iterator[str]:
    """The paragraphs of some cues in order; a speaker who is named stands before each of his."""
    paragraph = ""
    before: Cue | None = None
    for cue in cues:
        new = cue.lines if before is None else _select_new_lines(before, cue)
        if before is not None and paragraph and new:
            ends_sentence = _ENDS.search(paragraph) is not None and (
                cue.start - before.end >= _PAUSE or len(paragraph) >= _LONG
            )
            if cue.speaker != before.speaker or len(paragraph) >= _LONGEST or ends_sentence:
                yield paragraph
                paragraph = ""
        if not paragraph and new and cue.speaker:
            paragraph = f"{cue.speaker}:"
        for line in new:
            joint = "" if not paragraph or (_WIDE.match(paragraph[-1]) and _WIDE.match(line)) else " "
            paragraph += joint + line
        before = cue
    if paragraph:
        yield paragraph


def _select_new_lines(before: Cue, cue: Cue) -> Sequence[str]:
    """The lines of a cue without those at its beginning that stay from the one before."""
    if cue.start - before.end >= _ROLLING:
        return cue.lines
    shared = range(min(len(before.lines), len(cue.lines)), 0, -1)
    return cue.lines[next((count for count in shared if before.lines[-count:] == cue.lines[:count]), 0) :]
