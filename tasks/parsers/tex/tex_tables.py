r"""The rows of a LaTeX table: cells between `&`, rows between `\\`, cells over several columns, rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tasks.parsers.table_form import SpanCell, parse_span
from tasks.parsers.tex.tex_tokens import TexKind, TexSource

_ROW_RULES = frozenset(["hline", "midrule", "toprule", "bottomrule", "endhead", "endfirsthead", "Xhline", "hhline"])
"""Commands below the header, if they are below a row; the headers of a long table end with a command."""
_PART_RULES = frozenset([
    "cline", "cmidrule", "addlinespace", "specialrule", "noalign", "endfoot", "endlastfoot", "caption", "label",
    "rowcolor", "morecmidrules", "arrayrulecolor",
])  # fmt: skip
_ROW_ENDS = frozenset(["tabularnewline", "cr"])


@dataclass(slots=True)
class TexRows:
    """The rows of the table in the tokens from `start` to `end`; `header_rows` is how many are above the first rule.

    `read_span` gives the words of a span of tokens.
    """

    source: TexSource
    start: int
    end: int
    read_span: Callable[[int, int], str]
    rows: list[list[SpanCell]] = field(default_factory=list)
    header_rows: int | None = None
    _row: list[SpanCell] = field(default_factory=list)
    _cell_start: int = 0
    _first_header_end: int = 0

    def __post_init__(self) -> None:
        """Read the rows."""
        place = self._cell_start = self.start
        tokens, ends = self.source.tokens, self.source.ends
        while place < self.end:
            token = tokens[place]
            name = token.text.rstrip("*") if token.kind is TexKind.COMMAND else ""
            if (token.kind is TexKind.MARK and token.text == "{") or token.kind is TexKind.BEGIN:
                place = min(ends.get(place, place), self.end - 1) + 1
            elif token.kind is TexKind.MARK and token.text == "&":
                self._end_cell(place)
                place = self._cell_start = place + 1
            elif (token.kind is TexKind.SIGN and token.text == "\\") or name in _ROW_ENDS:
                self._end_cell(place)
                self._end_row()
                place = self._cell_start = self._skip_settings(place + 1)
            elif name in _ROW_RULES or name in _PART_RULES:
                if name in _ROW_RULES:
                    self._read_rule(name)
                rule_place, place = place, self._skip_settings(place + 1)
                if self._skip_spaces(self._cell_start, rule_place) == rule_place:
                    self._cell_start = place
            else:
                place += 1
        self._end_cell(self.end)
        self._end_row()

    def _read_rule(self, name: str) -> None:
        """The first rule below a row ends the header; a long table repeats the header for its other pages."""
        if name == "endfirsthead":
            self._first_header_end = len(self.rows)
        elif name == "endhead" and self._first_header_end:
            header = self.rows[: self._first_header_end]
            if self.rows[self._first_header_end :] == header:
                del self.rows[self._first_header_end :]
        if self.header_rows is None and self.rows:
            self.header_rows = len(self.rows)

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
        """Adds a cell over the number of columns that it states."""
        tokens = self.source.tokens
        place, columns = self._skip_spaces(self._cell_start, end), 1
        name = tokens[place].text if place < end and tokens[place].kind is TexKind.COMMAND else ""
        if name == "multicolumn" and (count := self._find_group(place + 1)):
            columns = parse_span(self.read_span(*count).strip())
        self._row.append(SpanCell(self.read_span(self._cell_start, end), 1, columns))

    def _skip_spaces(self, place: int, end: int) -> int:
        """The place of the first token that is no white space."""
        tokens = self.source.tokens
        while place < end and tokens[place].kind is TexKind.TEXT and not tokens[place].text.strip():
            place += 1
        return place

    def _find_group(self, place: int) -> tuple[int, int] | None:
        end = self.source.ends.get(place)
        return None if end is None else (place + 1, end)

    def _end_row(self) -> None:
        """Adds the row, unless it is empty."""
        if any(cell.text for cell in self._row):
            self.rows.append(self._row)
        self._row = []
