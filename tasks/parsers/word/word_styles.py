"""The paragraph styles of a Word document (ECMA-376 part 1, 17.7) and the marks of numbered paragraphs (17.9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tasks.parsers.numerals import format_numeral
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.trees import get_tag
from tasks.parsers.word.word_package import find_child, get_value, is_on

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADING_STYLE = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nadpis|nagłówek|cím"
    r"|заголовок|标题|標題|見出し|제목)\s*([1-9])(?!\d)",
    re.IGNORECASE,
)
_TITLE_STYLE = re.compile(r"title|titel|标题|標題", re.IGNORECASE)
_CODE_STYLE = re.compile(
    r"(?:source ?)?code(?: ?(?:block|text|listing|snippet))?|(?:html )?preformatted(?: text)?|verbatim|macro",
    re.IGNORECASE,
)
_LIST_STYLE = re.compile(r"list(?: (?:bullet|number|continue))?(?: ([2-9]))?", re.IGNORECASE)
_CONTENTS_STYLE = re.compile(r"toc ([1-9])|table of figures", re.IGNORECASE)
_BODY_TEXT_LEVEL = 9
LEVELS = 9
BULLET = "-"
_PLACEHOLDER = re.compile(r"%([1-9])")
_MAX_COUNT = 10**6  # The highest number of an item.


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """The properties that a style gives to a paragraph.

    `level` is that of a heading, from 1, else 0. `list_level` counts from 0; it is None where the style names no list.
    `number` and `number_level` are the numbering that it names, "" and None where it names none.
    """

    style_id: str
    level: int = 0
    is_title: bool = False
    is_code: bool = False
    is_caption: bool = False
    is_hidden: bool = False
    list_level: int | None = None
    contents_level: int | None = None
    number: str = ""
    number_level: int | None = None


class Styles:
    """The styles of one document."""

    def __init__(self, root: _Element | None) -> None:
        styles = [] if root is None else [part for part in root if get_tag(part) == "style"]
        self._by_id = {get_attribute(style, "styleId"): style for style in styles}
        paragraph_styles = (style for style in styles if get_attribute(style, "type") == "paragraph")
        defaults = (style for style in paragraph_styles if get_attribute(style, "default") in ("1", "true", "on"))
        self._default = get_attribute(next(defaults, None), "styleId")
        self._get_cached_style = cache(self._build_style)
        self._is_style_hidden = cache(self._compute_style_hidden)

    def get_style(self, paragraph: _Element) -> ParagraphStyle:
        """The style of a paragraph."""
        return self._get_cached_style(get_value(paragraph, "pPr", "pStyle") or self._default)

    def is_run_hidden(self, run: _Element) -> bool:
        """Whether the words of a run are hidden: by its own property, else by its character style."""
        if find_child(run, "rPr", "vanish") is not None:
            return is_on(run, "rPr", "vanish")
        return self._is_style_hidden(get_value(run, "rPr", "rStyle"))

    def _compute_style_hidden(self, style_id: str) -> bool:
        styles = (style for style in self._iter_chain(style_id) if find_child(style, "rPr", "vanish") is not None)
        return is_on(next(styles, None), "rPr", "vanish")

    def _build_style(self, style_id: str) -> ParagraphStyle:
        chain = list(self._iter_chain(style_id))
        names = [get_value(style, "name") or get_attribute(style, "styleId") for style in chain] or [style_id]
        properties = [part for style in chain if (part := find_child(style, "pPr")) is not None]
        numbering = [child for part in properties if (child := find_child(part, "numPr")) is not None]
        list_name, contents = _LIST_STYLE.fullmatch(names[0]), _CONTENTS_STYLE.fullmatch(names[0])
        return ParagraphStyle(
            style_id,
            level=_find_level(names, properties),
            is_title=_TITLE_STYLE.fullmatch(names[0]) is not None,
            is_code=any(map(_CODE_STYLE.fullmatch, names)),
            is_caption=any(name.lower() in ("caption", "beschriftung", "légende", "题注", "標號") for name in names),
            is_hidden=any(is_on(style, "rPr", "vanish") for style in chain),
            list_level=int(list_name[1] or 1) - 1 if list_name else None,
            contents_level=int(contents[1] or 1) - 1 if contents else None,
            number=next(filter(None, (get_value(part, "numId") for part in numbering)), ""),
            number_level=next((int(place) for part in numbering if (place := get_value(part, "ilvl")).isdigit()), None),
        )

    def _iter_chain(self, style_id: str) -> Iterator[_Element]:
        """The style and those it is based on, nearest first."""
        seen_ids: set[str] = set()
        while style_id in self._by_id and style_id not in seen_ids:
            seen_ids.add(style_id)
            yield self._by_id[style_id]
            style_id = get_value(self._by_id[style_id], "basedOn")


def _find_level(names: list[str], properties: list[_Element]) -> int:
    for style in names:
        if (match := _HEADING_STYLE.fullmatch(style) or _HEADING_STYLE.match(style)) is not None:
            return int(match[1])
        if _TITLE_STYLE.fullmatch(style):
            return 1
    return next((level for part in properties if (level := get_outline_level(part)) is not None), 0)


def get_outline_level(properties: _Element | None) -> int | None:
    """The heading level in paragraph properties, 0 for body text, None where they state none."""
    outline = get_value(properties, "outlineLvl")
    if not outline.isdigit():
        return None
    return int(outline) + 1 if int(outline) < _BODY_TEXT_LEVEL else 0


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level counts. `restart` is the level (from 1) whose use restarts it, 0 for never, None for any above."""

    start: int = 1
    numerals: str = "decimal"
    text: str = ""
    legal: bool = False
    restart: int | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class _List:
    """The list of a `num` element: its counters, shared by all of an abstract list, and the levels that it restarts."""

    counters: str
    levels: tuple[_Level, ...]
    restarted_levels: tuple[int, ...]


