r"""The rows of a LaTeX table: cells between `&`, rows between `\\`, cells over several columns, rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tasks.parsers.table_form import SpanCell, parse_span
from tasks.parsers.tex.tex_tokens import TexKind, TexSource

_RULES = frozenset(["hline", "midrule", "toprule", "bottomrule", "endhead", "endfirsthead", "Xhline", "hhline"])
"""Commands below the header, if they are below a row; the heads of a long table end with a command."""
_PART_RULES = frozenset([
    "cline", "cmidrule", "addlinespace", "specialrule", "noalign", "endfoot", "endlastfoot", "caption", "label",
    "rowcolor", "morecmidrules", "arrayrulecolor",
])  # fmt: skip
_ROW_ENDS = frozenset(["tabularnewline", "cr"])


@dataclass(slots=True)
class TexRows:
    """The rows of the table in the tokens from `start` to `end`; `header` is how many stand above the first rule.

    `read` gives the words of a span of tokens.
    """

    source: TexSource
    start: int
    end: int
    read: Callable[[int, int], str]
    rows: list[list[SpanCell]] = field(default_factory=list)
    header: int | None = None
    _row: list[SpanCell] = field(default_factory=list)
    _cell: int = 0
    _first_head: int = 0

    def __post_init__(self) -> None:
        """Read them."""
        place = self._cell = self.start
        tokens, ends = self.source.tokens, self.source.ends
        while place < self.end:
            token = tokens[place]
            name = token.text.rstrip("*") if token.kind is TexKind.COMMAND else ""
            if (token.kind is TexKind.MARK and token.text == "{") or token.kind is TexKind.BEGIN:
                place = min(ends.get(place, place), self.end - 1) + 1
            elif token.kind is TexKind.MARK and token.text == "&":
                self._end_cell(place)
                place = self._cell = place + 1
            elif (token.kind is TexKind.SIGN and token.text == "\\") or name in _ROW_ENDS:
                self._end_cell(place)
                self._end_row()
                place = self._cell = self._skip_settings(place + 1)
            elif name in _RULES or name in _PART_RULES:
                if name in _RULES:
                    self._read_rule(name)
                before, place = place, self._skip_settings(place + 1)
                if self._skip_spaces(self._cell, before) == before:
                    self._cell = place
            else:
                place += 1
        self._end_cell(self.end)
        self._end_row()

    def _read_rule(self, name: str) -> None:
        """The first rule below a row ends the header; a long table repeats the header for its other pages."""
        if name == "endfirsthead":
            self._first_head = len(self.rows)
        elif name == "endhead" and self._first_head:
            head = self.rows[: self._first_head]
            if self.rows[self._first_head :] == head:
                del self.rows[self._first_head :]
        if self.header is None and self.rows:
            self.header = len(self.rows)

    def _skip_settings(self, place: int) -> int:
        """The place after the options and arguments of a rule or of a row's end."""
        tokens, ends = self.source.tokens, self.source.ends
        while place < self.end:
            token = tokens[place]
            is_group = token.kind is TexKind.MARK and token.text in ("[", "{") and place in ends
            is_part = token.kind is TexKind.TEXT and token.text.startswith("(") and token.text.strip().endswith(")")
            if is_group:
                place = ends[place] + 1
            elif is_part:
                place += 1
            else:
                break
        return place

    def _end_cell(self, end: int) -> None:
        """A cell over the number of columns that it states."""
        tokens = self.source.tokens
        place, columns = self._skip_spaces(self._cell, end), 1
        name = tokens[place].text if place < end and tokens[place].kind is TexKind.COMMAND else ""
        if name == "multicolumn" and (count := self._find_group(place + 1)):
            columns = parse_span(self.read(*count).strip())
        self._row.append(SpanCell(self.read(self._cell, end), 1, columns))

    def _skip_spaces(self, place: int, end: int) -> int:
        """Where the first token is that is no white space."""
        tokens = self.source.tokens
        while place < end and tokens[place].kind is TexKind.TEXT and not tokens[place].text.strip():
            place += 1
        return place

    def _find_group(self, place: int) -> tuple[int, int] | None:
        end = self.source.ends.get(place)
        return None if end is None else (place + 1, end)

    def _end_row(self) -> None:
        """A row, unless nothing is in it."""
        if any(cell.text for cell in self._row):
            self.rows.append(self._row)
        self._row = []
