"""Words of a page from its characters, also where letters are spaced out or blanks are misplaced.

Programs set titles with gaps between all letters, leave the blanks of empty rows among the letters of the row below,
and draw a blank where the next letter touches the previous one. A blank separates words where it fills a gap; a gap
without one separates words where it is wider than those between the other letters of its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from math import inf
from operator import itemgetter
from statistics import median
from unicodedata import east_asian_width

from tasks.parsers.pdf.characters.legibility import Char
from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.text_direction import read_letters
from warehouse.records import Box

_BOLD = re.compile(r"bold|black|heavy|demi|^(?:cm|sf)bx|-medi(?:ital)?$", re.IGNORECASE)
_ITALIC = re.compile(
    r"italic|oblique|slanted|-\w*ital$|^(?:cm|sf)(?:bx)?ti|-(?:bold|semibold|medium|light)?it$", re.IGNORECASE
)


def group_lines(chars: Sequence[Char]) -> list[list[Char]]:
    """The characters of each line from left to right, as pdfplumber puts them in order.

    Lines that others bridge are separated: the small print of a figure beside a column is at every height, and would
    join all lines of the column into one.
    """
    lines = [
        part
        for line in _group_by_top(chars, LINES.order_tolerance)
        for part in _split_bridged(line, LINES.order_tolerance)
    ]
    for line in lines:
        line.sort(key=itemgetter("x0"))
    return lines


def _group_by_top(chars: Sequence[Char], tolerance: float) -> list[list[Char]]:
    """Characters by their tops, each no more than so many points below another of its line."""
    groups: list[list[Char]] = []
    last = -inf
    for char in sorted(chars, key=itemgetter("top")):
        if char["top"] - last > tolerance:
            groups.append([])
        groups[-1].append(char)
        last = char["top"]
    return groups


def _split_bridged(line: list[Char], tolerance: float) -> Iterator[list[Char]]:
    """A line, or several if the tops in it are further apart than its letters are tall, or its letters overlap."""
    tallest = max(char["size"] for char in line)
    spread = line[-1]["top"] - line[0]["top"]
    is_one = spread <= LINES.min_tolerance or (spread <= tallest and not _has_overlaps(line))
    if is_one or tolerance < LINES.min_tolerance:
        yield line
        return
    max_small_size = LINES.bridging_size_ratio * tallest
    parts = (
        [char for char in line if char["size"] >= max_small_size],
        [char for char in line if char["size"] < max_small_size],
    )
    smaller_tolerance = tolerance if all(parts) else tolerance / 2
    for part in parts:
        for group in _group_by_top(part, smaller_tolerance):
            yield from _split_bridged(group, smaller_tolerance)


def _has_overlaps(line: Sequence[Char]) -> bool:
    """Whether letters of one size stand on each other: two lines of a column that a third beside it bridges."""
    letters = sorted((char for char in line if not char["text"].isspace()), key=itemgetter("x0"))
    pairs = (
        abs(left["top"] - right["top"]) > LINES.min_tolerance
        and abs(left["size"] - right["size"]) < LINES.baseline_tolerance * left["size"]
        and left["x1"] - right["x0"] > LINES.overlap_share * min(left["width"], right["width"])
        for left, right in pairwise(letters)
    )
    return sum(map(bool, pairs)) >= LINES.min_overlaps


def find_misplaced_blanks(lines: Sequence[Sequence[Char]], chars: Sequence[Char]) -> set[int]:
    """The `id` of each blank that stands on another line than the letters around it, or fills no gap.

    `chars` are those of the lines in the order in which they are drawn.
    """
    lines_to_check = [line for line in lines if _has_touching_letters(line)]
    next_ids = {id(left): id(right) for left, right in pairwise(chars)} if lines_to_check else {}
    return {id(char) for line in lines_to_check for char in _iter_misplaced_blanks(line, next_ids)}


def find_spaced_out_pairs(lines: Sequence[Sequence[Char]]) -> set[tuple[int, int]]:
    """The pairs of characters, by `id`, between which no word ends although the gap would say so."""
    return {
        pair for line in lines if _is_spaced_out(line) for run in _iter_runs(line) for pair in _iter_joined_pairs(run)
    }


def _has_touching_letters(line: Sequence[Char]) -> bool:
    """Whether letters on both sides of a blank, or of a row of them, come close to each other."""
    previous: Char | None = None
    has_blank = False
    for char in line:
        if char["text"].isspace():
            has_blank = True
            continue
        if has_blank and previous is not None and char["x0"] - previous["x1"] < LINES.touching_gap * previous["size"]:
            return True
        previous, has_blank = char, False
    return False


def _is_spaced_out(line: Sequence[Char]) -> bool:
    """Whether several letters of a line have a gap before the next, and no blank."""
    gap_count: int = sum(
        LINES.spaced_out_gap * left["size"] < right["x0"] - left["x1"] < LINES.column_gap * left["size"]
        for left, right in pairwise(line)
        if left["text"] != " " and right["text"] != " "
    )
    return gap_count >= LINES.min_gaps - 1


def _iter_neighbours(line: Sequence[Char]) -> Iterator[tuple[Char, Char, list[Char]]]:
    """Neighbouring letters, and the blanks between them."""
    previous: Char | None = None
    blanks: list[Char] = []
    for char in line:
        if char["text"].isspace():
            blanks.append(char)
            continue
        if previous is not None:
            yield previous, char, blanks
        previous, blanks = char, []


def _iter_misplaced_blanks(line: Sequence[Char], next_ids: Mapping[int, int]) -> Iterator[Char]:
    """Blanks between two letters that touch and were drawn one after the other, or where blanks usually fill gaps."""
    pairs = [
        (left, right, blanks) for left, right, blanks in _iter_neighbours(line) if blanks and _is_same_line(left, right)
    ]
    filled_gaps = [_measure_gap(left, right) for left, right, blanks in pairs if _is_same_line(left, blanks[0])]
    usual_gap = median(filled_gaps) if filled_gaps else 0.0
    for left, right, blanks in pairs:
        if _measure_gap(left, right) < LINES.touching_gap:
            is_one_word = usual_gap > LINES.min_blank or next_ids.get(id(left)) == id(right)
            yield from (blank for blank in blanks if is_one_word or not _is_same_line(left, blank))


def _is_same_line(left: Char, right: Char) -> bool:
    """Whether two characters of about one size stand on one baseline."""
    small, large = sorted((left["size"], right["size"]))
    return bool(abs(left["bottom"] - right["bottom"]) <= LINES.baseline_tolerance * large and small > large / 2)


def _measure_gap(left: Char, right: Char) -> float:
    """The gap between two characters, in heights of the letters."""
    return float((right["x0"] - left["x1"]) / max(left["size"], 0.01))


def _iter_runs(line: Sequence[Char]) -> Iterator[list[tuple[Char, Char, bool]]]:
    """The pairs of neighbours of one size on one baseline, and whether a blank stands between, as far as columns go."""
    pairs = ((left, right, bool(blanks)) for left, right, blanks in _iter_neighbours(line))
    for continues, run in groupby(
        pairs, lambda pair: _is_same_line(*pair[:2]) and _measure_gap(*pair[:2]) < LINES.column_gap
    ):
        run_pairs = list(run)
        if continues and len(run_pairs) >= LINES.min_gaps:
            yield run_pairs


def _iter_joined_pairs(run: Sequence[tuple[Char, Char, bool]]) -> Iterator[tuple[int, int]]:
    """The pairs of a run whose letters are spaced out and do not end a word."""
    letter_gaps = [_measure_gap(left, right) for left, right, has_blank in run if not has_blank]
    if len(letter_gaps) < LINES.min_gaps or (usual_gap := median(letter_gaps)) <= LINES.spaced_out_gap:
        return
    if sum(left["text"].isalpha() for left, _, _ in run) < LINES.letters_share * len(run):
        return
    blank_gaps = [_measure_gap(left, right) for left, right, has_blank in run if has_blank]
    max_gap = (usual_gap + median(blank_gaps)) / 2 if blank_gaps else usual_gap + LINES.word_gap
    if not blank_gaps and usual_gap > LINES.max_letter_spacing and max(letter_gaps) < max_gap:
        return
    yield from (
        (id(left), id(right)) for left, right, has_blank in run if not has_blank and _measure_gap(left, right) < max_gap
    )


def find_word_ends(lines: Sequence[Sequence[Char]]) -> set[int]:
    """The `id` of each letter that ends a word where a gap without a blank stands out among those of its line.

    Where a line with blanks lacks one, its words were placed one by one: numbers of lists and fields of forms.
    """
    word_ends: set[int] = set()
    for line in lines:
        if not any(right["x0"] - left["x1"] > LINES.word_gap * left["size"] for left, right in pairwise(line)):
            continue
        has_blanks = any(char["text"].isspace() for char in line)
        min_gap = LINES.word_gap_amid_blanks if has_blanks else LINES.word_gap
        for run in _iter_runs(line):
            gaps = [_measure_gap(left, right) for left, right, _ in run]
            usual_gap = max(median(gaps), 0.0)
            max_gap = usual_gap + (LINES.tight_word_gap if _is_set_tight(run, usual_gap) else min_gap)
            word_ends.update(
                id(left)
                for (left, right, has_blank), gap in zip(run, gaps, strict=True)
                if not has_blank and gap > max_gap and _can_begin_word(left, right, has_blanks=has_blanks)
            )
    return word_ends


def _is_set_tight(run: Sequence[tuple[Char, Char, bool]], usual_gap: float) -> bool:
    """Whether narrow gaps part words: several are wider than the usual one, and no other by nearly as much."""
    gap_excesses = [_measure_gap(left, right) - usual_gap for left, right, has_blank in run if not has_blank]
    if any(LINES.tight_letter_gap < gap <= LINES.tight_word_gap for gap in gap_excesses):
        return False
    return sum(gap > LINES.tight_word_gap for gap in gap_excesses) >= LINES.min_gaps


def _can_begin_word(left: Char, right: Char, *, has_blanks: bool) -> bool:
    """Whether a word may begin with `right`: figures and their units are one, and so are signs that fill a square."""
    if not right["text"].isalpha():
        return False
    is_figure = left["text"].isdigit() and (not has_blanks or left["fontname"] == right["fontname"])
    return not is_figure and (not has_blanks or east_asian_width(right["text"][0]) not in "WF")


def merge_words(
    words: Sequence[tuple[str, Sequence[Char]]], pairs: Collection[tuple[int, int]], ends: Collection[int] = ()
) -> Iterator[tuple[str, list[Char]]]:
    """Words with their characters, in order; those that a pair ties together are one, one with an end inside is two."""
    text, run = "", list[Char]()
    for part, chars in _cut_words(words, ends) if ends else words:
        if run and (id(run[-1]), id(chars[0])) in pairs:
            text, run = text + part, [*run, *chars]
            continue
        if run:
            yield text, run
        text, run = part, list(chars)
    if run:
        yield text, run


def _cut_words(
    words: Sequence[tuple[str, Sequence[Char]]], ends: Collection[int]
) -> Iterator[tuple[str, Sequence[Char]]]:
    for text, chars in words:
        places = [place for place, char in enumerate(chars[:-1], 1) if id(char) in ends]
        if not places or len(text) != len(chars):
            yield text, chars
            continue
        for start, end in pairwise([0, *places, len(chars)]):
            yield text[start:end], chars[start:end]


@dataclass(frozen=True, slots=True)
class PageWord:
    """A word with its box in points, its font size, weight and slant; `chars` are its characters, to cut it.

    A word without text holds the place of the ruled table with the number `anchor`.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool
    chars: tuple[Char, ...] = ()
    anchor: int | None = None
    italic: bool = False

    @property
    def middle(self) -> float:
        """The vertical centre."""
        return (self.top + self.bottom) / 2

    @property
    def center(self) -> float:
        """The horizontal centre."""
        return (self.x0 + self.x1) / 2


