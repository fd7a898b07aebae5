"""HTML that is written inside Markdown: known elements are machinery, unknown ones such as `<your name>` are words."""

from __future__ import annotations

import re
from html import escape, unescape

from tasks.parsers.assembly import Assembly
from tasks.parsers.web.page_blocks import BLOCKS, add_blocks
from tasks.parsers.web.page_tree import take_out_machinery, with_few_attributes
from warehouse.records import BlockKind

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ATTRIBUTES = r"(?:\s++[\w:@.-]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?)*+"
_INLINE = (
    "a|abbr|acronym|area|audio|b|base|bdi|bdo|big|br|button|canvas|cite|code|data|datalist|del|dfn|dialog|em|embed|font"
    "|i|iframe|img|input|ins|kbd|label|link|map|mark|meta|meter|noscript|object|output|param|path|picture|progress|q|rp"
    "|rt|ruby|s|samp|script|select|slot|small|source|span|strike|strong|style|sub|sup|svg|tbody|template|textarea|time"
    "|track|tt|u|var|video|wbr"
)
_TAG = re.compile(rf"</?(?:(?P<line>br|{'|'.join(sorted(BLOCKS))})|{_INLINE}){_ATTRIBUTES}\s*+/?>", re.IGNORECASE)
_ADDRESS = re.compile(r"\s(?:href|src)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))", re.IGNORECASE)
_PICTURE = re.compile(r"<img\b(?:.*?\salt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'))?", re.IGNORECASE | re.DOTALL)


def visible_text(html: str, links: list[str]) -> str:
    """The words among known elements, on lines where those begin lines. Notes where links and pictures lead."""

    def stands_for(tag: re.Match[str]) -> str:
        _note(tag[0], links)
        return _picture_text(tag[0]) or ("\n" if tag["line"] else "")

    return _TAG.sub(stands_for, _without_comments(html))


def is_address(text: str) -> bool:
    """Whether a link leads anywhere: not where it carries its own content."""
    return bool(text) and not text.startswith("data:")


def add_html(assembly: Assembly, html: str, links: list[str]) -> None:
    """The blocks of a passage of HTML, as they would be on a page; only its words where it is nested absurdly."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    source = with_few_attributes(f"<div>{_known_only(_without_comments(html), links)}</div>")
    root = etree.fromstring(source.encode(), parser)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        assembly.add(BlockKind.PARAGRAPH, unescape(visible_text(html, [])))
        return
    take_out_machinery(root)
    add_blocks(assembly, root)


def _known_only(html: str, links: list[str]) -> str:
    """The source with all that is no known element escaped, and the words of its pictures in their places."""
    parts, position = [], 0
    for tag in _TAG.finditer(html):
        _note(tag[0], links)
        parts += [html[position : tag.start()].replace("<", "&lt;"), escape(_picture_text(tag[0])) or tag[0]]
        position = tag.end()
    return "".join((*parts, html[position:].replace("<", "&lt;")))


def _note(tag: str, links: list[str]) -> None:
    addresses = (unescape(next(filter(None, found.groups()), "")) for found in _ADDRESS.finditer(tag))
    links.extend(filter(is_address, addresses))


def _picture_text(tag: str) -> str:
    """What stands for a picture."""
    match = _PICTURE.match(tag)
    return unescape(match[1] or match[2] or "") if match else ""


def _without_comments(html: str) -> str:
    """A comment that nothing closes is words."""
    end = html.rfind("-->") + 1  # so that no search for an end runs to the end in vain
    return _COMMENT.sub("", html[: end + 2]) + html[end + 2 :] if end else html
