"""Subtitles of talks, lessons and films, WebVTT (W3C) and SubRip: what is said, in paragraphs, without its times.

Cues are cut for the eye, in the middle of sentences; they are put together again. A paragraph ends where another
speaker begins, where a sentence is followed by a pause, and where it has grown long. Captions that roll up show a line
in two or three cues: it is said once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise

from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.decoder import decode_text
from tasks.parsers.parser_contract import Raw, Signature
from warehouse.records import BlockKind, Document, Kind

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
"""Digits as careless programs write them too: "0:0:3.54", as transcripts of meetings have it, and "00:00:03"."""
_TIMING = re.compile(rf"\s*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?")
_BEGINNING = re.compile(
    rf"\A[\ufeff\s]*(?:WEBVTT(?:[ \t][^\n]*)?\r*(?:\n|\Z)|(?:\d{{1,6}}[ \t]*\r?\n)?{_TIME}[ \t]*-->)"
)
"""The signature of WebVTT, or a time from and to."""
_WEBVTT = re.compile(r"WEBVTT(?:[ \t]+(?:-[ \t]*)?(.*))?")
_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)\b")
_VOICE = re.compile(r"<v(?:\.[\w.-]+)?[ \t]+([^<>\n]{1,80})>")
_TAG = re.compile(r"</?[^<>\n]{0,200}>|\{\\[^{}\n]{1,40}\}")
_ENDS = re.compile(r"[.!?。！？…][\"”’')\]]*$")
_WIDE = re.compile(r"[\u3040-\u9fff\uff00-\uffef]")
_PAUSE = 2.0  # Seconds of silence after a sentence that begin a new paragraph.
_LONG, _LONGEST = 600, 1500  # Characters from which a paragraph ends with its sentence, and at which it ends anyhow.
_ROLLING = 0.1
"""Seconds between two cues of which the second may show lines of the first again, as captions do that roll up."""


@dataclass(frozen=True, slots=True)
class _Cue:
    """What is shown from `start` to `end`, in seconds; `speaker` is empty where nobody is named."""

    start: float
    end: float
    speaker: str
    lines: tuple[str, ...]


class Subtitles:
    """Paragraphs of speech; a speaker who is named stands before each of his."""

    version = 2
    media_type = "text/vtt"
    suffixes: tuple[str, ...] = (".vtt", ".srt")
    heavy = False
    signature: Signature | None = Signature(text=_BEGINNING)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        blocks = [block.split("\n") for block in re.split(r"\n[ \t]*\n", decode_text(raw.data).strip())]
        header = _WEBVTT.fullmatch(blocks[0][0].strip())
        assembly = Assembly()
        for paragraph in _iter_paragraphs(_list_cues([blocks[0][1:] or [""], *blocks[1:]] if header else blocks)):
            assembly.add(BlockKind.PARAGRAPH, paragraph)
        kind = self.media_type if header else "application/x-subrip"
        return as_course(assembly.finish(Kind.TEXT, kind, title=(header[1] or "") if header else ""))


def _list_cues(blocks: Sequence[Sequence[str]]) -> list[_Cue]:
    """The cues in order. Lines without a time, below a blank one within a cue, are of the cue before."""
    cues: list[_Cue] = []
    for block in blocks:
        if _ASIDE.match(block[0]):
            continue
        found = list(_iter_block_cues(block))
        if not found and cues and not any(map(_TIMING.fullmatch, block)):
            cues[-1] = replace(cues[-1], lines=(*cues[-1].lines, *_clean_lines(block)))
        cues += found
    return cues


def _clean_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines without markup, empty ones left out."""
    return tuple(filter(None, (" ".join(unescape(_TAG.sub("", line)).split()) for line in lines)))


def _iter_block_cues(block: Sequence[str]) -> Iterator[_Cue]:
    """The cues of lines without a blank one between them; careless files have several."""
    places = [place for place, line in enumerate(block) if _TIMING.fullmatch(line)]
    for place, after in pairwise([*places, len(block)]):
        found = _TIMING.fullmatch(block[place])
        last = after - 1 if after < len(block) and block[after - 1].strip().isdigit() else after
        raw = [line for line in block[place + 1 : last] if line.strip()]
        voice = _VOICE.search(raw[0]) if raw else None
        lines = _clean_lines(raw)
        if found and lines:
            times = found.groups()
            yield _Cue(
                _to_seconds(times[:4]), _to_seconds(times[4:]), unescape(voice[1]).strip() if voice else "", lines
            )


def _to_seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    return hours * 3600 + minutes * 60 + seconds + float(f"0.{parts[3] or 0}")


def _iter_paragraphs(cues: Sequence[_Cue]) -> Iterator[str]:
    paragraph = ""
    before: _Cue | None = None
    for cue in cues:
        new = cue.lines if before is None else _select_new_lines(before, cue)
        if before is not None and paragraph and new:
            ends_sentence = _ENDS.search(paragraph) is not None and (
                cue.start - before.end >= _PAUSE or len(paragraph) >= _LONG
            )
            if cue.speaker != before.speaker or len(paragraph) >= _LONGEST or ends_sentence:
                yield paragraph
                paragraph = ""
        if not paragraph and new and cue.speaker:
            paragraph = f"{cue.speaker}:"
        for line in new:
            joint = "" if not paragraph or (_WIDE.match(paragraph[-1]) and _WIDE.match(line)) else " "
            paragraph += joint + line
        before = cue
    if paragraph:
        yield paragraph


def _select_new_lines(before: _Cue, cue: _Cue) -> Sequence[str]:
    """The lines of a cue without those at its beginning that stay from the one before."""
    if cue.start - before.end >= _ROLLING:
        return cue.lines
    shared = range(min(len(before.lines), len(cue.lines)), 0, -1)
    return cue.lines[next((count for count in shared if before.lines[-count:] == cue.lines[:count]), 0) :]


member = Subtitles()
