"""The blocks of a Markdown body, from the tokens of markdown-it-py: headings, lists, tables, HTML, the words in them.

In a diary, everything below a date is in its section. In HTML inside Markdown, known elements are markup, and unknown
ones such as `<your name>` are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from html import escape, unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tasks.parsers.assembly import Assembly
from tasks.parsers.dated_lines import DatedSections
from tasks.parsers.notes import obsidian
from tasks.parsers.notes.obsidian import PICTURE_SIZE
from tasks.parsers.text import add_preformatted, is_list, split_paragraphs
from tasks.parsers.trees import with_few_attributes
from tasks.parsers.web.page_blocks import BLOCKS, add_blocks
from tasks.parsers.web.page_boilerplate import empty_unread_elements
from tasks.parsers.written_dates import find_day_order, is_date_heading, parse_entry_interval
from warehouse.records import BlockKind
from warehouse.records.calendars import WEEK

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_EXCESSIVE_NESTING = re.compile(r"^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){50}|(?:\[[^\[\]]*){200}", re.MULTILINE)
LIST_TYPES = frozenset(["bullet_list", "ordered_list"])
_KINDS_BEFORE_TITLE = frozenset([BlockKind.CODE, BlockKind.TABLE])  # An exported notebook may begin so.
_UNDIVIDED_TYPES = frozenset(["fence", "code_block", "table", "html_block", "math_block"])
_CALLOUT = re.compile(r"\A\[!([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+")
_CELL = re.compile(r"(?:\[\[[^\[\]\n]*\]\]|\\.?|[^|\\])*+")
_BARE_ADDRESS = re.compile(r"https?://[^\s<>\"'`|]*[^\s<>\"'`|.,;:!?)\]}*_]")
_DATAVIEW_FIELD = re.compile(
    r"(?:^|(?P<open>[\[(]))(?P<key>[^\W\d][\w -]{0,60})::[ \t]+(?P<value>(?(open)[^\])\n]+|[^\n]+))", re.MULTILINE
)
_VERBATIM_TYPES = frozenset(["code_inline", "math", "footnote", "comment", "block_id"])
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ATTRIBUTES = r"(?:\s++[\w:@.-]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?)*+"
_INLINE_TAGS = (
    "a|abbr|acronym|area|audio|b|base|bdi|bdo|big|br|button|canvas|cite|code|data|datalist|del|dfn|dialog|em|embed|font"
    "|i|iframe|img|input|ins|kbd|label|link|map|mark|meta|meter|noscript|object|output|param|path|picture|progress|q|rp"
    "|rt|ruby|s|samp|script|select|slot|small|source|span|strike|strong|style|sub|sup|svg|tbody|template|textarea|time"
    "|track|tt|u|var|video|wbr"
)
_TAG = re.compile(rf"</?(?:(?P<line>br|{'|'.join(sorted(BLOCKS))})|{_INLINE_TAGS}){_ATTRIBUTES}\s*+/?>", re.IGNORECASE)
_ADDRESS = re.compile(r"\s(?:href|src)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))", re.IGNORECASE)
_BADGE = re.compile(
    r"shields\.io/|[./-]badges?[./-]|/badges?\b|travis-ci\.(?:com|org)/|coveralls\.io/|codecov\.io/|/api/projects/status/"
    r"|/actions/workflows/|//(?:circleci|snyk|deepsource)\.\w+/|//pepy\.tech/|//isitmaintained\.com/"
)
_HEADING_ATTRIBUTES = re.compile(
    r"\s*\{:?\s*[#.][\w:.-]+(?:\s+(?:[#.][\w:.-]+|[\w-]+=(?:\"[^\"{}]*\"|[^\s{}]+)))*\s*\}\s*\Z"
)
_PICTURE = re.compile(r"<img\b(?:.*?\salt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'))?", re.IGNORECASE | re.DOTALL)


@cache  # the rules are built once and never change
def _make_markdown_parser() -> MarkdownIt:
    """CommonMark with the tables of GitHub and what Obsidian adds."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    obsidian.add_rules(markdown)
    return markdown