def read_words(chars: Sequence[Char]) -> list[PageWord]:
    """The words that pdfplumber sees in the level characters.

    On a page that leaves gaps but writes no spaces, pdfplumber's three points would join small words; there a share of
    the font size separates them. Letters that are spaced out are joined.
    """
    from pdfplumber.utils.text import extract_words

    upright = [char for char in chars if char["upright"]]
    lines = group_lines(upright)
    is_bridged = len(lines) != len(_group_by_top(upright, LINES.order_tolerance))
    if misplaced_blanks := find_misplaced_blanks(lines, upright):
        upright = [char for char in upright if id(char) not in misplaced_blanks]
    spaces = sum(char["text"].isspace() for char in upright)
    ratio = LINES.tight_space if spaces < LINES.blanks_share * len(upright) else None
    # All at once where pdfplumber sees the same lines: it takes most of the time of a page.
    pieces = (
        [[char for char in line if id(char) not in misplaced_blanks] for line in lines] if is_bridged else [upright]
    )
    extracted_words = [
        word for part in pieces for word in extract_words(part, return_chars=True, x_tolerance_ratio=ratio)
    ]
    words = [(word["text"], word["chars"]) for word in extracted_words]
    return [
        make_word(text, characters)
        for text, characters in merge_words(words, find_spaced_out_pairs(lines), find_word_ends(lines))
    ]


