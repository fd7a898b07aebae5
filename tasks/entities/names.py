"""Names of people, organisations, places and works: each block is read by the model of its language.

English is read by spaCy's small model and sifted by `name_gate`, Chinese by jieba (`chinese_names`). Blocks are read
rather than chunks, which overlap; a list by its items, and a block of both languages by its sentences. The only global
state are the models, loaded on first use and kept for the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.entities.chinese_names import find_chinese_names
from tasks.entities.english_words import english_model
from tasks.entities.name_gate import NameGate, ProposedName, iter_proposed_names, normalize_name
from tasks.parsers.language import detect_language, has_chinese
from warehouse.records import BlockKind, Document, Entity

LABELS = ("PERSON", "ORG", "GPE", "WORK_OF_ART")

_OTHER_PIPES = ("tok2vec", "tagger", "lemmatizer")
_SILENT = (BlockKind.TABLE, BlockKind.CODE, BlockKind.FURNITURE)
_LONGEST = 5000
_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"[^\n]+?(?:[。！？；]+|[.!?]+(?=\s)|(?=\n)|$)", re.MULTILINE)
_MARKER = re.compile(r"\s*(?:[-*+•–]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX>/-]\]\s+)?(?:\d{1,2}:\d{2}\s+)?")
_CAPITAL = re.compile(r"[A-ZÀ-ÖØ-Þ]|[^\W\d_a-zA-Z]")

_Piece = tuple[int, int]  # A stretch of a document's text.


def find_entities(documents: Sequence[Document]) -> tuple[tuple[Entity, ...], ...]:
    """For each document its names in the order of the text, with exact spans.

    Tables, code, furniture and what is neither English nor Chinese are not read. The English of all documents goes
    through the model in one stream.
    """
    pieces = [list(_iter_pieces(document)) for document in documents]
    english = [[piece for piece, language in each if language == "en"] for each in pieces]
    found = []
    for document, each, names in zip(documents, pieces, _iter_english_names(documents, english), strict=True):
        entities = [*names, *_iter_chinese_names(document, [piece for piece, language in each if language == "zh"])]
        found.append(tuple(sorted(entities, key=lambda entity: entity.start)))
    return tuple(found)


def _iter_pieces(document: Document) -> Iterator[tuple[_Piece, str]]:
    """The pieces of a document that are read, each with its language."""
    declared = "" if document.language == "zh" else document.language
    for block in document.blocks:
        if block.kind in _SILENT:
            continue
        text = document.text[block.start : block.end]
        if has_chinese(text):
            for match in _SENTENCE.finditer(text):
                yield (block.start + match.start(), block.start + match.end()), detect_language(match[0])
        else:
            language = detect_language(text, declared)
            lines = (
                [match.span() for match in _LINE.finditer(text)] if block.kind is BlockKind.LIST else [(0, len(text))]
            )
            for start, end in lines:
                if _CAPITAL.search(text, start, end):
                    for piece in _cut(document.text, block.start + start, block.start + end):
                        yield piece, language


def _cut(text: str, start: int, end: int) -> Iterator[_Piece]:
    """Blocks too long for the model's memory, at white space where there is some."""
    while end - start > _LONGEST:
        space = text.rfind(" ", start + 1, start + _LONGEST)
        stop = space if space > 0 else start + _LONGEST
        yield start, stop
        start = stop
    yield start, end


def _iter_english_names(documents: Sequence[Document], pieces: Sequence[Sequence[_Piece]]) -> Iterator[list[Entity]]:
    proposed: list[list[ProposedName]] = [[] for _ in documents]
    # The mark of an item says nothing to the model.
    marked = [
        (number, start, start + len(_match(_MARKER, document.text[start:end])), end)
        for number, (document, each) in enumerate(zip(documents, pieces, strict=True))
        for start, end in each
    ]
    found = _find_labelled_spans([documents[number].text[first:end] for number, _, first, end in marked])
    for (number, start, first, end), spans in zip(marked, found, strict=True):
        places = [(first - start + begin, first - start + stop, label) for begin, stop, label in spans]
        proposed[number] += iter_proposed_names(documents[number].text[start:end], start, places)
    for document, each, names in zip(documents, pieces, proposed, strict=True):
        gate = NameGate([document.text[start:end] for start, end in each])
        yield [
            Entity(name.start, name.end, name.text, name.label, normalize_name(name.text))
            for name in gate.select_names(names)
        ]


def _find_labelled_spans(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """The names that the model finds in each text: starts, ends and labels.

    They are judged afterwards, by words that the same model reads.
    """
    if not texts:
        return []
    with english_model() as model:
        read = model.pipe(texts, batch_size=64, disable=_OTHER_PIPES)
        return [
            [(span.start_char, span.end_char, span.label_) for span in parsed.ents if span.label_ in LABELS]
            for parsed in read
        ]


def _match(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found[0] if found else ""


def _iter_chinese_names(document: Document, pieces: Sequence[_Piece]) -> Iterator[Entity]:
    for start, end in pieces:
        text = document.text[start:end]
        for first, last, label in find_chinese_names(text):
            yield Entity(start + first, start + last, text[first:last], label, normalize_name(text[first:last]))