def add_markdown(assembly: Assembly, body: str) -> InlineMarkup:
    """Adds the blocks of a body and returns its links, tags, fields and title.

    Text with more nested quotes, lists or brackets than real documents have is read as paragraphs without markup, since
    CommonMark's rules take excessive time for it.
    """
    if _EXCESSIVE_NESTING.search(body):
        for paragraph in split_paragraphs(body):
            assembly.add(BlockKind.PARAGRAPH, paragraph)
        return InlineMarkup()
    from markdown_it.tree import SyntaxTreeNode

    body = obsidian.remove_site_marks(body)
    environment: dict[str, dict[str, dict[str, str]]] = {}
    block_count = len(assembly.contents)
    walk = _Walk(assembly, body)
    nodes = SyntaxTreeNode(_make_markdown_parser().parse(body, environment)).children
    for node in nodes:
        walk.add_block(node, quoted=False)
    references = environment.get("references", {}).values()
    walk.markup.links.extend(link for reference in references if (link := reference["href"]) not in walk.markup.links)
    first = next((block for block in assembly.contents[block_count:] if block.kind not in _KINDS_BEFORE_TITLE), None)
    if first and first.kind is BlockKind.HEADING and first.level == 1:
        headings = (node for node in nodes if node.type == "heading")
        walk.markup.title = _collect_title(next(headings, None)) or first.text
    return walk.markup


def _collect_title(heading: SyntaxTreeNode | None) -> str:
    """The words of a heading without the logo in it; nothing where it has no picture, or nothing else."""
    pieces = heading.children[0].children if heading and heading.children else []
    if all(piece.type != "image" for piece in pieces):
        return ""
    words = "".join(collect_words(piece, InlineMarkup()) for piece in pieces if piece.type != "image")
    return _without_attributes(obsidian.without_block_id(words)).strip()


def _without_attributes(heading: str) -> str:
    """A heading without the name and classes that Pandoc, Quarto, kramdown and Docusaurus give it: `{#name .class}`."""
    return _HEADING_ATTRIBUTES.sub("", heading)


class _Walk:
    """Adds the blocks one by one, with the markup and headings met so far."""

    def __init__(self, assembly: Assembly, body: str) -> None:
        self.markup = InlineMarkup()
        self._assembly = assembly
        self._lines = body.split("\n")
        self._entries = Entries()
        self._order = find_day_order((), body)
        self._sections = DatedSections(assembly)

    def add_block(self, node: SyntaxTreeNode, *, quoted: bool) -> None:
        """Adds a block; in a quote no line is a heading."""
        kind = node.type
        if kind == "heading" and not quoted:
            text, written_level = collect_words(node, self.markup), int(node.tag[1])
            days = self._sections.find_days(text, written_level, self._order)
            level = self._entries.place_heading(written_level, is_date=days is not None and days[1] - days[0] <= WEEK)
            self._sections.add_heading(_without_attributes(obsidian.without_block_id(text)), level, days)
        elif kind in ("heading", "paragraph"):
            self._add_paragraph(collect_words(node, self.markup), quoted=quoted)
        elif kind in LIST_TYPES:
            self._assembly.add_list(iter_list_pieces(node, self.markup), partial(self.add_block, quoted=True))
        elif kind in ("fence", "code_block"):
            fenced = f"{node.markup}{node.info}\n{node.content}{node.markup}"
            code = fenced if kind == "fence" else node.content.rstrip("\n")
            if node.info:
                self._assembly.add(BlockKind.CODE, code)
            else:
                add_preformatted(self._assembly, node.content, code)
        elif kind == "math_block":
            self._assembly.add(BlockKind.PARAGRAPH, node.content)
        elif kind == "table":
            self._assembly.add_table(
                read_table_rows(node, self._lines, _make_markdown_parser(), self.markup), header_rows=1
            )
            self._assembly.add(BlockKind.PARAGRAPH, find_table_id(node, self._lines))
        elif kind == "html_block":
            add_html(self._assembly, node.content, self.markup.links)
        elif kind == "footnote_block":
            self._add_footnote(node)
        elif kind == "blockquote":
            for child in node.children:
                self.add_block(child, quoted=True)

    def _add_paragraph(self, text: str, *, quoted: bool) -> None:
        """Adds a paragraph; lines in it that are only a date become headings."""
        if quoted:
            self._add_prose(without_callout(text).split("\n"))
            return
        text = text.removeprefix(": ")  # Pandoc's mark of a table's caption.
        for match in _DATAVIEW_FIELD.finditer(text):
            self.markup.fields.setdefault(match["key"].strip().lower(), match["value"].strip())
        lines: list[str] = []
        for line in text.split("\n"):
            if not is_date_heading(line):
                lines.append(line)
                continue
            self._add_prose(lines)
            words = line.strip(" \t:：[]()*_【】（）")
            self._sections.add_heading(words, self._entries.place_date_line(), parse_entry_interval(words, self._order))
            lines = []
        self._add_prose(lines)

    def _add_prose(self, lines: list[str]) -> None:
        for paragraph in split_paragraphs("\n".join(lines)):
            has_items = paragraph.strip() and is_list(paragraph)
            self._assembly.add(BlockKind.LIST if has_items else BlockKind.PARAGRAPH, paragraph)

    def _add_footnote(self, node: SyntaxTreeNode) -> None:
        """The text of a footnote after its mark, `[1]`."""
        begins_with_words = bool(node.children) and node.children[0].type == "paragraph"
        first = collect_words(node.children[0], self.markup) if begins_with_words else ""
        self._add_prose([f"[{node.content}] {first}"])
        for child in node.children[bool(first) :]:
            self.add_block(child, quoted=True)


