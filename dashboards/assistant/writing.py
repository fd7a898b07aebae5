"""An answer as it is written: text with [n] for its sources, told piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dashboards.assistant.material import Material, Passage
from dashboards.assistant.records import Again, Event, Piece, Source, Tell
from tasks.ask.units import Span

_MARK = re.compile(r"[ \t]{0,9}[\[【]\s?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\s?[\]】]")
_OPEN = re.compile(r"[\[【][\d\s,;–-]*")
_LONGEST = 100
"""Characters that a mark may have."""
_RANGE = re.compile(r"(\d+)\s?[–-]\s?(\d+)")


class Writer:
    """Takes what the model writes and cites, tells it, and keeps the text and its sources.

    A source has the number of its first citation. With `marks` the model cites by the numbers of its passages, which
    become those of the sources; without, citations come from the service, and numbers in brackets that the model wrote
    itself are left out, for they name nothing.
    """

    def __init__(self, material: Material, tell: Tell, *, marks: bool) -> None:
        """`material` is what can be cited."""
        self._material, self._tell, self._marks = material, tell, marks
        self._told: list[Event] = []
        self._kept = 0
        self._held = ""
        self._cited: list[tuple[Passage, Span | None]] = []
        self._sources: dict[str, Source] = {}
        self._break = False
        self._before: tuple[dict[str, Source], bool] = ({}, False)

    @property
    def text(self) -> str:
        """All that was told."""
        return "".join(event.text for event in self._told if isinstance(event, Piece))

    @property
    def fresh(self) -> str:
        """What was told since the last `keep`."""
        return "".join(event.text for event in self._told[self._kept :] if isinstance(event, Piece))

    @property
    def sources(self) -> tuple[Source, ...]:
        """By their numbers."""
        return tuple(self._sources.values())

    def write(self, delta: str) -> None:
        """Some more text. White space and what may become a mark waits for what follows."""
        whole = self._held + delta
        place = _settled(whole)
        self._held = whole[place:]
        self._say(_MARK.sub(self._read, whole[:place]))

    def cite(self, citation: Mapping[str, Any]) -> None:
        """The block that is being written has this citation of the service."""
        found = self._material.cited(citation)
        if found:
            self._cited.append(found)

    def end_block(self) -> None:
        """The block is whole: its marks come before the white space at its end."""
        rest = _MARK.sub(self._read, self._held)
        space = rest[len(rest.rstrip()) :]
        self._say(rest.rstrip())
        numbers = dict.fromkeys(self._number(passage, span) for passage, span in self._cited)
        self._say(" " * bool(numbers) + "".join(f"[{number}]" for number in numbers))
        self._cited, self._held = [], space

    def keep(self, *, joined: bool = False) -> None:
        """The message is whole; another may follow, as its continuation or after a blank line."""
        if joined:
            self._say(self._held)
        self._held, self._kept = "", len(self._told)
        self._break = not joined and bool(self.text)
        self._before = dict(self._sources), self._break

    def restart(self, why: str) -> None:
        """What was written since the last `keep` is void; all before it is told again."""
        self._told = self._told[: self._kept]
        self._held, self._cited = "", []
        self._sources, self._break = dict(self._before[0]), self._before[1]
        for event in (Again(why), *self._told):
            self._tell(event)

    def _say(self, text: str) -> None:
        if not text:
            return
        if self._break:
            text, self._break = "\n\n" + text.lstrip(), False
        self._told.append(Piece(text))
        self._tell(Piece(text))

    def _read(self, mark: re.Match[str]) -> str:
        if not self._marks:
            return ""
        passages = self._material.passages
        found = [passages[n - 1] for n in _numbers(mark[1]) if 0 < n <= len(passages)]
        written = "".join(f"[{n}]" for n in dict.fromkeys(self._number(passage, None) for passage in found))
        space = mark[0][: len(mark[0]) - len(mark[0].lstrip())]
        return space + written if written else ""

    def _number(self, passage: Passage, span: Span | None) -> int:
        known = self._sources.get(passage.hit.chunk_id)
        if known is None:
            source = Source(len(self._sources) + 1, passage.hit, (span,) if span else ())
            self._sources[passage.hit.chunk_id] = source
            self._told.append(source)
            self._tell(source)
            return source.number
        if span and span not in known.spans:
            self._sources[passage.hit.chunk_id] = Source(known.number, known.hit, (*known.spans, span))
        return known.number


def unmarked(text: str) -> str:
    """An answer of before without its marks, which name nothing in what follows."""
    return _MARK.sub("", text)


def _settled(text: str) -> int:
    """Where white space or a mark begins that what follows may change; the end where neither does."""
    begun = max(text.rfind(sign, max(len(text) - _LONGEST, 0)) for sign in "[【")
    whole = begun < 0 or not _OPEN.fullmatch(text, begun)
    return len((text if whole else text[:begun]).rstrip())


def _numbers(written: str) -> Iterator[int]:
    """The numbers of a mark: "1", "1, 2", "1-3"."""
    for part in re.split(r"\s?[,;]\s?", written):
        ends = _RANGE.fullmatch(part)
        yield from range(int(ends[1]), min(int(ends[2]), int(ends[1]) + 9) + 1) if ends else [int(part)]
