"""The node tree of a reStructuredText source, as docutils parses it, whatever directives and roles it uses.

Sphinx and its extensions add some hundreds of directives and roles that docutils does not know. Of such a directive all
that stands in it is read, of a role its text. No other file is ever read, and nothing is run.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Directive, Parser, directives
from docutils.parsers.rst.languages import en
from docutils.parsers.rst.states import Inliner, SubstitutionDef
from docutils.utils import Reporter, new_document, unescape

LABEL = "label"  # The attribute of a directive's node that says what it is, where that is part of its words.
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]{1,200}\|[ \t]+)?([^\W_][\w.+:-]{0,80}?)[ ]?::(?=\s|\Z)")
_PLAIN_CODE = ("code", "code-block", "sourcecode")
_CODE = (
    "prompt", "testcode", "testoutput", "testsetup", "testcleanup", "doctest",
    "ipython", "ipython3", "graphviz", "digraph", "graph", "productionlist", "plot", "mermaid", "uml", "plantuml",
    "parsed-literal", "raw", "jupyter-execute", "highlight", "math", "tikz", "blockdiag", "command-output",
)  # fmt: skip
_SILENT = ("role", "default-role")
_OPTION = re.compile(r"[ \t]+:([\w-]+):(?:[ \t]+(\S.*))?")
_SETTINGS = frozenset([
    "align", "backlinks", "class", "collapsible", "color", "dedent", "depth", "emphasize-lines", "figclass", "force",
    "glob", "gutter", "height", "hidden", "icon", "includehidden", "lineno-start", "linenos", "local", "margin",
    "maxdepth", "members", "name", "no-index", "noindex", "number-lines", "numbered", "open", "reversed", "scale",
    "show-inheritance", "sync", "titlesonly", "undoc-members", "width", "widths",
])  # fmt: skip
"""Options of directives that no reader sees."""
_OWN = ("date", "include")
"""Directives of docutils of which only the source is shown: the day of reading, another file."""
_MAX_INLINE_LENGTH = 5_000  # Characters of a paragraph in which marks are looked for, each as far as its end.
_Inlines = tuple[list[nodes.Node], list[nodes.Node]]
_TARGET = re.compile(r"(.+?)\s*<[^<>]*>\Z", re.DOTALL)
_PATH = re.compile(r"~[\w.]*\.")


class _AnyDirective(Directive):  # type: ignore[misc]
    """A directive that docutils does not know: its arguments and content, and what its options show, as text."""

    has_content = True

    def list_options(self) -> list[tuple[str, str]]:
        """The names and values of the options, which are lines right below the first."""
        matches = takewhile(bool, map(_OPTION.fullmatch, self.block_text.split("\n")[1:]))
        return [(match[1], match[2] or "") for match in matches if match]

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        first = self.block_text.split("\n", 1)[0].partition("::")[2].strip()
        if first or self.name in ("seealso", "todo"):
            node[LABEL] = self.name
        if isinstance(self.state, SubstitutionDef):
            return [nodes.Text(" ".join(" ".join(self.content).split()))]
        content = self.content
        for place, (name, _) in reversed(list(enumerate(self.list_options(), bool(first)))):
            content = content[:place] + content[place + 1 :] if name in _SETTINGS else content
        self.state.nested_parse(content, self.content_offset, node)
        return [node]


class _PlainCodeDirective(_AnyDirective):
    """Code below its caption, without its language and other settings."""

    def run(self) -> list[nodes.Node]:
        head = bool(self.block_text.split("\n", 1)[0].partition("::")[2].strip())
        options = self.list_options()
        captions = [words for name, words in options if name not in _SETTINGS and words]
        text = "\n".join(self.content[head + len(options) :]).strip("\n")
        return [
            *(nodes.paragraph(caption, caption) for caption in captions),
            nodes.literal_block(text, text, classes=["code"]),
        ]


class _CodeDirective(Directive):  # type: ignore[misc]
    """A directive whose content is no prose: as it is written."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        return [nodes.literal_block(self.block_text, self.block_text)]


class _SilentDirective(Directive):  # type: ignore[misc]
    """A directive that says nothing to a reader."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        return []


def _make_inliner() -> Inliner:
    """Finds the marks in a paragraph; of a role its text counts.

    Its methods are put in place one by one: the patterns of a class derived from docutils' are incomplete.
    """
    inliner = Inliner()
    parse = inliner.parse

    def parse_bounded(text: str, lineno: int, memo: Any, parent: Any) -> _Inlines:
        return ([nodes.Text(text)], []) if len(text) > _MAX_INLINE_LENGTH else parse(text, lineno, memo, parent)

    inliner.parse = parse_bounded
    inliner.interpreted = _get_role_text
    return inliner


def _get_role_text(_source: str, text: str, _role: str, _line: int) -> _Inlines:
    """What a role shows: the title of a link, without Sphinx's `~`, which shortens a name, and `!`."""
    words = unescape(text)
    if match := _TARGET.match(words):
        words = match[1]
    return [nodes.Text(_PATH.sub("", words, count=1) if words.startswith("~") else words.removeprefix("!"))], []


def parse_rst(text: str) -> nodes.document:
    """The tree of a source before any transforms: references are as they stand."""
    settings = get_default_settings(Parser)
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.report_level = settings.halt_level = Reporter.SEVERE_LEVEL + 1
    settings.line_length_limit = len(text) + 1
    settings.syntax_highlight = "none"
    for name in {match[1].lower() for match in _DIRECTIVE.finditer(text)} - set(en.directives):
        directives.register_directive(name, _AnyDirective)
    for names, directive in (
        (_PLAIN_CODE, _PlainCodeDirective),
        (_CODE, _CodeDirective),
        (_SILENT, _SilentDirective),
        (_OWN, _AnyDirective),
    ):
        for name in names:
            directives.register_directive(name, directive)
    document = new_document("", settings)
    Parser(inliner=_make_inliner()).parse(text, document)
    return document