class Numbering:
    """The lists of one document and how far each has counted. Marks must be asked for in document order."""

    def __init__(self, root: _Element | None) -> None:
        parts = [] if root is None else list(root)
        self._abstract_lists = {
            get_attribute(part, "abstractNumId"): part for part in parts if get_tag(part) == "abstractNum"
        }
        self._num_parts = {get_attribute(part, "numId"): part for part in parts if get_tag(part) == "num"}
        self._keys_by_style_link = {get_value(part, "styleLink"): key for key, part in self._abstract_lists.items()}
        self._counts: dict[str, list[int | None]] = {}
        self._used_numbers: set[str] = set()
        self._read_cached_list = cache(self._read_list)

    def find_level(self, number: str, style: str) -> int:
        """The level of a list that belongs to a paragraph style, 0 where none does."""
        levels = numbering.levels if (numbering := self._read_cached_list(number)) else ()
        return next((place for place, level in enumerate(levels) if style and level.style == style), 0)

    def number_paragraph(self, number: str, level: int) -> str:
        """Counts one paragraph and returns its mark: "3.", "(b)", "iv)", "第二章", "-" for a bullet, or nothing."""
        numbering = self._read_cached_list(number)
        if numbering is None:
            return ""
        counts = self._counts.setdefault(numbering.counters, [None] * LEVELS)
        if number not in self._used_numbers:
            self._used_numbers.add(number)
            for place in numbering.restarted_levels:
                counts[place] = None
        list_level = numbering.levels[level]
        last_count = counts[level]
        counts[level] = list_level.start if last_count is None else min(last_count + 1, _MAX_COUNT)
        for deeper_level in range(level + 1, LEVELS):
            restart = numbering.levels[deeper_level].restart
            if restart is None or 0 < level + 1 <= restart:
                counts[deeper_level] = None
        return BULLET if list_level.numerals == "bullet" else _format_mark(list_level, numbering.levels, counts)

    def _read_list(self, number: str) -> _List | None:
        num = self._num_parts.get(number)
        key = get_value(num, "abstractNumId")
        link = get_value(self._abstract_lists.get(key), "numStyleLink")
        abstract = self._abstract_lists.get(self._keys_by_style_link.get(link, key) if link else key)
        if num is None or abstract is None:
            return None
        overrides = {_read_place(part): part for part in num if get_tag(part) == "lvlOverride"}
        level_parts = {_read_place(part): part for part in abstract if get_tag(part) == "lvl"}
        level_parts |= {place: lvl for place, part in overrides.items() if (lvl := find_child(part, "lvl")) is not None}
        starts = {place: get_value(part, "startOverride") for place, part in overrides.items()}
        levels = tuple(_make_level(level_parts.get(place), starts.get(place, "")) for place in range(LEVELS))
        restarted_levels = tuple(place for place, start in starts.items() if start and 0 <= place < LEVELS)
        return _List(get_attribute(abstract, "abstractNumId"), levels, restarted_levels)


def _read_place(part: _Element) -> int:
    level = get_attribute(part, "ilvl")
    return int(level) if level.isdigit() else 0


def _make_level(lvl: _Element | None, start: str) -> _Level:
    # A number format that only newer programs know is written next to the one for older ones.
    formats = [] if lvl is None else [get_attribute(part, "val") for part in lvl.iter("numFmt")]
    start_value = start or get_value(lvl, "start")
    restart = get_value(lvl, "lvlRestart")
    return _Level(
        start=min(int(start_value), _MAX_COUNT) if start_value.isdigit() else 0 if lvl is None else 1,
        numerals=next((name for name in formats if name not in ("", "custom")), "decimal"),
        text=get_value(lvl, "lvlText"),
        legal=is_on(lvl, "isLgl"),
        restart=int(restart) if restart.isdigit() else None,
        style=get_value(lvl, "pStyle"),
    )


def _format_mark(level: _Level, levels: tuple[_Level, ...], counts: list[int | None]) -> str:
    """The level's text, its placeholders filled; a level above that was not used yet counts as its start."""

    def fill(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        count = counts[place]
        count = levels[place].start if count is None else count
        return format_numeral(count, "decimal" if level.legal else levels[place].numerals)

    return _PLACEHOLDER.sub(fill, level.text).strip()
