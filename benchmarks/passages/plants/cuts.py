"""Chunks cut in wrong places: the text stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from benchmarks.passages.exam import recall_of_budget, reciprocal_rank
from benchmarks.passages.pieces import Note, Piece, changed
from benchmarks.passages.plants.contract import Plant, chosen
from tasks.chunkers.parts.document_spans import find_sentences

_LEAST = 60


def torn(note: Note) -> tuple[Note, ...]:
    """Gives the second half of the last sentence of each chosen chunk to the next."""
    made: list[Piece] = []
    tail = Piece("", (0, 0))
    for piece, is_chosen in chosen(note):
        whole = _joined([tail, piece]) if tail.text else piece
        at = _middle_of_last(whole.text) if is_chosen and piece is not note.pieces[-1] else None
        kept, tail = _parted(whole, len(whole.text) if at is None else at)
        made.append(kept)
    return (changed(note, made),)


def _middle_of_last(text: str) -> int | None:
    """A place between words about the middle of the last sentence, if that is long enough."""
    end = len(text.rstrip())
    start = [0, *find_sentences(text, 0, end)][-1]
    at = text.find(" ", (start + end) // 2, end) + 1
    return at if at and end - start >= _LEAST else None


def beheaded(note: Note) -> tuple[Note, ...]:
    """Cuts the headings at the head of chunks from the text below them."""
    return (changed(note, (part for piece in note.pieces for part in _beheaded(piece))),)


def _beheaded(piece: Piece) -> Iterator[Piece]:
    at = 0
    for line in piece.text.splitlines(keepends=True):
        if line.strip() and not line.startswith("#"):
            break
        at += len(line)
    yield from (part for part in _parted(piece, at) if part.text)


def some_joined(note: Note) -> tuple[Note, ...]:
    """Makes one chunk of three in a row, and leaves the six after them."""
    return (changed(note, _runs(note.pieces, (3, 1, 1, 1, 1, 1, 1))),)


def all_joined(note: Note) -> tuple[Note, ...]:
    """Makes one chunk of each three in a row."""
    return (changed(note, _runs(note.pieces, (3,))),)


def _runs(pieces: Sequence[Piece], lengths: Sequence[int]) -> Iterator[Piece]:
    waiting = iter(pieces)
    while True:
        for length in lengths:
            run = list(islice(waiting, length))
            if not run:
                return
            yield _joined(run)


def split(note: Note) -> tuple[Note, ...]:
    """Cuts the table of every second note in the middle of its rows."""
    made: list[Piece] = []
    for piece, is_chosen in chosen(note, is_table):
        lines = piece.text.splitlines(keepends=True)
        middle = len("".join(lines[: 2 + (len(lines) - 2) // 2]))
        made += _parted(piece, middle) if is_chosen else (piece,)
    return (changed(note, made),)


def is_table(piece: Piece) -> bool:
    """Whether a piece is a pipe table."""
    return piece.text.startswith("| ")


def _parted(piece: Piece, at: int) -> tuple[Piece, Piece]:
    """A piece that shows what it says, cut in two."""
    start, end = piece.shows or (0, 0)
    return Piece(piece.text[:at], (start, start + at)), Piece(piece.text[at:], (start + at, end))


def _joined(run: Sequence[Piece]) -> Piece:
    shows = [piece.shows or (0, 0) for piece in run]
    return Piece("".join(piece.text for piece in run), (shows[0][0], shows[-1][1]))


PLANTS = (
    Plant(("CHK002", "CHK003"), "half a sentence given to the next", "prose", torn),
    Plant(("CHK006",), "headings cut from their text", "prose", beheaded),
    Plant(("CHK007",), "three joined, six not", "prose", some_joined, recall_of_budget),
    Plant(("CHK010",), "all joined by threes", "prose", all_joined, recall_of_budget),
    Plant(("TAB001",), "cut in the middle", "tables", split),
    Plant(("TAB001",), "cut in the middle", "tables", split, reciprocal_rank),
)
