"""Documents made by hand and by hypothesis, with blocks, tables and lessons whose spans are right by construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from warehouse.records import Attributes, Block, BlockKind, Document, Kind, Lesson, Table

Rows = Sequence[Sequence[str]]


@dataclass
class Draft:
    """Takes blocks in order and joins them by blank lines."""

    kind: Kind = Kind.TEXT
    language: str = "en"
    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)
    section: tuple[str, ...] = ()

    def add(self, kind: BlockKind, text: str, *, page: int | None = None, table: int | None = None) -> Draft:
        self.text += "\n\n" if self.text else ""
        if kind is BlockKind.HEADING:
            self.section = (text,)
        start = len(self.text)
        self.text += text
        level = 1 if kind is BlockKind.HEADING else 0
        self.blocks.append(
            Block(len(self.blocks), kind, start, len(self.text), page, level=level, section=self.section, table=table)
        )
        return self

    def paragraph(self, text: str, page: int | None = None) -> Draft:
        return self.add(BlockKind.PARAGRAPH, text, page=page)

    def heading(self, text: str, page: int | None = None) -> Draft:
        return self.add(BlockKind.HEADING, text, page=page)

    def furniture(self, text: str) -> Draft:
        return self.add(BlockKind.FURNITURE, text)

    def table(self, rows: Rows, *, header_rows: int = 1, caption: str = "") -> Draft:
        number = len(self.tables) + 1
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
        rule = "| " + " | ".join("---" for _ in rows[0]) + " |"
        shown = [f"[TABLE {number}]", *lines[:header_rows], rule, *lines[header_rows:], "[END TABLE]"]
        start = len(self.text) + (2 if self.text else 0)
        self.add(BlockKind.TABLE, "\n".join(shown), table=number)
        spans, position = [], start
        for line in shown:
            spans.append((position, position + len(line)))
            position += len(line) + 1
        del spans[1 + header_rows], spans[0], spans[-1]
        held = tuple(tuple(row) for row in rows)
        self.tables.append(Table(number, start, len(self.text), held, tuple(spans), header_rows, caption))
        return self

    def lesson(self, number: int, *paragraphs: str) -> Draft:
        start = len(self.text) + (2 if self.text else 0)
        for text in paragraphs:
            self.paragraph(text)
        self.lessons.append(Lesson(number, f"Lesson {number}", "", start, len(self.text)))
        return self

    def document(self) -> Document:
        attributes = Attributes(lessons=tuple(self.lessons))
        return Document(
            self.kind,
            "text/plain",
            self.text,
            tuple(self.blocks),
            tuple(self.tables),
            language=self.language,
            attributes=attributes,
        )


_WORDS = st.sampled_from(
    [
        "Revenue",
        "rose",
        "to",
        "3.5",
        "million",
        "in",
        "2023,",
        "Dr.",
        "Smith",
        "said;",
        "e.g.",
        "x" * 90,
        "the",
        "收入",
        "增长，",
    ]
)
_SENTENCES = st.lists(_WORDS, min_size=1, max_size=25).map(lambda words: " ".join(words) + ".") | st.lists(
    st.sampled_from(["收入增长，", "去年第一季度", "公司发布", "３月５日"]), min_size=1, max_size=30
).map(lambda words: "".join(words) + "。")
_PROSE = st.lists(_SENTENCES, min_size=1, max_size=12).map(" ".join)
_CELLS = st.sampled_from(["Q1 2023", "1,234", "(5)", "2022", "a|b", "", "Net income", "12 %"])


@st.composite
def _tables(draw: st.DrawFn) -> list[list[str]]:
    width, height = draw(st.integers(2, 4)), draw(st.sampled_from([2, 3, 8, 40]))
    return [draw(st.lists(_CELLS, min_size=width, max_size=width)) for _ in range(height)]


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Any kind: headings, paragraphs, lists, code, tables, furniture, abstracts; lessons in courses."""
    draft = Draft(draw(st.sampled_from(list(Kind))), draw(st.sampled_from(["en", "zh", "und"])))
    for _ in range(draw(st.integers(0, 12))):
        match draw(st.sampled_from(["heading", "abstract", "prose", "prose", "list", "code", "table", "furniture"])):
            case "heading":
                draft.heading(draw(st.sampled_from(["Results", "第二章", "Risk factors " * 12])).strip())
            case "abstract":
                draft.heading("Abstract")
            case "prose" if draft.kind is Kind.COURSE:
                draft.lesson(len(draft.lessons) + 1, draw(_PROSE), draw(_PROSE))
            case "prose":
                draft.paragraph(draw(_PROSE), page=draw(st.sampled_from([None, 1, 2])))
            case "list":
                items = draw(st.lists(_SENTENCES, min_size=1, max_size=9))
                draft.add(BlockKind.LIST, "\n".join(f"- {item}" for item in items))
            case "code":
                draft.add(BlockKind.CODE, "\n".join("total = total + price" for _ in range(draw(st.integers(1, 60)))))
            case "table":
                draft.table(draw(_tables()))
            case "furniture":
                draft.furniture("Page 3 of 9")
    return draft.document()
