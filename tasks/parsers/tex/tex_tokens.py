"""The tokens of a LaTeX source, and which of them belong together: braces, brackets and environments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from tasks.parsers.tex.tex_words import OPTIONAL_SPACE

VERBATIM = frozenset([
    "verbatim", "verbatim*", "Verbatim", "BVerbatim", "LVerbatim", "lstlisting", "minted", "alltt", "filecontents",
    "filecontents*", "tikzpicture", "pgfpicture", "algorithmic", "comment", "asy", "pycode", "sagesilent",
])  # fmt: skip
"""Environments that are no prose: code and drawings."""
MATH = frozenset(
    f"{name}{star}"
    for name in ("equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "math", "displaymath")
    for star in ("", "*")
)
_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n(?![ \t]*\n)[ \t]*)?)"
    r"|\\(?:verb|lstinline|mintinline\{\w+\})\*?(?P<mark>[^A-Za-z\s*{\[])(?P<verb>[^\n]*?)(?P=mark)"
    r"|\\(?P<edge>begin|end)[ \t]*\{(?P<environment>[A-Za-z]+\*?)\}"
    r"|\\(?P<command>[A-Za-z@]+\*?)(?:[ \t]*\n(?![ \t]*\n)[ \t]*|[ \t]+)?"
    r"|\\(?P<sign>[^A-Za-z]|\Z)"
    r"|(?P<break>\n[ \t]*\n\s*)"
    r"|(?P<dollar>\$\$?)"
    r"|(?P<bracket>[{}\[\]&~])"
    r"|(?P<text>[^\\%{}\[\]$&~\n]+|\n)",
    re.DOTALL,
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


TexSpan = tuple[int, int]
"""The places of the first token and of the one after the last."""
_MAX_MACRO_DEPTH = 12  # Macros inside each other that are expanded.
_MAX_NAME_LENGTH = 500  # Characters of a macro without arguments; bounds macros of macros.
_MAX_GROWTH = 8  # Tokens read by expansion, as a multiple of those of the source.
_BASE_BUDGET = 10_000  # Tokens that may be read by expansion in any source.
_PARAMETER = re.compile(r"#+(\d)")
_PARAMETERS = re.compile(r"(?:\s*#\d\s*)*")
_KNOWN_KINDS = re.compile(r"[msotO+!\s]*")
"""Kinds of arguments that are recognized by their braces and brackets (LaTeX, xparse)."""


class TexKind(Enum):
    """Kinds of tokens; `MARK` is one of the signs `{}[]&~`."""

    TEXT = auto()
    BREAK = auto()
    COMMAND = auto()
    SIGN = auto()
    BEGIN = auto()
    END = auto()
    MATH = auto()
    CODE = auto()
    VERB = auto()
    MARK = auto()


@dataclass(frozen=True, slots=True)
class TexToken:
    """A token with its text, and of a formula whether it is displayed."""

    kind: TexKind
    text: str
    is_display: bool = False


@dataclass(frozen=True, slots=True)
class TexMacro:
    """The replacement of a name: a span of tokens in which `#1` is the first argument.

    `kinds` has a letter for each argument, as xparse has: `m` in braces, `o` in brackets, `s` a star; `defaults` are
    the spans of those that are left out. `ending` is the end of an environment.
    """

    span: TexSpan
    kinds: str = ""
    defaults: tuple[TexSpan, ...] = ()
    ending: TexSpan | None = None


@dataclass(slots=True)
class TexSource:
    """The tokens of a source without its comments; `ends` has the closing place of each opening one."""

    text: str
    tokens: list[TexToken] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    _paragraph_end: int = -1  # Where the paragraph ends.
    _missing_marks: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Read the text."""
        place = 0
        while (match := _TOKEN.match(self.text, place)) is not None:
            place = self._add_match(match)
        self._match_pairs()

    def _add_match(self, match: re.Match[str]) -> int:
        """Adds a token; returns where the next begins."""
        kind, end = match.lastgroup, match.end()
        if kind == "verb":
            self._add_token(TexKind.VERB, match["verb"])
        elif kind == "environment":
            return self._read_environment(match)
        elif kind == "command":
            if match[0].strip() == "\\iffalse" and (next_place := self._find_after("\\fi", end)):
                return next_place
            self._add_token(TexKind.COMMAND, match["command"])
        elif kind == "sign":
            if match["sign"] in ("(", "[") and (
                next_place := self._find_after("\\)" if match["sign"] == "(" else "\\]", end)
            ):
                self._add_token(TexKind.MATH, self.text[match.start() : next_place], is_display=match["sign"] == "[")
                return next_place
            self._add_token(TexKind.SIGN, match["sign"])
        elif kind == "dollar":
            return self._read_dollar(match)
        elif kind != "comment":
            kinds = {"break": TexKind.BREAK, "bracket": TexKind.MARK, "text": TexKind.TEXT}
            self._add_token(kinds[kind or "text"], match[0])
        return end

    def _add_token(self, kind: TexKind, text: str, *, is_display: bool = False) -> None:
        self.tokens.append(TexToken(kind, text, is_display))

    def _read_environment(self, match: re.Match[str]) -> int:
        """Adds the beginning or end of an environment; one of code or of a formula as one token."""
        name, end = match["environment"], match.end()
        is_begin = match["edge"] == "begin"
        if is_begin and name in VERBATIM | MATH and (next_place := self._find_after(f"\\end{{{name}}}", end)):
            content = self.text[match.start() : next_place]
            if name != "comment":
                self._add_token(TexKind.CODE if name in VERBATIM else TexKind.MATH, content, is_display=True)
            return next_place
        self._add_token(TexKind.BEGIN if is_begin else TexKind.END, name)
        return end

    def _read_dollar(self, match: re.Match[str]) -> int:
        """Adds a formula between dollars, which contains no blank line; else the sign."""
        mark, end = match["dollar"], match.end()
        if self._paragraph_end < end:
            blank = _BLANK_LINE.search(self.text, end)
            self._paragraph_end = blank.start() if blank else len(self.text)
        close_place = end
        while True:
            close_place = self.text.find(mark, close_place, self._paragraph_end)
            if close_place < 0:
                self._add_token(TexKind.TEXT, mark)
                return end
            if self.text[close_place - 1] != "\\" or close_place == end:
                break
            close_place += 1
        next_place = close_place + len(mark)
        self._add_token(TexKind.MATH, self.text[match.start() : next_place], is_display=mark == "$$")
        return next_place

    def _find_after(self, mark: str, place: int) -> int:
        """The place after the next such mark; 0 if there is none; that is searched for only once."""
        if mark in self._missing_marks:
            return 0
        position = self.text.find(mark, place)
        if position < 0:
            self._missing_marks.add(mark)
        return position + len(mark) if position >= 0 else 0

    def _match_pairs(self) -> None:
        """Finds the end of each brace and environment, and of brackets inside one pair of braces."""
        open_marks: list[tuple[str, int]] = []
        environments: dict[str, list[int]] = {}
        brackets: list[list[int]] = [[]]
        for place, token in enumerate(self.tokens):
            if token.kind is TexKind.BEGIN:
                environments.setdefault(token.text, []).append(place)
            elif token.kind is TexKind.END and environments.get(token.text):
                self.ends[environments[token.text].pop()] = place
            elif token.kind is TexKind.BREAK:
                brackets[-1].clear()
            elif token.kind is TexKind.MARK:
                if token.text == "{":
                    open_marks.append(("{", place))
                    brackets.append([])
                elif token.text == "}" and open_marks:
                    self.ends[open_marks.pop()[1]] = place
                    brackets.pop()
                elif token.text == "[":
                    brackets[-1].append(place)
                elif token.text == "]" and brackets[-1]:
                    self.ends[brackets[-1].pop()] = place

    def find_argument(self, place: int) -> tuple[int, int, int] | None:
        """The span of an argument in braces, and the place after it; None where there is none."""
        while place < len(self.tokens) and self._is_space(place):
            place += 1
        end = self.ends.get(place) if self.is_mark(place, "{") else None
        return None if end is None else (place + 1, end, end + 1)

    def find_argument_after_options(self, place: int) -> tuple[int, int, int] | None:
        """The same of the argument after the options at a place."""
        return self.find_argument(self.skip_arguments(place, 0))

    def find_option(self, place: int) -> tuple[int, int, int] | None:
        """The span of an option in brackets, and the place after it; None where there is none."""
        end = self.ends.get(place) if self.is_mark(place, "[") else None
        return None if end is None else (place + 1, end, end + 1)

    def is_mark(self, place: int, mark: str) -> bool:
        """Whether this sign is at a place."""
        token = self.tokens[place] if place < len(self.tokens) else None
        return token is not None and token.kind is TexKind.MARK and token.text == mark

    def _is_space(self, place: int) -> bool:
        token = self.tokens[place]
        return token.kind is TexKind.TEXT and not token.text.strip()

    def skip_arguments(self, place: int, count: int, *, ends: bool = False) -> int:
        """The place after the options and `count` arguments of a command; with `ends`, the last argument ends it."""
        while option := self.find_option(place):
            place = option[2]
        for remaining_count in reversed(range(count)):
            if argument := self.find_argument(place):
                place = argument[2]
            while (remaining_count or not ends) and (option := self.find_option(place)):
                place = option[2]
        return place

    def get_text(self, start: int, end: int) -> str:
        """A span as it is written, without comments."""
        marks = {TexKind.COMMAND: "\\", TexKind.SIGN: "\\"}
        return "".join(marks.get(token.kind, "") + token.text for token in self.tokens[start:end])

    def iter_further_arguments(self, place: int) -> Iterator[int]:
        """Where the arguments in braces begin that follow the first of a command."""
        argument = self.find_argument(place)
        while argument and self.is_mark(argument[2], "{"):
            yield argument[2]
            argument = self.find_argument(argument[2])

    def list_arguments(self, place: int, count: int) -> tuple[list[TexSpan], int]:
        """The spans of `count` arguments without options, and the place after; none where one is missing."""
        spans: list[TexSpan] = []
        for _ in range(count):
            argument = self.find_argument_after_options(place)
            if argument is None:
                return [], place
            spans.append(argument[:2])
            place = argument[2]
        return spans, place

    def read_definition(self, name: str, place: int) -> tuple[str, TexMacro | None, int]:
        """The name that a command defines, its macro, if its arguments are known, and the place after the definition.

        The name is empty where nothing is defined.
        """
        name_span = self.find_argument(place)
        token = self.tokens[name_span[0] if name_span else place] if place < len(self.tokens) else None
        is_environment = name.endswith("environment")
        if token is None or token.kind is not (TexKind.TEXT if is_environment else TexKind.COMMAND):
            return "", None, place
        place = name_span[2] if name_span else place + 1
        kinds, defaults, place = self._read_parameters(name, place)
        argument = self.find_argument(place)
        if argument is None:
            return token.text, None, place + (name == "let")
        ending = self.find_argument(argument[2]) if is_environment else None
        next_place = ending[2] if ending else argument[2]
        if kinds is None:
            return token.text, None, next_place
        return token.text, TexMacro(argument[:2], kinds, defaults, ending[:2] if ending else None), next_place

    def _read_parameters(self, name: str, place: int) -> tuple[str | None, tuple[TexSpan, ...], int]:
        """The kinds of arguments that a definition states, None for unknown ones, and their defaults."""
        if "Document" in name:
            return self._read_specification(place)
        if name in ("def", "gdef", "edef", "xdef"):
            start = place
            while place < len(self.tokens) and not self.is_mark(place, "{"):
                place += 1
            text = self.get_text(start, place)
            return "m" * text.count("#") if _PARAMETERS.fullmatch(text) else None, (), place
        options = []
        while option := self.find_option(place):
            options.append(option[:2])
            place = option[2]
        count = self.get_text(*options[0]).strip() if options else ""
        number = int(count) if count.isdecimal() and len(count) == 1 else 0
        kinds = "o" * bool(options[1:] and number) + "m" * (number - bool(options[1:]))
        return kinds if number or not count else None, tuple(options[1:2]), place

    def _read_specification(self, place: int) -> tuple[str | None, tuple[TexSpan, ...], int]:
        """The kinds and defaults of a definition by xparse: "m O{5} m"."""
        argument = self.find_argument(place)
        if argument is None:
            return None, (), place
        kinds, defaults, place = "", list[TexSpan](), argument[0]
        while place < argument[1]:
            default = self.find_argument(place)
            if default:
                defaults.append(default[:2])
                place = default[2]
            else:
                kinds, place = kinds + self.tokens[place].text, place + 1
        is_known = _KNOWN_KINDS.fullmatch(kinds) and kinds.count("O") == len(defaults)
        spans = iter(defaults)
        letters = re.sub(r"[+!\s]", "", kinds)
        return (
            letters.lower() if is_known else None,
            tuple(next(spans) if letter == "O" else (0, 0) for letter in letters if letter in "oO") if is_known else (),
            argument[2],
        )

    def read_arguments(self, macro: TexMacro, place: int) -> tuple[list[TexSpan], int]:
        """The spans of a macro's arguments after its name, empty for those that are missing, and the place after."""
        spans, defaults = list[TexSpan](), iter(macro.defaults)
        for kind in macro.kinds:
            default = next(defaults, (0, 0)) if kind == "o" else (0, 0)
            is_star = kind in "st" and self.is_mark(place, "*")
            span = None if kind in "st" else self.find_option(place) if kind == "o" else self.find_argument(place)
            spans.append(span[:2] if span else default)
            place = span[2] if span else place + is_star
        return spans, place


