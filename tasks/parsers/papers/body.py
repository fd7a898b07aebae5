"""The running text of a JATS article: sections and the paragraphs, lists, tables and figures in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.papers.inline import SILENT, inline_text, text_of
from tasks.parsers.papers.lists import LISTS, list_lines
from tasks.parsers.papers.references import references
from tasks.parsers.papers.tables import TABLES, tables
from tasks.parsers.trees import local, squeezed, words
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_GROUPS = frozenset(
    {"sec", "abstract", "trans-abstract", "ack", "app", "app-group", "notes", "fn-group", "glossary", "statement"}
    | {"bio", "boxed-text", "disp-quote", "fig-group", "table-wrap-group", "disp-formula-group", "verse-group"}
)
_FLOATS = frozenset(["fig", "table-wrap", "supplementary-material", "media", "graphic", "chem-struct-wrap"])
_LEAVES = frozenset(["disp-formula", "preformat", "code", "ref-list", "fn", "attrib"])
_BLOCKS = _GROUPS | _FLOATS | _LEAVES | LISTS | TABLES | {"p"}
_AFTER_PARAGRAPH = _FLOATS | {"fn", "boxed-text", "fig-group", "table-wrap-group"}
_SHOWN_BY_PARENT = frozenset(["label", "title", "caption", "term-head", "def-head"])
_NAMES = {"ack": "Acknowledgements", "glossary": "Glossary", "fn-group": "Footnotes"}


def add_content(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds what stands inside an element; headings inside it have this level. Text between blocks is a paragraph.

    What floats (figures, tables, notes) and is anchored in a paragraph follows it, so that no sentence is cut.
    """
    loose, later = [node.text or ""], []
    for child in node:
        tag = local(child)
        if tag in _AFTER_PARAGRAPH and local(node) == "p":
            later.append(child)
        elif tag in _BLOCKS or (tag not in ("", "&") and next(child.iter(*_BLOCKS), None) is not None):
            _paragraph(assembly, loose)
            add_block(assembly, child, level)
        elif tag not in SILENT and tag not in _SHOWN_BY_PARENT:
            loose.append(words(child, inline_text))
        loose.append(child.tail or "")
    _paragraph(assembly, loose)
    for child in later:
        add_block(assembly, child, level)


def add_block(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds an element that stands by itself."""
    tag = local(node)
    if tag in _FLOATS:
        _float(assembly, node, level)
    elif tag in TABLES:
        _tables(assembly, node)
    elif tag in LISTS:
        assembly.add(BlockKind.LIST, "\n".join(list_lines(node)))
    elif tag == "ref-list":
        add_references(assembly, node, level)
    elif tag in ("code", "preformat"):
        assembly.add(BlockKind.CODE, words(node))
    elif tag in ("disp-formula", "fn", "attrib"):
        assembly.add(BlockKind.PARAGRAPH, text_of(node))
    elif tag in _GROUPS:
        _section(assembly, node, level)
    elif tag and tag not in SILENT and tag not in _SHOWN_BY_PARENT:
        add_content(assembly, node, level)


def _section(assembly: Assembly, node: _Element, level: int) -> None:
    """A titled group; what follows it stands outside again. Without a title its content stands where it is."""
    heading = title_of(node) or _NAMES.get(local(node), "")
    if heading:
        assembly.heading(heading, level)
    caption = node.find("caption")
    if caption is not None:
        add_content(assembly, caption, level + 1)
    add_content(assembly, node, level + bool(heading))
    assembly.leave(level)


def title_of(node: _Element) -> str:
    """The title with its label, or the one in the caption."""
    title = next((found for path in ("title", "caption/title") if (found := node.find(path)) is not None), None)
    return " ".join(filter(None, (text_of(node.find("label")), text_of(title))))


def _float(assembly: Assembly, node: _Element, level: int) -> None:
    """The label and the caption of a figure, table or file, then the tables, then what else is in it."""
    heading, caption = title_of(node), node.find("caption")
    rest = [] if caption is None else [text for part in caption if local(part) != "title" and (text := text_of(part))]
    assembly.add(BlockKind.PARAGRAPH, " ".join(filter(None, (heading, *rest))))
    named = heading if node.find("caption/title") is not None else " ".join((heading, *rest[:1]))
    _tables(assembly, node, named)
    for child in node:
        if local(child) not in TABLES | {"alternatives"}:
            add_block(assembly, child, level)


def _tables(assembly: Assembly, node: _Element, caption: str = "") -> None:
    feet = (note for foot in node.iterfind("table-wrap-foot") for note in foot.iter("fn", "p", "attrib"))
    notes = [text_of(note) for note in feet if next(note.iterancestors("fn"), None) is None]
    for laid in tables(node):
        assembly.table(
            laid.rows,
            header_rows=laid.header_rows,
            merges=laid.merges,
            caption=caption,
            notes=notes,
        )


def add_references(assembly: Assembly, node: _Element, level: int) -> None:
    """A list of references, one a line, the lists inside it as sections of their own."""
    assembly.heading(title_of(node) or "References", level)
    for child in node:
        if local(child) == "ref-list":
            add_references(assembly, child, level + 1)
        elif local(child) != "ref":
            add_block(assembly, child, level + 1)
    assembly.add(BlockKind.LIST, "\n".join(references(node)))
    assembly.leave(level)


def _paragraph(assembly: Assembly, loose: list[str]) -> None:
    assembly.add(BlockKind.PARAGRAPH, squeezed("".join(loose)))
    loose.clear()
