"""Questions made from a corpus itself, without a model: for users with documents but no judged questions.

A maker turns one kind of text (a figure of a table, a heading, a sentence) into questions whose answer is in one place
of the corpus. The hash of the words decides which questions are used, so that they are the same on any machine; kinds
and documents take turns, so that most questions are not about one long report.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tasks.evaluate.dataset import Gold, JudgedQuestion
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.registry import Family

DEFAULT_COUNT = 200  # The default number of questions: an interval of about ±.07 for a share near one half.
_DOCUMENTS = """
    SELECT d.document_id, CASE WHEN d.kind = 'note' THEN d.title ELSE c.title END
    FROM documents d JOIN contents c USING (document_id) ORDER BY d.document_id
"""
"""The title of a note is that of its file; that of any other document is from its content."""
_BLOCKS = """
    SELECT kind, start, "end", page FROM blocks WHERE document_id = $id AND kind <> 'furniture' ORDER BY ordinal
"""


@dataclass(frozen=True, slots=True)
class ReadBlock:
    """A block of a document: its kind, half-open span and page."""

    kind: str
    start: int
    end: int
    page: int | None


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as it was read: its name in the corpus, title, text, and blocks without the furniture of pages."""

    name: str
    title: str
    text: str
    blocks: tuple[ReadBlock, ...]


@dataclass(frozen=True, slots=True)
class QuestionMaker:
    """Makes one kind of question.

    `description` says what a search that answers them can do, as the end of "they show whether …". `make` returns all
    questions about documents, whose names in the corpus it takes by id.
    """

    description: str
    make: Callable[[Warehouse, Mapping[str, str]], Iterator[JudgedQuestion]]


MAKERS: Family[QuestionMaker] = Family("tasks.evaluate.makers", "kind of made questions")


def make_questions(
    warehouse: Warehouse, names: Mapping[str, str], count: int = DEFAULT_COUNT
) -> tuple[JudgedQuestion, ...]:
    """At most `count` questions about the documents of these ids; kinds and documents take turns."""
    kinds = [_take_turns(maker.make(warehouse, names), count) for maker in MAKERS.values()]
    turns = (kind[turn] for turn in range(count) for kind in kinds if turn < len(kind))
    return tuple(question for question, _ in zip(turns, range(count), strict=False))


def describe_questions(questions: Sequence[JudgedQuestion]) -> Iterator[str]:
    """The notes on what such questions can and cannot show."""
    counts = {kind: sum(question.name.startswith(f"{kind}-") for question in questions) for kind in MAKERS}
    yield "made from the corpus: " + "; ".join(
        f"{count} {kind}, which show whether {MAKERS[kind].description}" for kind, count in counts.items() if count
    )
    yield (
        "such questions compare settings on these documents; their words come from the text, so that figures are "
        "higher than for people's questions and keywords look better than they are; a passage that says the same in "
        "other words counts as a miss"
    )


def iter_documents(warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[ReadDocument]:
    """The documents of these ids, one at a time."""
    for document_id, title in warehouse.snapshot.query_rows(_DOCUMENTS):
        if document_id in names:
            blocks = tuple(ReadBlock(*row) for row in warehouse.snapshot.query_rows(_BLOCKS, {"id": document_id}))
            yield ReadDocument(names[document_id], title or "", warehouse.read_text(document_id), blocks)


def make_question(kind: str, text: str, answer: str, *gold: Gold) -> JudgedQuestion:
    """A question with a name of its own that begins with its kind."""
    return JudgedQuestion(f"{kind}-{digest(text, gold[0].document)[:8]}", text, gold, answer)


def is_chinese(text: str) -> bool:
    """Whether a text has Chinese characters, so that questions about it are in Chinese."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def _take_turns(questions: Iterable[JudgedQuestion], count: int) -> list[JudgedQuestion]:
    """At most `count` questions: the first of each document by its hash, then the second of each."""
    by_document: defaultdict[str, dict[str, JudgedQuestion]] = defaultdict(dict)
    for question in questions:
        by_document[question.gold[0].document][digest(question.text)] = question
    turns = [
        (turn, key, questions[key])
        for questions in by_document.values()
        for turn, key in enumerate(sorted(questions)[:count])
    ]
    return [question for _, _, question in sorted(turns, key=lambda turn: turn[:2])[:count]]
