"""Datasets: documents, questions, and the places of their answers; the layouts of their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from urllib.parse import quote

from tasks.evaluate.bootstrap import find_clusters
from warehouse.errors import BadInput
from warehouse.identity import digest
from warehouse.registry import Family


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a corpus: an existing `file`, or a title, the rows of a table and paragraphs.

    `stem` is the name of its file without the suffix; it identifies the document in the hits of a search.
    """

    name: str
    stem: str
    title: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    paragraphs: tuple[str, ...] = ()
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """The place of an answer: a document, and a page of it (from 1) if that is known. `grade` is above 0.

    `text` is the answer in the document's words, if known, and `near` about where it begins. `span` is its half-open
    span in the canonical text; None until it is located, and if it is not found.
    """

    document: str
    page: int | None = None
    grade: int = 1
    text: str = ""
    near: int | None = None
    span: tuple[int, int] | None = None

    @property
    def is_known(self) -> bool:
        """Whether a hit can be judged by it: its text is located, or it is a page or a document without text."""
        return self.span is not None or not self.text


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and every place that answers it, at least one. `answer` is the answer given there, if known."""

    name: str
    text: str
    gold: tuple[Gold, ...]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus and its questions. `notes` say, one sentence each, what in the files is not used or cannot be found.

    `places` are the files and folders of the documents; none if the documents are no files.
    """

    name: str
    documents: tuple[CorpusDocument, ...]
    questions: tuple[JudgedQuestion, ...]
    notes: tuple[str, ...] = ()
    places: tuple[Path, ...] = ()

    @property
    def is_paged(self) -> bool:
        """Whether the pages of all answers are known."""
        return all(gold.page is not None for question in self.questions for gold in question.gold)

    @property
    def is_located(self) -> bool:
        """Whether the text of any answer is located in a document."""
        return any(gold.span for question in self.questions for gold in question.gold)

    @property
    def clusters(self) -> dict[str, str]:
        """The cluster of each question by its name: those about one document are in one."""
        return find_clusters({question.name: [gold.document for gold in question.gold] for question in self.questions})

    def limit_questions(self, count: int) -> Dataset:
        """The same corpus with `count` of the questions, spread evenly over all."""
        step = max(len(self.questions) / count, 1.0)
        questions = [self.questions[int(index * step)] for index in range(min(count, len(self.questions)))]
        return replace(self, questions=tuple(questions))


@dataclass(frozen=True, slots=True)
class DatasetLayout:
    """One form of published questions; `form` names its files, in words.

    `fits` says whether a file or folder looks like this, without opening it. `read` returns the dataset there, or
    its named split; empty means the layout's default. Its `BadInput` names file, line and cure.
    """

    form: str
    fits: Callable[[Path], bool]
    read: Callable[[Path, str], Dataset]


LAYOUTS: Family[DatasetLayout] = Family("tasks.evaluate.layouts", "layout of judged questions")


def read_dataset(place: Path, split: str = "") -> Dataset:
    """The dataset in a file or folder. Raises `BadInput` if there is none or it cannot be read."""
    if not place.exists():
        raise BadInput(f"there is no file or folder {place}", "check the path")
    layout = next((layout for layout in LAYOUTS.values() if layout.fits(place)), None)
    if layout is None:
        forms = "; ".join(layout.form for layout in LAYOUTS.values())
        cure = f"give --questions FILE or --questions made, or a folder with one of these: {forms}"
        raise BadInput(f"{place} holds no judged questions", cure)
    dataset = layout.read(place, split)
    if not dataset.questions:
        raise BadInput(f"no question of {place} is judged", "at least one must have an answer in the corpus")
    return dataset


MAX_NAME_BYTES = 200  # File systems allow 255 bytes, of which the suffix and the writing program need some.


def make_stem(name: str) -> str:
    """A file name without its suffix, unique for each name: percent-encoded, or a digest if that is too long.

    It does not begin with a dot, `~` or `#`, which would hide the file from an ingest.
    """
    # Percent-encoding keeps dots, and the tilde, with which editors mark temporary files.
    stem = quote(name, safe="", errors="replace").replace("~", "%7E")
    if stem.startswith("."):
        stem = f"%2E{stem[1:]}"
    return stem if len(stem) <= MAX_NAME_BYTES else digest(name)


def format_webpage(source: CorpusDocument) -> str:
    """Its title as heading, its table, its paragraphs."""
    title = escape(source.title)
    heading = f"<h1>{title}</h1>" if title.strip() else ""
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in source.rows)
    table = f"<table>{rows}</table>" if rows else ""
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in source.paragraphs)
    head = f"<!doctype html><html><head><meta charset='utf-8'><title>{title}</title></head>"
    return f"{head}<body>{heading}{table}{paragraphs}</body></html>"