def without_callout(text: str) -> str:
    """The beginning of a quote without Obsidian's `[!warning]`, which is shown where the callout has no title."""
    match = _CALLOUT.match(text)
    if match is None:
        return text
    remaining_text = text[match.end() :]
    is_untitled = remaining_text[:1] in ("", "\n")
    return f"{match[1].strip().capitalize()}{remaining_text}" if is_untitled else remaining_text


def iter_list_pieces(node: SyntaxTreeNode, markup: InlineMarkup, indent: str = "") -> Iterator[str | SyntaxTreeNode]:
    """The lines of a list, its numbers as written, and the blocks in it that cannot be lines."""
    number = int(node.attrs.get("start", 1))
    for item in node.children:
        mark = f"{number}{item.markup}" if node.type == "ordered_list" else "-"
        number += 1
        pending_mark = f"{indent}{mark} "
        for child in item.children:
            for piece in _iter_item_pieces(child, markup, f"{indent}  ", quoted=False):
                yield pending_mark + piece.lstrip(" ") if pending_mark and isinstance(piece, str) else piece
                pending_mark = ""
        if pending_mark:
            yield pending_mark.rstrip()


def _iter_item_pieces(
    node: SyntaxTreeNode, markup: InlineMarkup, indent: str, *, quoted: bool
) -> Iterator[str | SyntaxTreeNode]:
    if node.type in _UNDIVIDED_TYPES:
        yield node
    elif node.type in LIST_TYPES:
        yield from iter_list_pieces(node, markup, indent)
    elif node.type in ("paragraph", "heading"):
        text = collect_words(node, markup)
        yield from (f"{indent}{line}" for line in (without_callout(text) if quoted else text).split("\n"))
    else:
        for child in node.children:
            yield from _iter_item_pieces(child, markup, indent, quoted=node.type == "blockquote")


def read_table_rows(
    table: SyntaxTreeNode, lines: Sequence[str], markdown: MarkdownIt, markup: InlineMarkup
) -> list[list[str]]:
    """The rows. `lines` are those of the source, by which cells beyond the header's are found.

    GitHub's rules drop such cells. Their cause is an unescaped `|` in a wikilink, or a header that is too short.
    The id of the table right below it is left out, see `find_table_id`.
    """
    head, *bodies = table.children
    header_rows = [[collect_words(cell, markup) for cell in row.children] for row in head.children]
    rows = [row for body in bodies for row in body.children]
    return header_rows + [
        _read_row(row, lines, markdown, markup) for row in (rows[:-1] if find_table_id(table, lines) else rows)
    ]


def find_table_id(table: SyntaxTreeNode, lines: Sequence[str]) -> str:
    """Obsidian's `^id` on the line below a table, which GitHub's rules take for a row; nothing if there is none."""
    last_line = lines[table.map[1] - 1].strip(" \t>") if table.map else ""
    return last_line if _BLOCK_ID.fullmatch(last_line) else ""


def _read_row(row: SyntaxTreeNode, lines: Sequence[str], markdown: MarkdownIt, markup: InlineMarkup) -> list[str]:
    source = lines[row.map[0]] if row.map else ""
    if "[[" not in source and source.count("|") - source.count("\\|") <= len(row.children) + 1:
        return [collect_words(cell, markup) for cell in row.children]
    from markdown_it.tree import SyntaxTreeNode

    cells = (cell.replace("\\|", "|") for cell in _split_cells(source.lstrip(" \t>")))
    return [collect_words(SyntaxTreeNode(markdown.parseInline(cell)).children[0], markup) for cell in cells]


def _split_cells(line: str) -> list[str]:
    """The cells between the pipes of a line, except for pipes that are in wikilinks or escaped."""
    inner = line.strip().removeprefix("|")
    cells, position = [], 0
    while position <= len(inner):
        match = _CELL.match(inner, position)
        end = match.end() if match else position
        cells.append(inner[position:end].strip())
        position = end + 1
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


