"""Datasets: documents, questions, and where their answers stand; the layouts of files that hold one."""

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
    """A document of a corpus: a `file` that is there, or a title, the rows of a table and paragraphs.

    `stem` is the name of its file without the suffix; the hits of a search are known by it.
    """

    name: str
    stem: str
    title: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    paragraphs: tuple[str, ...] = ()
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """Where a question is answered: in a document, on a page of it (from 1) where that is known. `grade` is above 0.

    `text` are the words that answer, where they are known, and `near` is about where they begin. `span` is where they
    stand in the document's canonical text, half-open; None until they are looked for there, and where they are not.
    """

    document: str
    page: int | None = None
    grade: int = 1
    text: str = ""
    near: int | None = None
    span: tuple[int, int] | None = None

    @property
    def is_known(self) -> bool:
        """Whether a hit can be judged by it: its words are found, or it is a page or a document and has none."""
        return self.span is not None or not self.text


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and every place that answers it: at least one. `answer` is what is said there, where it is known."""

    name: str
    text: str
    gold: tuple[Gold, ...]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus and its questions. `notes` say in a sentence each what of the files is not asked or cannot be found.

    `places` are the files and folders that hold the documents, none where those are no files.
    """

    name: str
    documents: tuple[CorpusDocument, ...]
    questions: tuple[JudgedQuestion, ...]
    notes: tuple[str, ...] = ()
    places: tuple[Path, ...] = ()

    @property
    def is_paged(self) -> bool:
        """Whether it is known on which pages the answers stand."""
        return all(gold.page is not None for question in self.questions for gold in question.gold)

    @property
    def is_located(self) -> bool:
        """Whether the words of some answer are found in the documents' canonical texts."""
        return any(gold.span for question in self.questions for gold in question.gold)

    @property
    def clusters(self) -> dict[str, str]:
        """The cluster of each question by its name: those about one document are in one."""
        return find_clusters({each.name: [gold.document for gold in each.gold] for each in self.questions})

    def limit_questions(self, count: int) -> Dataset:
        """The same corpus with `count` of the questions, spread evenly over all."""
        step = max(len(self.questions) / count, 1.0)
        chosen = [self.questions[int(place * step)] for place in range(min(count, len(self.questions)))]
        return replace(self, questions=tuple(chosen))


@dataclass(frozen=True, slots=True)
class DatasetLayout:
    """One form of published questions; `form` are the files that make it, in words.

    `fits` says whether a file or folder looks like this and opens nothing. `read` gives the dataset there, or the part
    of it that is called so; empty stands for the layout's default. It raises `BadInput` that names the file, the line
    where there is one, and the cure.
    """

    form: str
    fits: Callable[[Path], bool]
    read: Callable[[Path, str], Dataset]


LAYOUTS: Family[DatasetLayout] = Family("tasks.evaluate.layouts", "layout of judged questions")


def read_dataset(place: Path, split: str = "") -> Dataset:
    """The dataset in a file or folder. Raises `BadInput` where there is none or it cannot be read."""
    if not place.exists():
        raise BadInput(f"there is no file or folder {place}", "check the path")
    fitting = next((layout for layout in LAYOUTS.values() if layout.fits(place)), None)
    if fitting is None:
        forms = "; ".join(layout.form for layout in LAYOUTS.values())
        cure = f"give --questions FILE or --questions made, or a folder with one of these: {forms}"
        raise BadInput(f"{place} holds no judged questions", cure)
    dataset = fitting.read(place, split)
    if not dataset.questions:
        raise BadInput(f"no question of {place} is judged", "at least one must have an answer in the corpus")
    return dataset


MAX_NAME_BYTES = 200  # Bytes: file systems take 255, the suffix and what writes the file need some of them.


def make_stem(name: str) -> str:
    """A file name without its suffix, another for each name: percent-encoded, a digest where that is too long.

    It begins with no dot, `~` or `#`, which would hide the file from an ingest.
    """
    # A dot is left as it is by percent-encoding; so is the tilde, by which editors mark what is temporary.
    encoded = quote(name, safe="", errors="replace").replace("~", "%7E")
    if encoded.startswith("."):
        encoded = f"%2E{encoded[1:]}"
    return encoded if len(encoded) <= MAX_NAME_BYTES else digest(name)


def format_webpage(source: CorpusDocument) -> str:
    """Its title as heading, its table, its paragraphs."""
    title = escape(source.title)
    heading = f"<h1>{title}</h1>" if title.strip() else ""
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in source.rows)
    table = f"<table>{rows}</table>" if rows else ""
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in source.paragraphs)
    head = f"<!doctype html><html><head><meta charset='utf-8'><title>{title}</title></head>"
    return f"{head}<body>{heading}{table}{paragraphs}</body></html>"
