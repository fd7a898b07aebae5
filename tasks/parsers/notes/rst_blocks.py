"""The blocks of a reStructuredText tree: sections, lists, tables, literal blocks, footnotes, admonitions.

Source that docutils cannot parse is kept as it is written; comments, targets and definitions are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from docutils import nodes
from docutils.utils import Reporter

from tasks.parsers.assembly import Assembly
from tasks.parsers.notes.note_blocks import is_badge
from tasks.parsers.notes.rst_nodes import LABEL, parse_rst
from tasks.parsers.numerals import format_numeral
from tasks.parsers.table_form import SpanCell, lay_out
from tasks.parsers.text import add_preformatted
from warehouse.records import BlockKind

_LIST_NODES = (nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.field_list, nodes.option_list)
_HIDDEN_NODES = (
    nodes.comment, nodes.target, nodes.substitution_definition, nodes.transition, nodes.pending, nodes.raw,
)  # fmt: skip
_CODE_NODES = (nodes.literal_block, nodes.doctest_block)
_TITLE_FAULTS = ("Unexpected section title", "Inconsistent title style", "Title level inconsistent")
_NUMERALS = {
    "loweralpha": "lowerLetter",
    "upperalpha": "upperLetter",
    "lowerroman": "lowerRoman",
    "upperroman": "upperRoman",
}
_LINE_BREAK = re.compile(r"\s*\n\s*")


def add_rst(assembly: Assembly, text: str) -> RstFields:
    """Adds the blocks of a source and returns its metadata."""
    tree = parse_rst(text)
    walk = _RstWalk(assembly, tree)
    walk.add_children(tree, 0)
    walk.add_unused()
    return RstFields(tree, walk)


class RstFields:
    """The metadata of a source: its title, and the fields at its beginning, by their names in lower case."""

    def __init__(self, tree: nodes.document, walk: _RstWalk) -> None:
        self.fields: dict[str, str] = {}
        visible_nodes = [node for node in tree.children if not isinstance(node, (*_HIDDEN_NODES, nodes.system_message))]
        first = visible_nodes[0] if visible_nodes else None
        self.title = str(tree.get("title", ""))
        if isinstance(first, nodes.section) and len(visible_nodes) == 1:
            self.title = self.title or walk.get_words(first.children[0])
            visible_nodes = [node for node in first.children[1:] if not isinstance(node, _HIDDEN_NODES)]
        for node in visible_nodes[:1]:
            if isinstance(node, nodes.field_list):
                for field in node.children:
                    name, body = (walk.get_words(part) for part in field.children)
                    self.fields.setdefault(name.lower(), body)


class _RstWalk:
    """Adds the nodes of a tree."""

    def __init__(self, assembly: Assembly, tree: nodes.document) -> None:
        self._assembly = assembly
        self._substitutions = tree.substitution_defs
        self._substitution_names = tree.substitution_names
        self._used_substitutions: set[str] = set()
        self._label = ""  # The beginning of the next paragraph.

    def add_children(self, node: nodes.Node, level: int) -> None:
        """Adds the children of a node, in a section of that level."""
        for child in node.children:
            self._add_node(child, level)

    def add_unused(self) -> None:
        """Adds the substitutions that nothing in this file refers to: files that are included in others have them."""
        unused = [
            (name, " ".join(self.get_words(child) for child in node.children))
            for name, node in self._substitutions.items()
            if name not in self._used_substitutions
        ]
        self._assembly.end_sections(1)
        self._assembly.add(BlockKind.LIST, "\n".join(f"{name}: {words}" for name, words in unused if words))

    def _add_node(self, node: nodes.Node, level: int) -> None:
        if isinstance(node, nodes.section):
            self._assembly.end_sections(level + 1)
            self._assembly.add_heading(self.get_words(node.children[0]), level + 1)
            for child in node.children[1:]:
                self._add_node(child, level + 1)
        elif isinstance(node, _LIST_NODES):
            self._flush_label()
            self._assembly.add_list(self._iter_list_lines(node, ""), partial(self._add_node, level=level))
        elif isinstance(node, nodes.table):
            self._add_table(node)
        elif isinstance(node, _CODE_NODES):
            self._flush_label()
            text, is_code = node.astext(), "code" in node.get("classes", ())
            self._assembly.add(BlockKind.CODE, text) if is_code else add_preformatted(self._assembly, text, text)
        elif isinstance(node, nodes.system_message):
            self._add_quoted(node, level)
        elif (words := self._get_block_words(node)) is not None:
            self._add_paragraph(words)
        elif not isinstance(node, _HIDDEN_NODES):
            self._add_labelled(node, level)

    def _get_block_words(self, node: nodes.Node) -> str | None:
        """The words of a block; None for a node that contains blocks."""
        if isinstance(node, _HIDDEN_NODES):
            return None
        if isinstance(node, nodes.image):
            return _get_picture_text(node)
        if isinstance(node, nodes.line_block):
            return "\n".join(self._iter_verse_lines(node, ""))
        if isinstance(node, nodes.footnote | nodes.citation):
            return self._format_footnote(node)
        if isinstance(node, nodes.meta):
            return f"{node.get('name', '')}: {node.get('content', '')}"
        if isinstance(node, nodes.attribution):
            return f"— {self.get_words(node)}"
        return self.get_words(node) if isinstance(node, nodes.TextElement) else None

    def _add_labelled(self, node: nodes.Node, level: int) -> None:
        """Adds a node that contains blocks: a quote, a figure, or a note, whose first words name its kind."""
        if isinstance(node, nodes.Admonition) and not isinstance(node, nodes.admonition | nodes.system_message):
            self._label = node.tagname.capitalize()
        elif isinstance(node, nodes.Element) and node.get(LABEL):
            self._label = str(node[LABEL])
        self.add_children(node, level)
        self._flush_label()

    def _flush_label(self) -> None:
        """Adds the name of a directive as a paragraph if no words follow it."""
        label, self._label = self._label, ""
        self._assembly.add(BlockKind.PARAGRAPH, label)

    def _add_paragraph(self, words: str) -> None:
        if words.strip():
            label, self._label = self._label, ""
            self._assembly.add(BlockKind.PARAGRAPH, f"{label}: {words}" if label else words)

    def _add_quoted(self, node: nodes.Node, level: int) -> None:
        """Adds the source that a message of docutils quotes, unless it is in the tree as well."""
        message = node.children[0].astext() if node.children else ""
        for quoted in node.children[1:]:
            if message.startswith(_TITLE_FAULTS):
                title = max(quoted.astext().split("\n"), key=lambda line: sum(map(str.isalnum, line)))
                self._assembly.add_heading(title, level + 1)
            elif node["level"] >= Reporter.ERROR_LEVEL or not message.startswith("Title "):
                self._add_node(quoted, level)

    def get_words(self, node: nodes.Node) -> str:
        """The words of a node, wrapped lines joined."""
        return _LINE_BREAK.sub(" ", self._collect_text(node)).strip()

    def _collect_text(self, node: nodes.Node, depth: int = 0) -> str:
        if isinstance(node, nodes.Text):
            return str(node.astext())
        if isinstance(node, nodes.substitution_reference):
            return self._substitute(node, depth)
        if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
            return f"[{node.astext() or ('*' if node.get('auto') == '*' else '#' + node.get('refname', ''))}]"
        if isinstance(node, nodes.image):
            return _get_picture_text(node)
        if isinstance(node, (*_HIDDEN_NODES, nodes.system_message)) and not isinstance(node, nodes.target):
            return ""
        joint = "" if isinstance(node, nodes.TextElement) else "\n"
        return joint.join(self._collect_text(child, depth) for child in node.children)

    def _substitute(self, node: nodes.Node, depth: int) -> str:
        """The text of a substitution; its name if none is defined."""
        name = node.get("refname", "")
        key = name if name in self._substitutions else self._substitution_names.get(name.lower(), "")
        self._used_substitutions.add(key)
        definition = self._substitutions.get(key)
        words = (
            "".join(self._collect_text(child, depth + 1) for child in definition.children)
            if definition and depth < 5
            else ""
        )
        is_badge_only = definition is not None and all(map(_is_badge_picture, definition.children))
        return words or ("" if is_badge_only else str(node.astext()))

    def _format_footnote(self, node: nodes.Node) -> str:
        first, *content = node.children
        is_named = isinstance(first, nodes.label)
        auto = "*" if node.get("auto") == "*" else f"#{next(iter(node.get('names', ())), '')}"
        name = first.astext() if is_named else auto
        return f"[{name}] " + "\n".join(self.get_words(part) for part in (content if is_named else node.children))

    def _iter_verse_lines(self, node: nodes.Node, indent: str) -> Iterator[str]:
        for child in node.children:
            if isinstance(child, nodes.line_block):
                yield from self._iter_verse_lines(child, f"{indent}  ")
            else:
                yield f"{indent}{self.get_words(child)}"

    def _iter_list_lines(self, node: nodes.Node, indent: str) -> Iterator[str | nodes.Node]:
        """The lines of a list, and the blocks in it that cannot be lines."""
        number = int(node.get("start", 1))
        for item in node.children:
            if isinstance(node, nodes.bullet_list | nodes.enumerated_list):
                mark = "-" if isinstance(node, nodes.bullet_list) else f"{_format_number(number, node)}"
                number += 1
                yield from self._iter_item_lines(item.children, f"{indent}{mark} ", indent)
            elif isinstance(node, nodes.definition_list):
                terms = [part for part in item.children if not isinstance(part, nodes.definition)]
                yield f"{indent}{' : '.join(self.get_words(term) for term in terms)}"
                bodies = [part for part in item.children if isinstance(part, nodes.definition)]
                yield from self._iter_item_lines(
                    [part for body in bodies for part in body.children], f"{indent}  ", indent
                )
            elif isinstance(item, nodes.field | nodes.option_list_item):
                name, body = item.children
                option_names = (
                    ", ".join(part.astext() for part in name.children) if body.tagname == "description" else ""
                )
                head = f"{indent}{option_names}  " if option_names else f"{indent}{self.get_words(name)}: "
                yield from self._iter_item_lines(body.children, head, indent)

    def _iter_item_lines(self, children: list[nodes.Node], head: str, indent: str) -> Iterator[str | nodes.Node]:
        """The lines of an item, the first one after its mark, and the blocks in it that cannot be lines."""
        pending_mark, inner_indent = head, f"{indent}  "
        for child in children:
            if isinstance(child, _HIDDEN_NODES):
                continue
            if isinstance(child, nodes.paragraph):
                yield f"{pending_mark or inner_indent}{self.get_words(child)}"
            else:
                if pending_mark.strip():
                    yield pending_mark.rstrip()
                yield from self._iter_list_lines(child, inner_indent) if isinstance(child, _LIST_NODES) else [child]
            pending_mark = ""
        if pending_mark.strip():
            yield pending_mark.rstrip()

    def _add_table(self, node: nodes.Node) -> None:
        """Adds a table with its merged cells; its title is its caption."""
        self._flush_label()
        caption = ""
        for part in node.children:
            if isinstance(part, nodes.title):
                caption = self.get_words(part)
                self._assembly.add(BlockKind.PARAGRAPH, caption)
            elif isinstance(part, nodes.tgroup):
                header_rows = [row for head in part.children if isinstance(head, nodes.thead) for row in head.children]
                body = [row for body in part.children if isinstance(body, nodes.tbody) for row in body.children]
                layout = lay_out([[self._make_cell(entry) for entry in row.children] for row in (*header_rows, *body)])
                header = len(header_rows) if header_rows else None
                self._assembly.add_table(layout.rows, header_rows=header, merges=layout.merges, caption=caption)
            else:
                self._add_node(part, 0)

    def _make_cell(self, entry: nodes.Node) -> SpanCell:
        return SpanCell(self.get_words(entry), entry.get("morerows", 0) + 1, entry.get("morecols", 0) + 1)


def _format_number(number: int, node: nodes.Node) -> str:
    """The number of an item as its list counts."""
    numeral = format_numeral(number, _NUMERALS.get(node.get("enumtype", ""), "decimal"))
    return f"{node.get('prefix', '')}{numeral}{node.get('suffix', '.')}"


def _is_badge_picture(node: nodes.Node) -> bool:
    """Whether a node is a badge, or a link around badges."""
    if isinstance(node, nodes.reference) and node.children:
        return all(map(_is_badge_picture, node.children))
    return isinstance(node, nodes.image) and is_badge(node.get("uri", ""), node.get("alt", ""))


def _get_picture_text(node: nodes.image) -> str:
    """The words shown in place of a picture."""
    return "" if _is_badge_picture(node) else str(node.get("alt", ""))
