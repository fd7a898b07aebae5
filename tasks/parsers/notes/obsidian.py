"""Additions to Markdown: those of Obsidian, and lines that are only for site generators.

Obsidian's are rules for markdown-it: wikilinks, tags, comments, formulas, footnotes, marks
(https://help.obsidian.md/obsidian-flavored-markdown). Each mark in a line becomes a token whose `content` is what a
reader sees. CommonMark's link definitions are narrowed: `[2025-08-21]: calm` and `[idea]: buy milk` are no addresses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.written_dates import is_date_heading

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_FOOTNOTE_START = re.compile(r"\[\^([^\s\]]+)\]:[ \t]*")
_DEFINITION = re.compile(
    r"\[(?!\^)([^\[\]\n]{1,999})\]:[ \t]*"
    r"(?:<[^<>\n]*>|[A-Za-z][\w+.-]*:\S+|(?:\.{1,2})?/\S+|#\S+|[^\s:]+\.[A-Za-z]\w{1,4}(?:[#?]\S*)?)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*"
)
_TAG = re.compile(r"#([\w/\-\u2600-\u27bf\U0001f000-\U0001faff]+)")
_CHARACTERS_BEFORE_TAG = " \t\n*_~="
_HEX_COLOUR = re.compile(r"(?=[a-fA-F]*\d)[\da-fA-F]+|([a-fA-F])\1+|(?:([a-fA-F])\2){3,4}")
_HEX_LENGTHS = (3, 4, 6, 8)
_MATH = re.compile(r"\$\$[^$]+\$\$|\$(?![\s$])(?:\\[^\n]|[^\\$\n])+(?<!\s)\$(?!\d)")
_FOOTNOTE = re.compile(r"\[\^([^\s\]]+)\]")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*\Z")
_FINAL_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+\Z")
_HIGHLIGHT_MARKER = ord("=")
WIKILINK = re.compile(r"!?\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(?:\\?\|([^\[\]\n]*))?\]\]")
PICTURE_SIZE = re.compile(r"(?:\A|\|)\s*\d+(?:x\d+)?\s*\Z")  # At the end of the text of a picture: width, or both.

_CODE_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_SHOWN = r"(?:caption|title|alt|fig-alt|fig-cap|label|summary|header)\s*=\s*"
_SHOWN_WORDS = re.compile(rf"{_SHOWN}\"([^\"]+)\"|{_SHOWN}'([^']+)'|(?<![=\w])\"([^\"=/]*[^\"=/\s]\s[^\"=/]+)\"")
"""The settings of a mark that are shown, and a text in it without a name."""
_SITE_MARK = re.compile(
    r"[ \t]*(?::{3,}[ \t]*(?:(?P<settings>\{[^{}]*\})|[\w-]*)"
    r"(?:\[(?P<bracketed>[^\[\]]+)\]|[ \t]+(?P<title>[^\s{:].*))?(?:\{[^{}]*\})?"
    r"|(?P<tags>\{%[^%]*%\}(?:[ \t]*\{%[^%]*%\})*))[ \t:]*"
)
_SETTING_LINE = re.compile(
    r"\s*(?:\{:(?!\s*toc)[^{}]*\}|\[\[?_?TOC_?\]?\]|-{1,2}8<-{1,2}.*"
    r"|\\(?:newpage|pagebreak|clearpage|cleardoublepage|tableofcontents|listof\w+|(?:big|med|small)skip|noindent|hfill)"
    r"|(?:import\s+[\w*{][^;]*\sfrom\s+)['\"][^'\"]+['\"];?|import\s+['\"][^'\"]+['\"];?"
    r"|export\s+(?:const|let|default|function)\s.*[;})])\s*"
)
"""Lines of settings: of kramdown, tables of contents, pieces that MkDocs includes, page breaks, code of MDX."""
_ADMONITION = re.compile(
    r"(?P<indent> *)(?:(?:!!!|\?\?\?\+?)[ \t]+(?P<kind>[\w -]+?)|={3}[!+]*)[ \t]*(?:\"(?P<title>[^\"]*)\")?[ \t]*"
)
"""The line above an indented part of MkDocs: a note of a kind, or a tab."""
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
_PIECE_MARK = re.compile(
    r"\{\{(?P<percent>[<%])(?P<shortcode>[^{}]*)[>%]\}\}"  # Hugo, Quarto
    r"|\{%-?\s*(?:end)?raw\s*-?%\}|(?<=\]\()\{[%{][^{}]*[%}]\}(?=\))"  # Liquid
    r"|(?<=[)\]`*_])\{:?[ \t]*(?P<settings>(?:[#.][\w:.-]+|[\w-]+=(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}]+))"
    r"(?:[ \t]+(?:[#.][\w:.-]+|[\w-]+=(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}]+)))*)[ \t]*\}"  # kramdown, Pandoc
    r"|(?<=\S)[ \t]+\{#[\w:.-]+(?:[ \t]+[^{}]*)?\}[ \t]*\Z"
    r"|(?<![ \t])[ \t]*:(?:material|fontawesome|octicons|simple)-[\w-]+:(?:\{[^{}]*\})?"  # MkDocs
    r"|\{/\*.{0,300}?\*/\}"  # MDX
    r"|\(\([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\)\)"  # Logseq
    r"|\{\{embed\s+(?P<embedded>[^{}]+)\}\}|\{\{(?:query|renderer|video|tweet)\s[^{}]*\}\}"
)
_COMMENT = re.compile(r"\{%-?\s*comment\s*-?%\}(?:[^{]|\{(?!%))*+\{%-?\s*endcomment\s*-?%\}|\{\{/\*[^{}]*?\*/\}\}")
_HIGHLIGHT_TAG = re.compile(
    r"[ \t]*(?:\{%-?\s*|\{\{[<%]\s*)(?P<end>end|/\s*)?highlight\b\s*(?P<language>\w*).*(?:%\}|[>%]\}\})\s*"
)
"""The lines around code in Liquid and Hugo."""
_COMPONENT = re.compile(
    r"</?(?P<name>[A-Z][\w.]*)(?P<settings>(?:\s+[\w-]+(?:=(?:\"[^\"]*\"|'[^']*'|\{[^{}]*\}))?)*)\s*(?P<closed>/)?>"
)
_SITE_SIGNS = (
    ":::", "{%", "{{", "!!!", "???", "===", "{:", "](", "{#", "{.", "TOC]", "8<-", "((", ":material-", "</", "/>", "\\",
    "import ", "export ", "]{", "{/*",
)  # fmt: skip
_MAX_LINE_LENGTH = 10_000  # Characters of a line in which marks are looked for.
_HIGHLIGHT_FENCE = "{%"
_MIN_INDENT = 4  # Blanks before the lines of a part of MkDocs.


def add_rules(markdown: MarkdownIt) -> None:
    """Adds the rules. Among those for blocks only the ones with a clear mark may end a paragraph."""
    blocks, inline = markdown.block.ruler, markdown.inline.ruler
    inline.before("image", "wikilink", _parse_wikilink)  # before Markdown's own links and images
    inline.before("link", "wikilink_plain", _parse_wikilink)
    for name, rule in (
        ("tag", _parse_tag),
        ("comment", _parse_comment),
        ("math", _parse_math),
        ("block_id", _parse_block_id),
    ):
        inline.before("emphasis", name, rule)  # code comes before all of them
    inline.before("link", "footnote", _parse_footnote)
    inline.before("emphasis", "highlight", _parse_highlight)
    markdown.inline.ruler2.before("fragments_join", "highlight", _remove_marks)
    ends_paragraph: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    blocks.before("fence", "comment", _parse_comment_block, ends_paragraph)
    blocks.before("fence", "math", _parse_math_block, ends_paragraph)
    blocks.before("reference", "footnote", _parse_footnote_block, ends_paragraph)
    blocks.at("reference", _parse_definition)


def _get_line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _find_fence_end(state: StateBlock, mark: str, first: int, end: int) -> int:
    """The line after a passage that begins with the mark and ends with it at the end of a line, else 0."""
    if state.is_code_block(first) or not (opening := _get_line(state, first).rstrip()).startswith(mark):
        return 0
    if mark in opening[2:]:
        return first + 1 if opening.find(mark, 2) == len(opening) - 2 else 0
    for line in range(first + 1, end):
        text = _get_line(state, line).rstrip()
        if mark in text:
            return line + 1 if text.find(mark) == len(text) - 2 else 0
    return 0


def _parse_comment_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    next_line = _find_fence_end(state, "%%", first, end)
    if next_line and not silent:
        state.line = next_line
    return bool(next_line)


def _parse_math_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    next_line = _find_fence_end(state, "$$", first, end)
    if next_line and not silent:
        state.push("math_block", "", 0).content = state.getLines(first, next_line, state.blkIndent, keepLastLF=False)
        state.line = next_line
    return bool(next_line)


def _parse_definition(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    from markdown_it.rules_block import reference

    match = _DEFINITION.fullmatch(_get_line(state, first))
    return match is not None and not is_date_heading(match[1]) and reference(state, first, end, silent)


def _parse_footnote_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """A footnote's text: its line and the indented ones that follow, as blocks between a pair of tokens."""
    match = None if state.is_code_block(first) else _FOOTNOTE_START.match(_get_line(state, first))
    if match is None or silent:
        return match is not None
    state.env.setdefault("footnotes", set()).add(match[1])
    state.push("footnote_block_open", "", 1).content = match[1]
    mark, shift, count = state.bMarks[first], state.tShift[first], state.sCount[first]
    parent, state.parentType = state.parentType, "footnote"
    state.bMarks[first], state.tShift[first] = mark + shift + match.end(), 0
    state.blkIndent += 4
    state.sCount[first] = state.blkIndent
    state.md.block.tokenize(state, first, end)
    state.blkIndent -= 4
    state.bMarks[first], state.tShift[first], state.sCount[first] = mark, shift, count
    state.parentType = parent
    state.push("footnote_block_close", "", -1)
    return True


