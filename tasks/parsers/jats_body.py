"""The running text of a JATS article: sections, paragraphs with blocks inside them, figures, tables, references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.html_tables import read_table
from tasks.parsers.jats_inline import shown, text_of
from tasks.parsers.jats_references import reference
from tasks.parsers.trees import local, squeezed, words
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_GROUPS = frozenset(
    {"sec", "abstract", "trans-abstract", "ack", "app", "app-group", "notes", "fn-group", "glossary"}
    | {"bio", "boxed-text", "disp-quote", "statement", "fig-group", "table-wrap-group", "floats-group"}
    | {"body", "disp-formula-group", "verse-group", "p", "caption"}
)
_FLOATS = frozenset(["fig", "table-wrap", "supplementary-material"])
_LEAVES = frozenset(["list", "def-list", "disp-formula", "preformat", "code", "ref-list", "title", "fn", "attrib"])
_BLOCKS = _GROUPS | _FLOATS | _LEAVES
_SKIPPED = frozenset(["label", "object-id", "sec-meta", "permissions", "graphic", "media", "alt-text", "long-desc"])
_NAMES = {"ack": "Acknowledgements", "glossary": "Glossary", "fn-group": "Footnotes", "ref-list": "References"}


def add_abstracts(assembly: Assembly, root: _Element) -> None:
    """Each abstract as a section, "Abstract" where it has no title of its own."""
    for abstract in root.iterfind("front/article-meta/*"):
        if local(abstract) in ("abstract", "trans-abstract") and text_of(abstract):
            kind = (abstract.get("abstract-type") or "").replace("-", " ")
            assembly.heading(_title(abstract) or f"{kind} abstract".strip().capitalize(), 2)
            add_content(assembly, abstract, 3)


def add_floats(assembly: Assembly, root: _Element) -> None:
    """Figures and tables that stand outside the body."""
    for group in root.iterfind("floats-group"):
        add_content(assembly, group, 2)


def add_back(assembly: Assembly, root: _Element) -> None:
    """Acknowledgements, appendices, footnotes and references."""
    for part in root.iterfind("back/*"):
        if local(part) == "ref-list":
            _references(assembly, part, 2)
        elif text_of(part):
            _section(assembly, part, 2)


def add_replies(assembly: Assembly, root: _Element) -> None:
    """Letters, responses and other articles inside the article."""
    for part in (child for child in root if local(child) in ("sub-article", "response")):
        assembly.heading(text_of(part.find(".//article-title")) or local(part).replace("-", " ").title(), 2)
        body = part.find("body")
        if body is not None:
            add_content(assembly, body, 3)


def add_content(assembly: Assembly, node: _Element, level: int) -> None:
    """Adds what stands inside an element; headings inside it have this level. Text between blocks is a paragraph."""
    loose = [node.text or ""]
    for child in node:
        tag = local(child)
        if tag in _BLOCKS:
            _paragraph(assembly, loose)
            _block(assembly, child, tag, level)
        elif tag not in _SKIPPED:
            loose.append(words(child, shown))
        loose.append(child.tail or "")
    _paragraph(assembly, loose)


def _block(assembly: Assembly, node: _Element, tag: str, level: int) -> None:
    if tag in _FLOATS:
        _float(assembly, node, level)
    elif tag == "title":
        pass  # the section that holds it has shown it
    elif tag in ("list", "def-list"):
        assembly.add(BlockKind.LIST, "\n".join(_items(node)))
    elif tag == "ref-list":
        _references(assembly, node, level)
    elif tag in ("code", "preformat"):
        assembly.add(BlockKind.CODE, words(node))
    elif tag in ("disp-formula", "fn", "attrib"):
        assembly.add(BlockKind.PARAGRAPH, text_of(node))
    elif tag in ("p", "caption"):
        add_content(assembly, node, level)
    else:
        _section(assembly, node, level)


def _section(assembly: Assembly, node: _Element, level: int) -> None:
    """A titled group; without a title its content stands where it is."""
    heading = _title(node) or _NAMES.get(local(node), "")
    if heading:
        assembly.heading(heading, level)
    add_content(assembly, node, level + bool(heading))


def _title(node: _Element) -> str:
    """The title with its label, or the one in the caption."""
    title = next((found for path in ("title", "caption/title") if (found := node.find(path)) is not None), None)
    return " ".join(filter(None, (text_of(node.find("label")), text_of(title))))


def _float(assembly: Assembly, node: _Element, level: int) -> None:
    """A figure's or table's label and caption, the tables, then what stands below."""
    caption = " ".join(filter(None, (text_of(node.find("label")), text_of(node.find("caption/title")))))
    rest = (text_of(part) for part in node.iterfind("caption/p"))
    assembly.add(BlockKind.PARAGRAPH, " ".join(filter(None, (caption, *rest))))
    for table in node.iter("table"):
        rows, header_rows = read_table(table, text_of)
        assembly.table(rows, header_rows=header_rows, caption=caption)
    for foot in node.iterfind("table-wrap-foot"):
        add_content(assembly, foot, level)


def _items(node: _Element, depth: int = 0) -> list[str]:
    """One line an item; lists inside an item are indented below it."""
    lines: list[str] = []
    for number, item in enumerate((child for child in node if local(child) in ("list-item", "def-item")), start=1):
        mark = f"{number}." if node.get("list-type") == "order" else "-"
        own = words(item, lambda part, text: "" if local(part) == "list" else _spaced(part, text))
        lines.append("  " * depth + f"{mark} {squeezed(own)}")
        for inner in item.iter("list"):
            if next(inner.iterancestors("list-item")) is item:
                lines += _items(inner, depth + 1)
    return lines


def _spaced(node: _Element, inner: str) -> str | None:
    """As `shown`; the parts of an item do not run into each other."""
    return f" {inner} " if local(node) in ("p", "label", "term", "def", "title") else shown(node, inner)


def _references(assembly: Assembly, node: _Element, level: int) -> None:
    assembly.heading(_title(node) or "References", level)
    entries = (f"{number}. {text}" for number, ref in enumerate(node.iter("ref"), start=1) if (text := reference(ref)))
    assembly.add(BlockKind.LIST, "\n".join(entries))


def _paragraph(assembly: Assembly, loose: list[str]) -> None:
    assembly.add(BlockKind.PARAGRAPH, squeezed("".join(loose)))
    loose.clear()