def make_word(text: str, chars: Sequence[Char]) -> PageWord:
    """A word of these characters."""
    bold, italic = _find_styles([char["fontname"] for char in chars])
    letters = [char["text"] for char in chars]
    return PageWord(
        read_letters(text, letters if "".join(letters) == text else text),
        min(char["x0"] for char in chars),
        max(char["x1"] for char in chars),
        min(char["top"] for char in chars),
        max(char["bottom"] for char in chars),
        max(char["size"] for char in chars),
        bold,
        tuple(chars),
        italic=italic,
    )


def _find_styles(fonts: Sequence[str]) -> tuple[bool, bool]:
    """Whether most characters, by their fonts, are bold, and whether most slant."""
    if fonts.count(fonts[0]) == len(fonts):
        return _find_style(fonts[0])
    styles = [_find_style(font) for font in fonts]
    return 2 * sum(bold for bold, _ in styles) > len(fonts), 2 * sum(italic for _, italic in styles) > len(fonts)


@lru_cache(maxsize=1024)
def _find_style(font: str) -> tuple[bool, bool]:
    """Whether a font's name, without the mark of a subset, says that it is bold, and that it slants."""
    name = font[7:] if font[6:7] == "+" else font
    return _BOLD.search(name) is not None, _ITALIC.search(name) is not None


def cut_word(word: PageWord, x: float) -> tuple[PageWord, PageWord] | None:
    """The two halves of a word whose characters stand on both sides of x; None where all stand on one."""
    left = [char for char in word.chars if (char["x0"] + char["x1"]) / 2 <= x]
    right = [char for char in word.chars if (char["x0"] + char["x1"]) / 2 > x]
    if not left or not right:
        return None
    first, second = (make_word("".join(char["text"] for char in half), half) for half in (left, right))
    return first, second


def is_prose(words: Sequence[PageWord]) -> bool:
    """Whether words read as running text: several of them, most of letters."""
    return len(words) > 2 and sum(word.text[:1].isalpha() for word in words) >= LINES.prose_letter_share * len(words)


def find_usual_size(words: Sequence[PageWord]) -> float:
    """The font size in points in which most characters are set; 0 without words."""
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[round(word.size, 1)] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def enclose_words(words: Iterable[PageWord]) -> Box:
    """The smallest box around the words, to a hundredth of a point."""
    all_words = list(words)
    return Box(
        round(min(word.x0 for word in all_words), 2),
        round(min(word.top for word in all_words), 2),
        round(max(word.x1 for word in all_words), 2),
        round(max(word.bottom for word in all_words), 2),
    )
