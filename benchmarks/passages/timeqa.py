"""TimeQA (Chen et al. 2021), questions about a time: asked of the paragraphs of one article, or of all articles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import accumulate, pairwise
from pathlib import Path

from benchmarks.passages.exam import Period, Question
from benchmarks.passages.pieces import Note, Piece
from benchmarks.passages.questions import Span
from tasks.evaluate.dataset import CorpusDocument, Dataset, Gold, JudgedQuestion, make_stem
from tasks.temporal.question import parse_times

TARGET = 1000
ARTICLES = 10
_TODAY = date(2022, 1, 1)
_SHORTEST = 80
_GLUED = {" ,": ",", " .": ".", " ;": ";", "( ": "(", " )": ")"}


def exam(file: Path) -> tuple[list[Note], list[Question]]:
    """The first articles that have questions with answers, each its own pool, its paragraphs the passages."""
    notes: list[Note] = []
    questions: list[Question] = []
    for number, article in enumerate(json.loads(file.read_text(encoding="utf-8"))):
        if len(notes) == ARTICLES:
            break
        name = f"article {number + 1}"
        texts = [f"{natural(text)}\n\n" for text in article["paras"]]
        spans = list(pairwise(accumulate(map(len, texts), initial=0)))
        pieces = tuple(_joined(texts, spans))
        asked = [
            Question(
                text,
                name,
                name,
                tuple(spans[part] for part in sorted({each["para"] for each in answers})),
                _periods(text),
            )
            for text, answers in article["questions"]
            if any(each["answer"] for each in answers)
        ]
        if asked:
            notes.append(Note(name, name, pieces, TARGET))
            questions += asked
    return notes, questions


def dataset(file: Path, every: int) -> Dataset:
    """Every so many-th article as a document, and the questions with answers; the paragraph of each answer is gold."""
    articles = json.loads(file.read_text(encoding="utf-8"))
    kept = list(dict.fromkeys(article["link"] for article in articles))[::every]
    documents: dict[str, CorpusDocument] = {}
    questions: list[JudgedQuestion] = []
    for article in articles:
        name = article["link"]
        if name in kept:
            title, *rest = map(natural, article["paras"])
            documents[name] = CorpusDocument(name, make_stem(name), title, (), tuple(rest))
            for text, answers in article["questions"]:
                parts = sorted({each["para"] for each in answers if each["answer"]})
                gold = tuple(Gold(name, text=natural(article["paras"][part])) for part in parts)
                questions += [JudgedQuestion(str(len(questions) + 1), text, gold)] if gold else []
    return Dataset("timeqa", tuple(documents.values()), tuple(questions))


def _joined(texts: Sequence[str], spans: Sequence[Span]) -> Iterator[Piece]:
    """Each paragraph with the headings before it, which are paragraphs of a few words in this data."""
    first, waiting = 0, ""
    for text, (start, end) in zip(texts, spans, strict=True):
        first, waiting = (first, waiting + text) if waiting else (start, text)
        if len(text) >= _SHORTEST:
            yield Piece(waiting, (first, end))
            waiting = ""
    if waiting:
        yield Piece(waiting, (first, spans[-1][1]))


def natural(text: str) -> str:
    """A paragraph without the spaces that its tokenizer left before its signs."""
    for apart, glued in _GLUED.items():
        text = text.replace(apart, glued)
    return " ".join(text.split())


def _periods(question: str) -> tuple[Period, ...]:
    windows = parse_times(question, _TODAY, "en").windows
    return tuple((window.start or date.min, window.end or date.max) for window in windows)
