"""The central record: one `Document` of ordered blocks over one canonical text, independent of the file's format."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from warehouse.records.calendars import YearEnd


class Severity(StrEnum):
    """The severity of a finding, in SARIF's terms."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `code` and `name` are the rule's; `penalty` is what it costs the chunk's score (0 to 1).

    `start` and `end` are the span in the document's text, `chunk_id` the chunk with the fault, where there is one.
    """

    code: str
    name: str
    severity: Severity
    message: str
    penalty: float = 0.0
    start: int | None = None
    end: int | None = None
    page: int | None = None
    chunk_id: str | None = None


class Kind(StrEnum):
    """The kind of a document; it decides the chunker and the form of the citation."""

    REPORT = "report"
    PAPER = "paper"
    COURSE = "course"
    NOTE = "note"
    MESSAGE = "message"
    BOOK = "book"
    TEXT = "text"


class BlockKind(StrEnum):
    """The kind of a block. `FURNITURE` is no part of the content: running headers, footers and page numbers."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    FURNITURE = "furniture"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in PDF points from the page's top left corner."""

    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Region:
    """The position of a piece of the canonical text on a page: `text[start:end]` is in `box` on `page` (1-based)."""

    start: int
    end: int
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Block:
    """One unit of the text. Blocks are in reading order, never overlap, and leave only white space between them.

    `level` is the depth of a heading (1 to 6), else 0. `section` is the path of headings above the block, a heading's
    own text included. `table` is the number of the table a `TABLE` block shows. `regions` are its lines,
    each on its page: a block continues on the next page if its paragraph does.
    """

    ordinal: int
    kind: BlockKind
    start: int
    end: int
    page: int | None = None
    level: int = 0
    section: tuple[str, ...] = ()
    table: int | None = None
    regions: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True)
class TablePart:
    """The part of a table on one page: rows `first_row` to `last_row`, both included, 0-based."""

    page: int
    box: Box
    first_row: int
    last_row: int


@dataclass(frozen=True, slots=True)
class Merge:
    """A cell that spans rows or columns: its text is at `row` and `column`, its other cells are empty."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table: `rows` are rectangular, the first `header_rows` of them are its header; 0 where it has none.

    `document.text[start:end]` is its shown form (`warehouse/table_notation.py`). `row_spans` are the character
    spans of the lines of that form, one a row, in the document's text. `caption` is the title above (or below) and
    `notes` the footnotes below; where they are outside the table they are blocks of their own as well.
    `confidence`, 0 to 1, says how surely this is a table with these rows and columns; it is 1 in formats that mark
    their tables up.
    """

    number: int
    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]
    row_spans: tuple[tuple[int, int], ...]
    header_rows: int = 1
    caption: str = ""
    notes: tuple[str, ...] = ()
    merges: tuple[Merge, ...] = ()
    confidence: float = 1.0
    parts: tuple[TablePart, ...] = ()


class StatementKind(StrEnum):
    """The primary statements of a financial report."""

    INCOME = "income"
    COMPREHENSIVE_INCOME = "comprehensive income"
    BALANCE_SHEET = "balance sheet"
    CASH_FLOWS = "cash flows"
    EQUITY = "equity"


@dataclass(frozen=True, slots=True)
class Cell:
    """One body cell of a table with its headers and, where it is a number, its value in units.

    `row_header` and `column_header` are paths joined with " / ": section labels before the row's own, upper headers
    before lower ones. `value` is already multiplied by `scale` ("in millions" is 1e6); dashes, "nil" and "n/a" have
    none. `unit` is "%", "pp", "bp", "x" or a word; `currency` an ISO 4217 code; the period is half-open. `start` and
    `end` are the cell's span in the text. `doubt` says in words why scale or period are not sure; it is mostly empty.
    `statement` is the kind of primary statement that the table is, if it is one.

    `concept` is that of the tag in which the filer gives the figure ("us-gaap:Revenues"), and `fact` the number of
    that fact in the document: value, unit, scale, currency and period are then the filer's own, and the sign is the
    concept's, whatever brackets the table prints. Empty and None where they are read from the printed table.
    """

    table: int
    row: int
    column: int
    text: str
    start: int
    end: int
    row_header: str
    column_header: str
    value: float | None = None
    unit: str = ""
    scale: float = 1.0
    currency: str = ""
    period_start: date | None = None
    period_end: date | None = None
    doubt: str = ""
    statement: StatementKind | None = None
    concept: str = ""
    fact: int | None = None


class TotalOf(StrEnum):
    """What a total adds."""

    ROWS = "rows"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Total:
    """A cell that is the total of others of its column (`of` is rows) or row (columns), and whether it adds up.

    `parts` are the rows or columns it sums, `less` those that it deducts. `stated` and `computed` are in units, as
    `Cell.value` is; `difference` is stated less computed. It adds up where that is no more than the rounding of the
    printed figures explains: half a unit of the last digit of each. `label` is the header of the total's row or column.
    """

    table: int
    row: int
    column: int
    of: TotalOf
    label: str
    parts: tuple[int, ...]
    less: tuple[int, ...]
    stated: float
    computed: float
    difference: float
    adds_up: bool
    start: int
    end: int


