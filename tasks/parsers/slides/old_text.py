"""The paragraphs of a text in an old PowerPoint file ([MS-PPT] 2.9): words, levels and bullets.

Numbers of numbered items are not stored with the text and are shown as bullets.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tasks.parsers.slides.slide_text import SlideLine

TEXT_HEADER, CHARACTERS, BYTES, STYLES, TEXT_REFERENCE = 0x0F9F, 0x0FA0, 0x0FA8, 0x0FA1, 0x0F9E
TITLE, BODY, NOTES, OTHER, CENTRE_BODY, CENTRE_TITLE = 0, 1, 2, 4, 5, 6
"""Kinds of texts (2.13.33)."""
_BASE_KINDS = {CENTRE_BODY: BODY, CENTRE_TITLE: TITLE, 7: BODY, 8: BODY}
"""Kinds that inherit from another one."""
_FIRST_KIND_WITH_LEVELS = 5  # From this kind on a master writes the number of each level.
_BULLET_FLAG = 1
_LEVEL_COUNT = 5
_PARAGRAPH_FIELDS = (
    (0xF, 2), (0x80, 2), (0x10, 2), (0x40, 2), (0x20, 4), (0x800, 2), (0x1000, 2), (0x2000, 2), (0x4000, 2),
    (0x100, 2), (0x400, 2), (0x8000, 2), (0x100000, 0), (0x10000, 2), (0xE0000, 2), (0x200000, 2),
)  # fmt: skip
"""The fields in a list of paragraph properties, by bits of its mask, and the bytes of each; 0 for tab stops, which
state their length (2.9.20)."""
_CHARACTER_FIELDS = (
    (0xFFFF, 2), (0x10000, 2), (0x200000, 2), (0x400000, 2), (0x800000, 2), (0x20000, 2), (0x40000, 4), (0x80000, 2),
)  # fmt: skip
"""The fields in a list of character properties, in the same form (2.9.14)."""
Bullets = Mapping[tuple[int, int], bool]
"""Whether paragraphs have bullets, by the kind of text and the level."""


@dataclass(frozen=True, slots=True)
class OldText:
    """A text: its kind, its words, and its properties as stored in the file."""

    kind: int
    words: str = ""
    styles: bytes = b""

    def build_lines(self, bullets: Bullets) -> list[SlideLine]:
        """The paragraphs that have words, with the bullets of the master where they state none."""
        lines: list[SlideLine] = []
        runs = list(_iter_paragraph_runs(self.styles, len(self.words)))
        place, index = 0, 0
        for words in self.words.split("\r"):
            while index + 1 < len(runs) and runs[index][0] <= place:
                index += 1
            _, level, bullet = runs[index] if runs else (0, 0, None)
            place += len(words) + 1
            text = words.replace("\x0b", "\n").strip()
            if text:
                has_bullet = bullets.get((self.kind, level), False) if bullet is None else bullet
                lines.append(SlideLine(text, level, "-") if has_bullet else SlideLine(text))
        return lines


def iter_texts(records: Iterable[tuple[int, int, bytes]]) -> Iterator[OldText | int]:
    """The texts among some records, and the numbers of those that are in the outline."""
    text: OldText | None = None
    for kind, _, data in records:
        if kind in (TEXT_HEADER, TEXT_REFERENCE):
            if text is not None:
                yield text
            (number,) = struct.unpack_from("<I", data)
            text = OldText(number) if kind == TEXT_HEADER else None
            if kind == TEXT_REFERENCE:
                yield number
        elif kind in (CHARACTERS, BYTES):
            words = data.decode("latin-1" if kind == BYTES else "utf-16-le", "replace")
            text = OldText(OTHER if text is None else text.kind, words)
        elif kind == STYLES and text is not None:
            text = OldText(text.kind, text.words, data)
    if text is not None:
        yield text


def _iter_paragraph_runs(data: bytes, length: int) -> Iterator[tuple[int, int, bool | None]]:
    """Where runs of paragraphs end, their level, and whether they have bullets (None if that is not stated)."""
    place, run_end = 0, 0
    while run_end <= length and place + 10 <= len(data):
        count, level = struct.unpack_from("<IH", data, place)
        bullet, place = _read_properties(data, place + 6, _PARAGRAPH_FIELDS)
        run_end += count
        yield run_end, min(level, _LEVEL_COUNT - 1), bullet


def _read_properties(data: bytes, place: int, fields: Iterable[tuple[int, int]]) -> tuple[bool | None, int]:
    """Whether a list of properties says that there is a bullet, and where it ends."""
    mask = int.from_bytes(data[place : place + 4], "little")
    place += 4
    bullet = bool(data[place] & _BULLET_FLAG) if mask & _BULLET_FLAG and place < len(data) else None
    for bits, size in fields:
        if mask & bits:
            place += size or 2 + 4 * int.from_bytes(data[place : place + 2], "little")
    return bullet, place


def read_master_bullets(records: Iterable[tuple[int, int, bytes]]) -> Bullets:
    """The bullets that the styles of a master give to its texts (2.9.35), by kind and level."""
    bullets: dict[tuple[int, int], bool] = {}
    for _, kind, data in records:
        levels, place = int.from_bytes(data[:2], "little"), 2
        last_bullet = False
        for level in range(min(levels, _LEVEL_COUNT)):
            place += 2 if kind >= _FIRST_KIND_WITH_LEVELS else 0
            bullet, place = _read_properties(data, place, _PARAGRAPH_FIELDS)
            _, place = _read_properties(data, place, _CHARACTER_FIELDS)
            if bullet is None and kind in _BASE_KINDS:
                bullet = bullets.get((_BASE_KINDS[kind], level))
            last_bullet = bullets[kind, level] = last_bullet if bullet is None else bullet
    for kind, base in _BASE_KINDS.items():
        for level in range(_LEVEL_COUNT):
            bullets.setdefault((kind, level), bullets.get((base, level), False))
    return bullets
