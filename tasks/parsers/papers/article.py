"""A whole JATS article in its order: title, abstracts, body, floating figures, back matter, articles inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.papers.body import add_block, add_content, title_of
from tasks.parsers.papers.front import title
from tasks.parsers.papers.inline import text_of
from tasks.parsers.trees import local

if TYPE_CHECKING:
    from lxml.etree import _Element

_ABSTRACT_ONLY = ("abstract only", "does not allow downloading of the full text")
_ABSTRACTS = frozenset(["abstract", "trans-abstract"])
_KINDS = {"teaser": "Teaser", "toc": "Summary", "web-summary": "Summary", "key-points": "Key points"}
_INNER = frozenset(["sub-article", "response"])


def articles(root: _Element) -> list[_Element]:
    """The articles in a file: the root itself, or those in a wrapper such as `pmc-articleset` or OAI-PMH's records."""
    found = [root] if local(root) == "article" else root.iter("article")
    return [article for article in found if article.find("front") is not None or article.find("body") is not None]


def is_abstract_only(article: _Element) -> bool:
    """Whether a publisher's comment says so, or the body is missing or empty."""
    from lxml import etree

    comments = (*article.itersiblings(etree.Comment, preceding=True), *article.iter(etree.Comment))
    if any(mark in (comment.text or "") for comment in comments for mark in _ABSTRACT_ONLY):
        return True
    body = article.find("body")
    return body is None or not "".join(map(str, body.itertext(etree.Element))).strip()


def add_article(assembly: Assembly, article: _Element, level: int = 1) -> None:
    """Adds an article; its title is a heading of this level, or what an untitled one inside another is."""
    kind = local(article)
    assembly.heading(title(article) or (kind.replace("-", " ").capitalize() if kind in _INNER else ""), level)
    for front in (part for part in article if local(part) in ("front", "front-stub")):
        for abstract in (part for part in front.iter(*_ABSTRACTS) if text_of(part)):
            _abstract(assembly, abstract, level + 1)
    for part in article:
        if local(part) in ("body", "floats-group"):
            add_content(assembly, part, level + 1)
            assembly.leave(level + 1)
        elif local(part) == "back":
            for child in part:
                add_block(assembly, child, level + 1)
        elif local(part) in _INNER:
            add_article(assembly, part, level + 1)
    assembly.leave(level)


def _abstract(assembly: Assembly, abstract: _Element, level: int) -> None:
    """An abstract as a section, "Abstract" where it has no title of its own."""
    kind = (abstract.get("abstract-type") or "").replace("-", " ")
    assembly.heading(title_of(abstract) or _KINDS.get(kind) or f"{kind} abstract".strip().capitalize(), level)
    add_content(assembly, abstract, level + 1)
    assembly.leave(level)