class DateOrigin(StrEnum):
    """Where the date of a document or an entry came from, in falling order of trust.

    A file's time dates nothing but a log whose lines name no year.
    `MESSAGE` is the day that a mail's sender had when it was sent. `LINE` dates entries alone. `ROWS` are the days of a
    table's rows: the last of them dates a log, the first to the last in a passage date that.
    """

    CORRECTED = "corrected by a person"
    MESSAGE = "date of a message"
    NOTE_NAME = "daily-note name"
    FRONT_MATTER = "front matter"
    PUBLICATION = "publication date"
    DATELINE = "dateline"
    COVER_TAG = "tag of the cover"
    PROPERTIES = "document properties"
    HEADING = "date heading"
    LINE = "date of a line"
    FILE_NAME = "file name"
    FILE_TIME = "time of the file"
    ROWS = "dates of rows"
    TEXT = "first date in the text"


@dataclass(frozen=True, slots=True)
class DateClaim:
    """A date that a part of the document, or its name, gives as the document's own."""

    date: datetime.date
    origin: DateOrigin


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson of a course; `text[start:end]` is its complete transcript."""

    number: int
    title: str
    link: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Attributes:
    """Attributes that only some kinds of document have: papers, courses, notes, reports.

    `subjects` are the headings under which a journal lists the paper. `paper_type` is the type of a paper, or the form
    of a report ("10-K", "annual report", "earnings release"); `aliases` are what a note, or a report its company, is
    also called. `day_order` says how numeric dates of the file were read: "day first" or "month first" where one of
    them settles it, "day first (assumed)" where none does, and nothing where there are none. `fiscal_year_start` is the
    month, 1 to 12, in which the text says that fiscal years begin. `year_ends` are the words about the ends of fiscal
    years, quarters and halves, from which that is learned. `reported_text` are the words that say which period the text
    reports on, `reported_name` is what it is called ("FY2022", "Q2 2023"), `reported_start` and `reported_end` are its
    days, half-open. `company` is whose report it is, as its cover or headline has the name, and `symbols` are those of
    its stock.
    """

    journal: str = ""
    pmcid: str = ""
    pmid: str = ""
    doi: str = ""
    topic: str = ""
    paper_type: str = ""
    keywords: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    instructor: str = ""
    link: str = ""
    lessons: tuple[Lesson, ...] = ()
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    day_order: str = ""
    fiscal_year_start: int | None = None
    year_ends: tuple[YearEnd, ...] = ()
    reported_text: str = ""
    reported_name: str = ""
    reported_start: date | None = None
    reported_end: date | None = None
    company: str = ""
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The result of parsing a file's bytes, without its name or location.

    `title` is empty where the content names none. `dates` are the claims found in the content. `language` is "en",
    "zh" or "und". `total_pages` is None for formats without pages. `facts` are what the file itself tags as data.
    """

    kind: Kind
    media_type: str
    text: str
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...] = ()
    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = "und"
    dates: tuple[DateClaim, ...] = ()
    total_pages: int | None = None
    non_empty_pages: int | None = None
    attributes: Attributes = field(default_factory=Attributes)
    findings: tuple[Finding, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """A document without its blocks and tables, as the lake stores it. `failure` says why nothing could be read."""

    kind: Kind
    media_type: str
    text: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = "und"
    dates: tuple[DateClaim, ...] = ()
    total_pages: int | None = None
    non_empty_pages: int | None = None
    table_count: int = 0
    attributes: Attributes = field(default_factory=Attributes)
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension that narrows a fact: `axis` "srt:ProductOrServiceAxis", `member` "us-gaap:ServiceMember".

    Where the dimension is `typed`, `member` is a value and no name: the number of a contract, a date.
    """

    axis: str
    member: str
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as the filer reports it, whatever the page prints.

    `number` counts a document's facts from 1. `concept` has its taxonomy's usual prefix ("us-gaap:Revenues"), `label`
    is its name in words. `content` is the value as XBRL has it: exact digits ("-1204000000"), a date as YYYY-MM-DD,
    "true", words; one longer than 2,000 characters ends in "…" there, and is complete in the text. `value` is the
    number, None for words, and for a fact that is `nil`, which the filer reports to have no value. `scale` is what the
    printed figure was multiplied by, `decimals` how many digits behind the point are right (-6: rounded to millions),
    None for exact.

    `unit` is "USD", "shares", "USD/shares", "pure" (a ratio; .125 is 12.5 %) or what else the filer measures in;
    `currency` is its ISO 4217 code. The period is half-open and one day for an instant; both sides are None for ever
    or where the context is not known. `entity` is the filer's identifier, `group` the tuple that contains the fact.

    `document.text[start:end]` shows it, and so do the further spans of `continued`; hidden facts have none.
    """

    number: int
    concept: str
    label: str
    content: str
    value: float | None = None
    nil: bool = False
    unit: str = ""
    currency: str = ""
    scale: float = 1.0
    decimals: int | None = None
    period_start: date | None = None
    period_end: date | None = None
    entity: str = ""
    dimensions: tuple[Dimension, ...] = ()
    group: str = ""
    start: int | None = None
    end: int | None = None
    continued: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """The concept without its prefix: "Revenues"."""
        return self.concept.rpartition(":")[2]

    @property
    def is_numeric(self) -> bool:
        """Whether it is measured in a unit."""
        return self.unit != ""
