"""The exam on prose: three corpora with questions whose answers are marked to the character."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from benchmarks.passages.exam import Question
from benchmarks.passages.pieces import Note, Piece
from benchmarks.passages.questions import places
from benchmarks.passages.questions import read as read_questions
from tasks.chunkers.packed import StructuralChunker
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read

SIZE = 600
_HEADING = re.compile(r"^ (=+(?: =)*) (.+?) =[= ]*$", re.MULTILINE)


def exam(folder: Path) -> tuple[list[Note], list[Question]]:
    """Each corpus a note of its own pool, cut by the default chunker without overlap."""
    files, asked = read_questions(folder)
    notes = [note(name, path.read_text(encoding="utf-8")) for name, path in files.items()]
    return notes, [Question(each.text, each.corpus, each.corpus, each.answers) for each in asked]


def note(name: str, source: str) -> Note:
    """A corpus in pieces, which are its chunks with the white space after them."""
    text = _HEADING.sub(_marked_up, source)
    document = read(Raw(f"{name}.md", text.encode()))
    known = places(document.text, text)
    starts = [known[start] for start, _ in StructuralChunker(size=SIZE, overlap=0, table_overlap=0).spans(document)]
    lines = [_with_marks(text, start) for start in starts]
    edges = sorted({0, *lines[1:], len(text)})
    return Note(name, name, tuple(Piece(text[slice(*span)], span) for span in pairwise(edges)), SIZE)


def _marked_up(found: re.Match[str]) -> str:
    """A heading of WikiText as one of Markdown, of the same length."""
    level = found[1].count("=")
    return f"{'#' * level} {found[2]}".ljust(len(found[0]))


def _with_marks(text: str, start: int) -> int:
    """Where the line of a heading begins, whose marks are not in the text that was read."""
    line = text.rfind("\n", 0, start) + 1
    return line if text[line:start].strip() and not text[line:start].strip("# ") else start
