"""The tokens of a LaTeX source, and which of them belong together: braces, brackets and environments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto

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


class TexKind(Enum):
    """What a token is; `MARK` is one of the signs `{}[]&~`."""

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
    """A token: what it says, and of a formula whether it stands by itself."""

    kind: TexKind
    text: str
    is_display: bool = False


@dataclass(slots=True)
class TexSource:
    """The tokens of a source without its comments; `ends` has the place of what closes each opening one."""

    text: str
    tokens: list[TexToken] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    _limit: int = -1  # Where the paragraph ends.
    _missing: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Read all of it."""
        place = 0
        while (match := _TOKEN.match(self.text, place)) is not None:
            place = self._add_match(match)
        self._close_all()

    def _add_match(self, match: re.Match[str]) -> int:
        """Adds a token; returns where the next begins."""
        kind, end = match.lastgroup, match.end()
        if kind == "verb":
            self._add_token(TexKind.VERB, match["verb"])
        elif kind == "environment":
            return self._read_environment(match)
        elif kind == "command":
            if match[0].strip() == "\\iffalse" and (after := self._find_after("\\fi", end)):
                return after
            self._add_token(TexKind.COMMAND, match["command"])
        elif kind == "sign":
            if match["sign"] in ("(", "[") and (
                after := self._find_after("\\)" if match["sign"] == "(" else "\\]", end)
            ):
                self._add_token(TexKind.MATH, self.text[match.start() : after], is_display=match["sign"] == "[")
                return after
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
        """Where an environment begins or ends; one of code or of a formula as a whole."""
        name, end = match["environment"], match.end()
        is_begin = match["edge"] == "begin"
        if is_begin and name in VERBATIM | MATH and (after := self._find_after(f"\\end{{{name}}}", end)):
            whole = self.text[match.start() : after]
            if name != "comment":
                self._add_token(TexKind.CODE if name in VERBATIM else TexKind.MATH, whole, is_display=True)
            return after
        self._add_token(TexKind.BEGIN if is_begin else TexKind.END, name)
        return end

    def _read_dollar(self, match: re.Match[str]) -> int:
        """A formula between dollars, which no blank line stands in; else the sign."""
        mark, end = match["dollar"], match.end()
        if self._limit < end:
            blank = _BLANK_LINE.search(self.text, end)
            self._limit = blank.start() if blank else len(self.text)
        close = end
        while True:
            close = self.text.find(mark, close, self._limit)
            if close < 0:
                self._add_token(TexKind.TEXT, mark)
                return end
            if self.text[close - 1] != "\\" or close == end:
                break
            close += 1
        after = close + len(mark)
        self._add_token(TexKind.MATH, self.text[match.start() : after], is_display=mark == "$$")
        return after

    def _find_after(self, mark: str, place: int) -> int:
        """The place after the next such mark; 0 if there is none left, which is searched for only once."""
        if mark in self._missing:
            return 0
        position = self.text.find(mark, place)
        if position < 0:
            self._missing.add(mark)
        return position + len(mark) if position >= 0 else 0

    def _close_all(self) -> None:
        """Finds what closes each brace and environment; brackets inside one pair of braces."""
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

    def find_option(self, place: int) -> tuple[int, int, int] | None:
        """The span of an option in brackets, and the place after it; None where there is none."""
        end = self.ends.get(place) if self.is_mark(place, "[") else None
        return None if end is None else (place + 1, end, end + 1)

    def is_mark(self, place: int, mark: str) -> bool:
        """Whether this sign stands at a place."""
        token = self.tokens[place] if place < len(self.tokens) else None
        return token is not None and token.kind is TexKind.MARK and token.text == mark

    def _is_space(self, place: int) -> bool:
        token = self.tokens[place]
        return token.kind is TexKind.TEXT and not token.text.strip()

    def skip_arguments(self, place: int, count: int) -> int:
        """The place after the options and so many arguments of a command."""
        while option := self.find_option(place):
            place = option[2]
        for _ in range(count):
            if argument := self.find_argument(place):
                place = argument[2]
            while option := self.find_option(place):
                place = option[2]
        return place