def find_tag(text: str, position: int) -> re.Match[str] | None:
    """The tag that begins there: after white space, not all digits, no colour such as `#1a2b3c` or `#fff`."""
    match = _TAG.match(text, position)
    if match is None or (position and text[position - 1] not in _CHARACTERS_BEFORE_TAG):
        return None
    name = match[1].strip("/")
    colour = len(name) in _HEX_LENGTHS and _HEX_COLOUR.fullmatch(name)
    return None if colour or not re.search(r"[^\d/_-]", name) else match


def _parse_tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature of markdown-it's rules
    match = find_tag(state.src, state.pos) if state.src[state.pos] == "#" else None
    if match is None or match.end() > state.posMax:
        return False
    return _push_token(state, "tag", match[0], match.end(), silent=silent)


def _parse_comment(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    if not state.src.startswith("%%", state.pos):
        return False
    end = state.src.find("%%", state.pos + 2, state.posMax)
    between_words = state.src[state.pos - 1 : state.pos] == state.src[end + 2 : end + 3] == " "
    return end > 0 and _push_token(state, "comment", "", end + 2 + between_words, silent=silent)


def _parse_math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    match = _MATH.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "$" else None
    return match is not None and _push_token(state, "math", match[0], match.end(), silent=silent)


def without_block_id(text: str) -> str:
    """The words of a heading without its block id, which every block below would repeat."""
    return _FINAL_BLOCK_ID.sub("", text)


def _parse_block_id(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """`^id` after a block, the target of links, is kept as it is written."""
    if state.src[state.pos] != "^" or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    match = _BLOCK_ID.match(state.src, state.pos, state.posMax)
    return match is not None and _push_token(state, "block_id", match[0].rstrip(), match.end(), silent=silent)


def _parse_footnote(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """`[^1]` is shown as `[1]` if there is such a footnote."""
    match = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if match is None or match[1] not in state.env.get("footnotes", ()):
        return False
    return _push_token(state, "footnote", f"[{match[1]}]", match.end(), silent=silent)


def _push_token(state: StateInline, kind: str, content: str, end: int, *, silent: bool) -> bool:
    if not silent:
        state.push(kind, "", 0).content = content
    state.pos = end
    return True


def _parse_highlight(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Adds a delimiter for `==`, which is removed if another one closes it."""
    from markdown_it.rules_inline.state_inline import Delimiter

    if silent or not state.src.startswith("==", state.pos):
        return False
    run = state.scanDelims(state.pos, canSplitWord=True)
    state.push("text", "", 0).content = "=" * run.length
    if run.length == 2:
        place = len(state.tokens) - 1
        state.delimiters.append(Delimiter(_HIGHLIGHT_MARKER, 0, place, -1, run.can_open, run.can_close))
    state.pos += run.length
    return True


def _remove_marks(state: StateInline) -> None:
    groups = [state.delimiters, *(meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta)]
    for delimiters in groups:
        for mark in delimiters:
            if mark.marker == _HIGHLIGHT_MARKER and mark.end >= 0:
                for delimiter in (mark, delimiters[mark.end]):
                    state.tokens[delimiter.token].content = ""


def get_link_text(match: re.Match[str]) -> str:
    """The alias; without one the note's name, with " > " before a heading, as Obsidian shows it."""
    note, place, alias = match[1].strip(" \\"), (match[2] or "").strip(" \\#^"), (match[3] or "").strip()
    if match[0].startswith("!"):
        alias = PICTURE_SIZE.sub("", alias)
    return alias or " > ".join(filter(None, (note, *(part.strip() for part in re.split(r"#\^?", place)))))


def get_link_target(match: re.Match[str]) -> str:
    """The note that is linked to, without the place in it; nothing for a link inside the note itself."""
    return match[1].strip(" \\")


def _parse_wikilink(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature of markdown-it's rules
    match = WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = get_link_text(match)
        token.meta = {"target": get_link_target(match)}
    state.pos = match.end()
    return True


def remove_site_marks(body: str) -> str:
    """A body without the marks for site generators, outside of code; the titles in them are kept.

    These are fences of divisions (`::: tip Title`, `:::{.note}`), tags of Liquid (`{% endhint %}`), shortcodes of Hugo
    and Quarto (`{{< figure title="Title" >}}`), notes and tabs of MkDocs (`!!! note "Title"`), whose indented lines
    are text, names and classes (`{: #name .class}`), and components of MDX.
    """
    if not any(sign in body for sign in _SITE_SIGNS):
        return body
    components = {match["name"] for match in _COMPONENT.finditer(body) if match["closed"] or match[0].startswith("</")}
    lines, fence, part_indents = list[str](), "", list[int]()
    for written_line in _COMMENT.sub("", body).split("\n"):
        indent = len(written_line) - len(written_line.lstrip(" "))
        while part_indents and written_line.strip() and indent < part_indents[-1]:
            part_indents.pop()
        line = written_line[min(indent, _MIN_INDENT * len(part_indents)) :]
        if code := _CODE_FENCE.match(line):
            fence = "" if fence and code[1].startswith(fence) else fence or code[1]
        elif (mark := _HIGHLIGHT_TAG.fullmatch(line)) and bool(mark["end"]) == (fence == _HIGHLIGHT_FENCE):
            fence = "" if mark["end"] else _HIGHLIGHT_FENCE
            line = "```" if mark["end"] else f"```{mark['language']}"
        elif not fence and (part := _ADMONITION.fullmatch(line)) and (part["kind"] or part["title"]):
            part_indents.append(indent + _MIN_INDENT)
            line = (part["kind"].split()[0].capitalize() if part["title"] is None else part["title"]) + "\n"
        elif not fence and len(line) <= _MAX_LINE_LENGTH:
            line = _remove_line_marks(line, components)
            if line.lstrip().startswith("{:toc") and lines:
                lines[-1] = line = ""
        lines.append(line)
    return "\n".join(lines)


def _remove_line_marks(line: str, components: set[str]) -> str:
    """A line without the marks for site generators; the titles in them are kept."""
    if _SETTING_LINE.fullmatch(line):
        return ""
    if mark := _SITE_MARK.fullmatch(line):
        return mark["bracketed"] or mark["title"] or _join_words(mark["settings"] or mark["tags"] or "")
    pieces, position = list[str](), 0
    for code in (*_CODE_SPAN.finditer(line), None):
        words = _PIECE_MARK.sub(_get_mark_words, line[position : code.start() if code else len(line)])
        pieces.append(_COMPONENT.sub(lambda tag: _get_component_words(tag, components), words) if components else words)
        if code:
            pieces.append(code[0])
            position = code.end()
    return "".join(pieces)


def _get_mark_words(mark: re.Match[str]) -> str:
    return mark["embedded"] or _join_words(mark["shortcode"] or mark["settings"] or "")


def _get_component_words(tag: re.Match[str], components: set[str]) -> str:
    """The title of an element of MDX; one that is never closed is text, as in `List<String>`."""
    return _join_words(tag["settings"]) if tag["name"] in components else tag[0]


def _join_words(settings: str) -> str:
    return ". ".join(next(filter(None, match.groups())) for match in _SHOWN_WORDS.finditer(settings))
