"""What the paragraph styles of a Word document mean, through the styles they are based on (ECMA-376 part 1, 17.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tasks.parsers.word.elements import attribute, child, is_on, name, value

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nadpis|nagłówek|cím"
    r"|заголовок|标题|標題|見出し|제목)\s*([1-9])(?!\d)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"title|titel|标题|標題", re.IGNORECASE)
_CODE = re.compile(
    r"(?:source ?)?code(?: ?(?:block|text|listing|snippet))?|(?:html )?preformatted(?: text)?|verbatim|macro",
    re.IGNORECASE,
)
_LIST = re.compile(r"list(?: (?:bullet|number|continue))?(?: ([2-9]))?", re.IGNORECASE)
_CONTENTS = re.compile(r"toc ([1-9])|table of figures", re.IGNORECASE)
_BODY_TEXT = 9


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a style makes of a paragraph.

    `level` is that of a heading, from 1, else 0. `list_level` counts from 0; it is None where the style names no list.
    `number` and `number_level` are the numbering it asks for, "" and None where it asks for none.
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
        styles = [] if root is None else [part for part in root if name(part) == "style"]
        self._by_id = {attribute(style, "styleId"): style for style in styles}
        self._default = next(
            (
                attribute(style, "styleId")
                for style in styles
                if attribute(style, "type") == "paragraph" and attribute(style, "default") in ("1", "true", "on")
            ),
            "",
        )
        self.named = cache(self._named)

    def of(self, paragraph: _Element) -> ParagraphStyle:
        """The style of a paragraph."""
        return self.named(value(paragraph, "pPr", "pStyle") or self._default)

    def _named(self, style_id: str) -> ParagraphStyle:
        chain = list(self._chain(style_id))
        names = [value(style, "name") or attribute(style, "styleId") for style in chain] or [style_id]
        properties = [found for style in chain if (found := child(style, "pPr")) is not None]
        numbering = [found for part in properties if (found := child(part, "numPr")) is not None]
        list_name, contents = _LIST.fullmatch(names[0]), _CONTENTS.fullmatch(names[0])
        return ParagraphStyle(
            style_id,
            level=_level(names, properties),
            is_title=_TITLE.fullmatch(names[0]) is not None,
            is_code=any(map(_CODE.fullmatch, names)),
            is_caption=any(found.lower() in ("caption", "beschriftung", "légende", "题注", "標號") for found in names),
            is_hidden=any(is_on(style, "rPr", "vanish") for style in chain),
            list_level=int(list_name[1] or 1) - 1 if list_name else None,
            contents_level=int(contents[1] or 1) - 1 if contents else None,
            number=next(filter(None, (value(part, "numId") for part in numbering)), ""),
            number_level=next((int(place) for part in numbering if (place := value(part, "ilvl")).isdigit()), None),
        )

    def _chain(self, style_id: str) -> Iterator[_Element]:
        """The style and those it is based on, nearest first."""
        seen: set[str] = set()
        while style_id in self._by_id and style_id not in seen:
            seen.add(style_id)
            yield self._by_id[style_id]
            style_id = value(self._by_id[style_id], "basedOn")


def _level(names: list[str], properties: list[_Element]) -> int:
    for style in names:
        if (match := _HEADING.fullmatch(style) or _HEADING.match(style)) is not None:
            return int(match[1])
        if _TITLE.fullmatch(style):
            return 1
    return next((level for part in properties if (level := outline_level(part)) is not None), 0)


def outline_level(properties: _Element | None) -> int | None:
    """The heading level that paragraph properties ask for, 0 for body text, None where they say nothing."""
    outline = value(properties, "outlineLvl")
    if not outline.isdigit():
        return None
    return int(outline) + 1 if int(outline) < _BODY_TEXT else 0