@dataclass(slots=True)
class Entries:
    """The levels after the headings so far: `outer` is that above the entries, `entry` theirs, 0 for none.

    A line that is a date begins an entry one level below the current heading. Later headings that are deeper than
    `last_outer_level` belong to the entry and are `shift` levels deeper than written.
    """

    outer: int = 0
    entry: int = 0
    last_outer_level: int = 0
    shift: int = 0

    def place_heading(self, level: int, *, is_date: bool) -> int:
        """The level of a heading that is written at `level`."""
        if is_date:
            self.outer, self.entry, self.last_outer_level, self.shift = level - 1, level, level, 0
        elif self.entry and level > self.last_outer_level:
            return level + self.shift
        else:
            self.outer, self.entry, self.shift = level, 0, 0
        return level

    def place_date_line(self) -> int:
        """The level of a date that is alone on a line of text."""
        self.entry = self.entry or self.outer + 1
        self.last_outer_level, self.shift = self.entry - 1, 1
        return self.entry


@dataclass(slots=True)
class InlineMarkup:
    """The links of a note to notes and addresses, in order; its tags, without "#"; its fields; its first heading.

    `fields` are Dataview's `key:: value`, the first of each name. `title` is the heading at level 1 that begins it.
    """

    links: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""


def collect_words(node: SyntaxTreeNode, markup: InlineMarkup) -> str:
    """The words, without the marks of Markdown, Obsidian and HTML; code and formulas as they are written."""
    kind = node.type
    if kind in ("softbreak", "hardbreak"):
        return "\n"
    if kind in _VERBATIM_TYPES:
        return node.content
    if kind == "text":
        markup.links.extend(match[0] for match in _BARE_ADDRESS.finditer(node.content))
        return node.content
    if kind == "tag":
        markup.tags.append(node.content.strip("#/"))
        return node.content
    if kind == "html_inline":
        return get_visible_text(node.content, markup.links)
    return _collect_link_words(node, markup)


def _collect_link_words(node: SyntaxTreeNode, markup: InlineMarkup) -> str:
    """The words of a link, a picture, or an element that contains others."""
    address = node.meta.get("target") or node.attrs.get("href") or node.attrs.get("src")
    if address and is_address(str(address)):
        markup.links.append(unquote(str(address)))
    if node.type == "wikilink":
        return node.content
    if node.type == "image":
        return "" if is_badge(str(address), node.content) else PICTURE_SIZE.sub("", node.content)
    inner = InlineMarkup(tags=markup.tags) if address else markup
    return "".join(collect_words(child, inner) for child in node.children)


def get_visible_text(html: str, links: list[str]) -> str:
    """The words without known elements, with the line breaks of those; adds the addresses of links to `links`."""

    def replace_tag(tag: re.Match[str]) -> str:
        _collect_addresses(tag[0], links)
        return _get_picture_text(tag[0]) or ("\n" if tag["line"] else "")

    return _TAG.sub(replace_tag, _without_comments(html))


def is_address(text: str) -> bool:
    """Whether a link has an address; a `data:` address only encodes content."""
    return bool(text) and not text.startswith("data:")


def is_badge(address: str, words: str) -> bool:
    """Whether a picture is a badge of a service, as in most README files: build passing, version.

    One whose words have a digit, such as the DOI of an archive, is none.
    """
    return _BADGE.search(address) is not None and not any(map(str.isdigit, words))


def add_html(assembly: Assembly, html: str, links: list[str]) -> None:
    """The blocks of a passage of HTML, as they would be on a page; only its words where it is nested too deep."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    source = with_few_attributes(f"<div>{_escape_unknown(_without_comments(html), links)}</div>")
    root = etree.fromstring(source.encode(), parser)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        assembly.add(BlockKind.PARAGRAPH, unescape(get_visible_text(html, [])))
        return
    empty_unread_elements(root)
    add_blocks(assembly, root)


def _escape_unknown(html: str, links: list[str]) -> str:
    """The source with unknown elements escaped and pictures replaced by their words."""
    parts, position = [], 0
    for tag in _TAG.finditer(html):
        _collect_addresses(tag[0], links)
        parts += [html[position : tag.start()].replace("<", "&lt;"), escape(_get_picture_text(tag[0])) or tag[0]]
        position = tag.end()
    return "".join((*parts, html[position:].replace("<", "&lt;")))


def _collect_addresses(tag: str, links: list[str]) -> None:
    addresses = (unescape(next(filter(None, match.groups()), "")) for match in _ADDRESS.finditer(tag))
    links.extend(filter(is_address, addresses))


def _get_picture_text(tag: str) -> str:
    """The words shown in place of a picture."""
    match = _PICTURE.match(tag)
    words = unescape(match[1] or match[2] or "") if match else ""
    return "" if is_badge(tag, words) else words


def _without_comments(html: str) -> str:
    """The source without comments; one that is not closed is text."""
    end = html.rfind("-->") + 1  # so that no search for an end scans the remaining text without a result
    return _COMMENT.sub("", html[: end + 2]) + html[end + 2 :] if end else html