class TexMacros:
    """The macros that an author defines, and the arguments of those that are being expanded.

    `names` are the words of macros without arguments; `frames` have the arguments, the innermost last; `environments`
    are the open ones.
    """

    def __init__(self, source: TexSource) -> None:
        self.names: dict[str, str] = {}
        self.macros: dict[str, TexMacro] = {}
        self.used: set[str] = set()
        self.frames: list[Sequence[TexSpan]] = []
        self.environments: list[tuple[str, Sequence[TexSpan]]] = []
        self._source = source
        self._spans: dict[str, TexSpan] = {}
        self._budget = _MAX_GROWTH * len(source.tokens) + _BASE_BUDGET

    def define(self, name: str, macro: TexMacro, words: str) -> None:
        """Stores a definition; `words` are those of a macro without arguments."""
        self._spans[name] = macro.span[0], (macro.ending or macro.span)[1]
        if macro.kinds or macro.ending:
            self.names.pop(name, None)
            self.macros[name] = macro
        elif words and len(words) <= _MAX_NAME_LENGTH and "#" not in words:
            is_spaced = self._source.tokens[macro.span[1] - 1].text == "xspace"
            self.macros.pop(name, None)
            self.names[name] = words + OPTIONAL_SPACE * is_spaced

    def list_unused(self) -> list[tuple[str, TexSpan]]:
        """The names that no text uses, and their spans."""
        return [(name, span) for name, span in self._spans.items() if name not in self.used and self.has_name(name)]

    def has_name(self, name: str) -> bool:
        """Whether an author defines it."""
        return name in self.names or name in self.macros

    def use_budget(self, span: TexSpan) -> bool:
        """Whether a span may be expanded: within the bounds of tokens and of depth."""
        self._budget -= 1 + span[1] - span[0]
        return self._budget > 0 and len(self.frames) < _MAX_MACRO_DEPTH

    def iter_pieces(self, text: str) -> Iterator[str | TexSpan]:
        """The pieces of a text, with the arguments at its parameters."""
        if not self.frames or "#" not in text:
            yield text
            return
        pieces = _PARAMETER.split(text)
        yield pieces[0]
        for number, piece in zip(pieces[1::2], pieces[2::2], strict=True):
            yield from self.frames[-1][int(number) - 1 : int(number)] if int(number) else ()
            yield piece

    def substitute(self, text: str) -> str:
        """A text as written, with arguments in place of its parameters."""
        return "".join(
            piece if isinstance(piece, str) else self._source.get_text(*piece) for piece in self.iter_pieces(text)
        )
