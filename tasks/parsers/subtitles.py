"""Subtitles of talks, lessons and films: the speech in paragraphs, without times.

WebVTT (W3C) and SubRip are read here, other notations in `captions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import pairwise

from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.decoder import decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.plain_text.captions import CAPTION_BEGINNINGS, read_captions
from tasks.parsers.plain_text.cues import Cue, iter_paragraphs
from warehouse.records import BlockKind, Document, Kind

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
"""Also with missing digits: "0:0:3.54", as in transcripts of meetings, and "00:00:03"."""
_TIMING = re.compile(rf"\s*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?")
_BEGINNING = re.compile(
    rf"\A[\ufeff\s]*(?:WEBVTT(?:[ \t][^\n]*)?\r*(?:\n|\Z)|(?:\d{{1,6}}[ \t]*\r?\n)?{_TIME}[ \t]*-->)"
)
"""The signature of WebVTT, or the timing of a cue."""
_NOTATION = re.compile(rf"\A[\ufeff\s]*(?:{'|'.join(CAPTION_BEGINNINGS)})", re.DOTALL)
_WEBVTT = re.compile(r"WEBVTT(?:[ \t]+(?:-[ \t]*)?(.*))?")
_NON_CUE_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)\b")
_VOICE = re.compile(r"<v(?:\.[\w.-]+)?[ \t]+([^<>\n]{1,80})>")
_TAG = re.compile(r"</?[^<>\n]{0,200}>|\{\\[^{}\n]{1,40}\}")


class Subtitles:
    """Paragraphs of speech, each with the name of its speaker, if there is one."""

    version = 4
    media_type = "text/vtt"
    suffixes: tuple[str, ...] = (".vtt", ".srt", ".sbv", ".ass", ".ssa", ".lrc", ".ttml", ".dfxp", ".srv1", ".srv3")
    heavy = False
    signature: Signature | None = Signature(text=re.compile(f"{_BEGINNING.pattern}|{_NOTATION.pattern}", re.DOTALL))

    def parse(self, raw_lines: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode_text(raw_lines.data)
        if _NOTATION.match(text):
            return _read_other_notation(text, raw_lines.data)
        blocks = [block.split("\n") for block in re.split(r"\n[ \t]*\n", text.strip())]
        header = _WEBVTT.fullmatch(blocks[0][0].strip())
        assembly = Assembly()
        for paragraph in iter_paragraphs(_list_cues([blocks[0][1:] or [""], *blocks[1:]] if header else blocks)):
            assembly.add(BlockKind.PARAGRAPH, paragraph)
        kind = self.media_type if header else "application/x-subrip"
        return as_course(assembly.finish(Kind.TEXT, kind, title=(header[1] or "") if header else ""))


def _read_other_notation(text: str, data: bytes) -> Document:
    captions, assembly = read_captions(text, data), Assembly()
    for paragraph in iter_paragraphs(captions.cues):
        assembly.add(BlockKind.PARAGRAPH, paragraph)
    authors = [captions.author] if captions.author else []
    return as_course(
        assembly.finish(
            Kind.TEXT, captions.media_type, title=captions.title, authors=authors, findings=captions.findings
        )
    )


def _list_cues(blocks: Sequence[Sequence[str]]) -> list[Cue]:
    """The cues in order. Lines without a time, after a blank line within a cue, belong to the cue before."""
    cues: list[Cue] = []
    for block in blocks:
        if _NON_CUE_BLOCK.match(block[0]):
            continue
        block_cues = list(_iter_block_cues(block))
        if not block_cues and cues and not any(map(_TIMING.fullmatch, block)):
            cues[-1] = replace(cues[-1], lines=(*cues[-1].lines, *_clean_lines(block)))
        cues += block_cues
    return cues


def _clean_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines without markup, empty ones left out."""
    return tuple(filter(None, (" ".join(unescape(_TAG.sub("", line)).split()) for line in lines)))


def _iter_block_cues(block: Sequence[str]) -> Iterator[Cue]:
    """The cues of lines without a blank one between them; malformed files have several."""
    places = [place for place, line in enumerate(block) if _TIMING.fullmatch(line)]
    for place, next_place in pairwise([*places, len(block)]):
        match = _TIMING.fullmatch(block[place])
        end = next_place - 1 if next_place < len(block) and block[next_place - 1].strip().isdigit() else next_place
        raw_lines = [line for line in block[place + 1 : end] if line.strip()]
        voice = _VOICE.search(raw_lines[0]) if raw_lines else None
        lines = _clean_lines(raw_lines)
        if match and lines:
            times = match.groups()
            yield Cue(
                _to_seconds(times[:4]), _to_seconds(times[4:]), unescape(voice[1]).strip() if voice else "", lines
            )


def _to_seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    return hours * 3600 + minutes * 60 + seconds + float(f"0.{parts[3] or 0}")


member = Subtitles()
