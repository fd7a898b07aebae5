"""Columns of a table: the rivers of white space that separate them, and the pieces of each line in them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from math import ceil
from statistics import median

from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.page_rows import PageRow, WordGroup, is_amount, is_figure, is_in_date
from tasks.parsers.pdf.lines.word_builder import PageWord, cut_word, make_word
from tasks.parsers.written_dates import MONTH_WORD

_UNFINISHED_PHRASE = re.compile(
    r"(?:\b(?:ended|ending|of|and|the|to|for|in|as|at|by|per|am|bis|vom|von|zum|für|und|au|aux|du|des?|et|al|alla|del|della"
    r"|di|da|do|y|op|tot|van)|[-–—/&])$",
    re.IGNORECASE,
)
_DECIMAL_SEPARATOR, _NUMBERS = re.compile(r"[.,]"), re.compile(r"[(\d−–-][\d.,()%−–-]{5,}")
_FINAL_DAY, _MONTH_START = re.compile(r"(?<!\S)\d{1,2}\.?$"), re.compile(rf"(?:{MONTH_WORD})", re.IGNORECASE)
_PERIOD_END = re.compile(r"end(?:ed|ing)\b", re.IGNORECASE)
Extent = tuple[float, float]  # From where to where a column's words reach.


def find_separators(rows: Sequence[PageRow], rule_positions: Sequence[float] = ()) -> list[float]:
    """Where columns part, in points from the left; upright rules (`rule_positions`) part them in any case."""
    figure_rows = [row for row in rows if any(is_amount(piece.text) for piece in row.pieces[1:])]
    counted_rows = figure_rows if len(figure_rows) > 1 else rows
    counts = sorted(len(row.pieces) for row in counted_rows)
    usual = counts[int(LINES.usual_pieces_quantile * (len(counts) - 1))] if counts else 0
    full_rows = [row for row in counted_rows if len(row.pieces) >= max(2, LINES.full_line_share * usual)]
    body_rows = [row for row in full_rows if not any(_find_touching_numbers(piece.text) for piece in row.pieces)]
    body_rows = body_rows if len(body_rows) > 1 else full_rows
    tolerance = LINES.river_rule_tolerance
    free_rivers = [
        (start, end)
        for start, end in (_find_rivers(body_rows) if body_rows else ())
        if not any(start - tolerance <= position <= end + tolerance for position in rule_positions)
    ]
    rivers = [
        _find_clearest_position(start, end, spans)
        for (start, end), spans in zip(free_rivers, _find_crossing_spans(free_rivers, rows), strict=True)
    ]
    return sorted([*rivers, *rule_positions])


def _find_crossing_spans(
    rivers: Sequence[tuple[float, float]], rows: Sequence[PageRow]
) -> list[list[tuple[float, float]]]:
    """For each river the words of all lines that reach into it, and the pieces of lines in several pieces."""
    starts, ends = [start for start, _ in rivers], [end for _, end in rivers]
    crossing_spans: list[list[tuple[float, float]]] = [[] for _ in rivers]
    for row in rows:
        spans = [(word.x0, word.x1) for word in row.words]
        if len(row.pieces) > 1:
            spans += [(piece.x0, piece.x1) for piece in row.pieces]
        for x0, x1 in spans:
            for number in range(bisect_right(ends, x0), bisect_left(starts, x1)):
                crossing_spans[number].append((x0, x1))
    return crossing_spans


def _find_clearest_position(start: float, end: float, spans: Sequence[tuple[float, float]]) -> float:
    """The middle of that part of a river which the fewest words of all lines cover, headers too.

    `spans` are those of `_find_crossing_spans`.

    No piece of a line in several pieces is cut if that can be avoided: a date over its column stays whole if words over
    several columns are above it.
    """
    steps = [start + step * LINES.river_step for step in range(max(1, int((end - start) / LINES.river_step) + 1))]
    word_counts = [sum(x0 < x < x1 for x0, x1 in spans) for x in steps]
    clearest = _find_longest_minimum(word_counts)
    return (steps[clearest[0]] + steps[clearest[-1]]) / 2


def _find_rivers(body_rows: Sequence[PageRow]) -> list[tuple[float, float]]:
    """Stretches of the width that no piece of a full line covers, or as few of them as strays, and gaps do.

    A single gap is enough between two amounts, which never stand in one cell.
    """
    left = int(min(row.words[0].x0 for row in body_rows))
    width = ceil(max(word.x1 for row in body_rows for word in row.words)) - left + 2
    cover_changes, gap_changes, amount_gap_changes = [0] * (width + 1), [0] * (width + 1), [0] * (width + 1)
    max_strays = int(LINES.river_stray_share * len(body_rows)) if len(body_rows) > 7 else 0
    min_gaps = max(1 if len(body_rows) < 4 else 2, ceil(LINES.river_support * len(body_rows)))
    for row in body_rows:
        for piece in row.pieces:
            cover_changes[int(piece.x0 - left + 0.5)] += 1
            cover_changes[int(piece.x1 - left + 0.5)] -= 1
        for before, after in pairwise(row.pieces):
            start = int(before.x1 - left + 0.5)
            end = max(int(after.x0 - left + 0.5), start)
            gap_changes[start] += 1
            gap_changes[end] -= 1
            if is_amount(before.text) and is_amount(after.text):
                amount_gap_changes[start] += min_gaps
                amount_gap_changes[end] -= min_gaps
    gaps = [max(one, two) for one, two in zip(accumulate(gap_changes), accumulate(amount_gap_changes), strict=True)]
    return [
        (left + start, left + end)
        for start, end in _find_runs(list(accumulate(cover_changes)), gaps, max_strays, min_gaps)
    ]


def _find_runs(
    cover_counts: Sequence[int], gap_counts: Sequence[int], max_strays: int, min_gaps: int
) -> list[tuple[int, int]]:
    """For each run of thinly covered places that enough gaps share, its emptiest part."""
    runs: list[tuple[int, int]] = []
    for is_open, run in groupby(
        range(len(cover_counts)), lambda place: cover_counts[place] <= max_strays and gap_counts[place] > 0
    ):
        places = list(run)
        if is_open and max(gap_counts[place] for place in places) >= min_gaps:
            emptiest = _find_longest_minimum([cover_counts[place] for place in places])
            runs.append((places[emptiest[0]], places[emptiest[-1]] + 1))
    return runs


def _find_longest_minimum(counts: Sequence[int]) -> list[int]:
    """The longest run of neighbouring places that have the least cover; of several the first."""
    least = min(counts)
    runs = groupby(range(len(counts)), lambda place: counts[place] == least)
    return max((list(run) for is_least, run in runs if is_least), key=len)


@dataclass(frozen=True)
class ColumnSpan(WordGroup):
    """Words that stand in columns `first` to `last`, both included."""

    first: int
    last: int


def place_pieces(
    row: PageRow,
    separators: Sequence[float],
    rule_positions: Sequence[float] = (),
    extents: Sequence[Extent | None] = (),
) -> list[ColumnSpan]:
    """The pieces of a line in their columns; a piece over a separator is cut there, or spans, as its words say.

    Where the `extents` of the columns are known, a header is cut wherever each part then stands over its column.
    """
    spans: list[ColumnSpan] = []
    for piece in row.pieces:
        parts = _cut_header(piece, separators, extents) or _split_piece(piece, separators, rule_positions)
        spans += _place_touching_numbers(piece, separators) or (_make_span(part, separators) for part in parts)
    return _merge_spans(spans)


def _cut_header(
    piece: WordGroup, separators: Sequence[float], extents: Sequence[Extent | None]
) -> list[list[PageWord]] | None:
    """The piece cut at all separators, if that cuts no word and leaves each part aligned with its column."""
    if not extents:
        return None
    parts: dict[int, list[PageWord]] = {}
    for word in piece.words:
        first = bisect_right(separators, word.x0 + LINES.separator_overlap)
        if first != bisect_right(separators, word.x1 - LINES.separator_overlap):
            return None
        parts.setdefault(first, []).append(word)
    edges = [extents[0][0] if extents[0] else 0.0, *separators, max(e[1] for e in extents if e)]
    is_aligned = all(
        _is_aligned(words, extents[column], edges[column], edges[column + 1]) for column, words in parts.items()
    )
    groups = list(parts.values())
    if len(groups) < 2 or not is_aligned or any(_is_phrase(before, after) for before, after in pairwise(groups)):
        return None
    return groups if _fits_separate_columns(parts, extents) else None


def _fits_separate_columns(parts: Mapping[int, Sequence[PageWord]], extents: Sequence[Extent | None]) -> bool:
    """Whether words stand over their columns more nearly than all of them over all of these together.

    Each stands off its column's middle or an edge, whichever is nearest.
    """
    placed_words = [(words, extent) for column, words in parts.items() if (extent := extents[column])]
    if len(placed_words) < len(parts) or any(_is_wider(before, after) for before, after in pairwise(parts.values())):
        return True
    distance = 0.0
    for words, (low, high) in placed_words:
        x0, x1 = words[0].x0, max(word.x1 for word in words)
        distance = max(distance, min(abs(x0 - low), abs(x1 - high), abs(x0 + x1 - (low + high)) / 2))
    joint_distance = (
        abs(placed_words[0][0][0].x0 + placed_words[-1][0][-1].x1 - placed_words[0][1][0] - placed_words[-1][1][1]) / 2
    )
    return distance <= max(LINES.header_exact_tolerance, joint_distance)


def _is_phrase(left: Sequence[PageWord], right: Sequence[PageWord]) -> bool:
    """Whether words on both sides of a river read on: a date, an open bracket, a small letter, no wider gap."""
    before, after = " ".join(word.text for word in left), right[0].text
    if is_in_date(before, after) or (_FINAL_DAY.search(before) and _MONTH_START.match(after)):
        return True
    is_open = before.count("(") > before.count(")") or _UNFINISHED_PHRASE.search(before) is not None
    reads_on = is_open or after[0].islower() or _PERIOD_END.match(after) is not None
    return reads_on and not _is_wider(left, right)


def _is_wider(left: Sequence[PageWord], right: Sequence[PageWord]) -> bool:
    """Whether the gap between words is wider than those among them, or too wide for any line."""
    gaps = [max(0.0, after.x0 - before.x1) for side in (left, right) for before, after in pairwise(side)]
    gap = right[0].x0 - max(word.x1 for word in left)
    return gap > LINES.wide_gap * right[0].size or (bool(gaps) and gap > LINES.wider_gap_ratio * median(gaps))


def _is_aligned(words: Sequence[PageWord], extent: Extent | None, left: float, right: float) -> bool:
    """Whether words stand over a column from `left` to `right`: about its middle, or flush with an edge."""
    if extent is None:
        return False
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    centre_distance = min(abs((x0 + x1) - sum(extent)), abs((x0 + x1) - (left + right))) / 2
    is_centred = centre_distance <= max(LINES.header_edge_tolerance, LINES.header_centre_tolerance * (right - left))
    return is_centred or min(abs(x0 - extent[0]), abs(x1 - extent[1])) <= LINES.header_edge_tolerance


def measure_extents(placed: Iterable[Sequence[ColumnSpan]], columns: int) -> list[Extent | None]:
    """From where to where the words of each column reach, those that span several left out."""
    extents: list[Extent | None] = [None] * columns
    for span in (span for spans in placed for span in spans if span.first == span.last):
        extent = extents[span.first]
        extents[span.first] = (min(span.x0, extent[0]), max(span.x1, extent[1])) if extent else (span.x0, span.x1)
    return extents


def _merge_spans(spans: Sequence[ColumnSpan]) -> list[ColumnSpan]:
    """Parts that came to stand in one column are one."""
    merged_spans: list[ColumnSpan] = []
    for span in spans:
        if merged_spans and span.first <= merged_spans[-1].last:
            last_span = merged_spans.pop()
            merged_spans.append(
                ColumnSpan(last_span.words + span.words, last_span.first, max(last_span.last, span.last))
            )
        else:
            merged_spans.append(span)
    return merged_spans


def _make_span(words: Sequence[PageWord], separators: Sequence[float]) -> ColumnSpan:
    """The columns that words reach into by more than a touch."""
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    reach = min(3 * LINES.separator_overlap, (x1 - x0) / 3)
    first, last = bisect_right(separators, x0 + reach), bisect_right(separators, x1 - reach)
    return ColumnSpan(tuple(words), first, max(first, last))


def _split_piece(
    piece: WordGroup, separators: Sequence[float], rule_positions: Sequence[float]
) -> list[list[PageWord]]:
    parts: list[list[PageWord]] = [list(piece.words)]
    for x in separators[bisect_right(separators, piece.x0) : bisect_left(separators, piece.x1)]:
        words = parts[-1]
        if x in rule_positions:
            words = [half for word in words for half in _cut_at_rule(word, x)]
        left = [word for word in words if word.center <= x]
        right = words[len(left) :]
        if left and right and _is_two_cells(left, right, x, at_rule=x in rule_positions):
            parts[-1:] = [left, right]
    return parts


def _place_touching_numbers(piece: WordGroup, separators: Sequence[float]) -> list[ColumnSpan]:
    """The words of a piece by their columns where one runs together the numbers of several; else nothing."""
    parts_by_word = [_split_touching_numbers(word, separators) for word in piece.words]
    if len(parts_by_word) == sum(map(len, parts_by_word)):
        return []
    places = ((word, bisect_right(separators, word.center)) for parts in parts_by_word for word in parts)
    return [ColumnSpan((word,), column, column) for word, column in places]


def _split_touching_numbers(word: PageWord, separators: Sequence[float]) -> Sequence[PageWord]:
    """The numbers that a word runs together where each is in a column of its own; else the word."""
    if len(word.text) != len(word.chars) or bisect_right(separators, word.x0) == bisect_left(separators, word.x1):
        return (word,)
    numbers = _find_touching_numbers(word.text)
    ends = [*accumulate(map(len, numbers), initial=0)]
    parts = [
        make_word(number, word.chars[start:end]) for number, (start, end) in zip(numbers, pairwise(ends), strict=True)
    ]
    columns = {bisect_right(separators, part.center) for part in parts}
    return parts if len(parts) == len(columns) > 1 else (word,)


def _find_touching_numbers(text: str) -> list[str]:
    """The numbers that may be run together, at least two: "188.195.3" of 188.1 and 95.3.

    They have as many decimals as the last one, or are grouped by thousands, or are years.
    """
    if not _NUMBERS.fullmatch(text):
        return []
    text = text.replace("()", ")(")  # Brackets that overlap stand in the order of their left edges.
    decimals = len(_DECIMAL_SEPARATOR.split(text)[-1].rstrip(")%"))
    for number in (
        rf"\d+(?:,\d{{3}})*\.\d{{{decimals}}}",
        rf"\d+(?:\.\d{{3}})*,\d{{{decimals}}}",
        r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+",
        r"(?:19|20)\d\d",
    ):
        numbers = re.findall(rf"[-−–(]?(?:{number})[%)]*", text)
        if len(numbers) > 1 and "".join(numbers) == text:
            return numbers
    return []


def _cut_at_rule(word: PageWord, x: float) -> tuple[PageWord, ...]:
    """A word that runs two cells together, cut at the rule between them, for which its characters leave a gap."""
    halves = cut_word(word, x) if word.x0 + LINES.separator_overlap < x < word.x1 - LINES.separator_overlap else None
    return halves if halves and halves[1].x0 - halves[0].x1 > LINES.rule_letter_gap * word.size else (word,)


def _is_two_cells(left: Sequence[PageWord], right: Sequence[PageWord], x: float, *, at_rule: bool) -> bool:
    """Whether words on both sides of a river are two cells: a wall or figure between, a wider gap than elsewhere."""
    before, after = max(word.x1 for word in left), right[0].x0
    texts = [" ".join(word.text for word in side) for side in (left, right)]
    if (
        before > x + LINES.separator_overlap
        or after < x - LINES.separator_overlap
        or is_in_date(texts[0], right[0].text)
    ):
        return False
    if at_rule and after - before > LINES.rule_word_gap * right[0].size:
        return True
    if is_figure(right[0].text) and is_figure(left[-1].text):
        return True
    return is_figure(texts[1]) or (is_figure(texts[0]) and len(left) > 1) or _is_wider(left, right)
