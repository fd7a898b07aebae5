"""The node tree of a reStructuredText source, as docutils parses it, whatever directives and roles it uses.

Sphinx and its extensions add some hundreds of directives and roles that docutils does not know. Of such a directive
the content is read, of a role its text. No other file is ever read, and nothing is run.
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

LABEL = "label"  # The attribute of a node with the name of its directive, where that is part of its words.
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]{1,200}\|[ \t]+)?([^\W_][\w.+:-]{0,80}?)[ ]?::(?=\s|\Z)")
_CAPTIONED_CODE_DIRECTIVES = ("code", "code-block", "sourcecode")
_CODE_DIRECTIVES = (
    "prompt", "testcode", "testoutput", "testsetup", "testcleanup", "doctest",
    "ipython", "ipython3", "graphviz", "digraph", "graph", "productionlist", "plot", "mermaid", "uml", "plantuml",
    "parsed-literal", "raw", "jupyter-execute", "highlight", "math", "tikz", "blockdiag", "command-output",
)  # fmt: skip
_SILENT_DIRECTIVES = ("role", "default-role")
_OPTION = re.compile(r"[ \t]+:([\w-]+):(?:[ \t]+(\S.*))?")
_HIDDEN_OPTIONS = frozenset([
    "align", "backlinks", "class", "collapsible", "color", "dedent", "depth", "emphasize-lines", "figclass", "force",
    "glob", "gutter", "height", "hidden", "icon", "includehidden", "lineno-start", "linenos", "local", "margin",
    "maxdepth", "members", "name", "no-index", "noindex", "number-lines", "numbered", "open", "reversed", "scale",
    "show-inheritance", "sync", "titlesonly", "undoc-members", "width", "widths",
])  # fmt: skip
"""Options of directives that are not shown."""
_SOURCE_ONLY_DIRECTIVES = ("date", "include")
"""Directives of docutils of which only the source is shown: the day of reading, another file."""
_MAX_INLINE_LENGTH = 5_000  # Characters of a paragraph in which marks are looked for, each as far as its end.
_Inlines = tuple[list[nodes.Node], list[nodes.Node]]
_TITLE_AND_TARGET = re.compile(r"(.+?)\s*<[^<>]*>\Z", re.DOTALL)
_PATH = re.compile(r"~[\w.]*\.")


class _UnknownDirective(Directive):  # type: ignore[misc]
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
            content = content[:place] + content[place + 1 :] if name in _HIDDEN_OPTIONS else content
        self.state.nested_parse(content, self.content_offset, node)
        return [node]


class _CaptionedCodeDirective(_UnknownDirective):
    """Code below its caption, without its language and other settings."""

    def run(self) -> list[nodes.Node]:
        has_argument = bool(self.block_text.split("\n", 1)[0].partition("::")[2].strip())
        options = self.list_options()
        captions = [words for name, words in options if name not in _HIDDEN_OPTIONS and words]
        text = "\n".join(self.content[has_argument + len(options) :]).strip("\n")
        return [
            *(nodes.paragraph(caption, caption) for caption in captions),
            nodes.literal_block(text, text, classes=["code"]),
        ]


class _CodeDirective(Directive):  # type: ignore[misc]
    """A directive whose content is no prose and is kept as it is written."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        return [nodes.literal_block(self.block_text, self.block_text)]


class _SilentDirective(Directive):  # type: ignore[misc]
    """A directive that shows nothing."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        return []


def _make_inliner() -> Inliner:
    """A parser of inline marks that replaces roles by their text.

    Its methods are replaced one by one: the patterns of a class derived from docutils' are incomplete.
    """
    inliner = Inliner()
    parse = inliner.parse

    def parse_bounded(text: str, lineno: int, memo: Any, parent: Any) -> _Inlines:
        return ([nodes.Text(text)], []) if len(text) > _MAX_INLINE_LENGTH else parse(text, lineno, memo, parent)

    inliner.parse = parse_bounded
    inliner.interpreted = _get_role_text
    return inliner


def _get_role_text(_source: str, text: str, _role: str, _line: int) -> _Inlines:
    """The text of a role: the title of a link, without Sphinx's `~`, which shortens a name, and `!`."""
    words = unescape(text)
    if match := _TITLE_AND_TARGET.match(words):
        words = match[1]
    return [nodes.Text(_PATH.sub("", words, count=1) if words.startswith("~") else words.removeprefix("!"))], []


def parse_rst(text: str) -> nodes.document:
    """The tree of a source before any transforms, with unresolved references."""
    settings = get_default_settings(Parser)
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.report_level = settings.halt_level = Reporter.SEVERE_LEVEL + 1
    settings.line_length_limit = len(text) + 1
    settings.syntax_highlight = "none"
    for name in {match[1].lower() for match in _DIRECTIVE.finditer(text)} - set(en.directives):
        directives.register_directive(name, _UnknownDirective)
    for names, directive in (
        (_CAPTIONED_CODE_DIRECTIVES, _CaptionedCodeDirective),
        (_CODE_DIRECTIVES, _CodeDirective),
        (_SILENT_DIRECTIVES, _SilentDirective),
        (_SOURCE_ONLY_DIRECTIVES, _UnknownDirective),
    ):
        for name in names:
            directives.register_directive(name, directive)
    document = new_document("", settings)
    Parser(inliner=_make_inliner()).parse(text, document)
    return document
