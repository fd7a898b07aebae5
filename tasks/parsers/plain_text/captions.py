"""Cues of captions in other notations than WebVTT and SubRip.

YouTube's .sbv, .json3, XML (.srv1, .srv3) and copied transcripts; SubStation Alpha (.ass, .ssa), lyrics (.lrc), Timed
Text (W3C TTML 2), the output, tables and JSON of Whisper, the JSON of podcasts, and the utterances, monologues, phrases
or single words of services that recognize speech and speakers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING

from tasks.parsers.data.record_values import Record, Value
from tasks.parsers.plain_text.cues import Cue
from tasks.parsers.refusals import report_lost_part
from tasks.parsers.trees import collapse_spaces, collect_text, get_tag, read_damaged_xml
from warehouse.records import Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?"
_TIME = re.compile(_CLOCK)
_CLOCK_LINE = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
_SBV_TIMING = re.compile(rf"\s*({_CLOCK}),({_CLOCK})\s*")
_WHISPER_LINE = re.compile(rf"\s*\[({_CLOCK})\s*-->\s*({_CLOCK})\]\s*(.*)")
_LINE_STAMPS = re.compile(r"(?:\[\d{1,3}:\d\d(?:\.\d{1,3})?\])+")
_STAMP = re.compile(r"\[(\d{1,3}:\d\d(?:\.\d{1,3})?)\]")
_LYRICS_TAG = re.compile(r"\[([a-z]{2,6}):([^\]\n]*)\]\s*")
_WORD_STAMP = re.compile(r"<\d{1,3}:\d\d(?:\.\d{1,3})?>")
_STYLE = re.compile(r"\{[^{}\n]*\}")
_SPEAKER_CHANGE = re.compile(r"\A>>+\s*")
_OFFSET = re.compile(r"([\d.]+)(h|ms|m|s|f|t)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_TABLE_HEADER, _ROW = "start\tend\ttext", re.compile(r"(\d+)\t(\d+)\t(.*)")
_MILLISECONDS = 1000
_FRAME_CLOCK_PARTS = 4  # Parts of a clock that counts frames.
CAPTION_BEGINNINGS = (
    r"\d{1,2}:\d\d:\d\d\.\d{3},\d{1,2}:\d\d:\d\d\.\d{3}[ \t]*\r?\n",
    r"\[Script Info\]",
    rf"\[{_CLOCK}\s*-->",
    r"(?:\[[a-z]{2,6}:[^\]\n]*\]\s*)*\[\d{1,3}:\d\d\.\d{2,3}\][^\n]*\s+\[\d{1,3}:\d\d\.\d{2,3}\]",
    rf"{_TABLE_HEADER}\r?\n\d+\t\d+\t",
    r"(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:\w+:)?tt[\s>]",
    r"(?:<\?xml[^>]*\?>\s*)?<(?:timedtext(?:\s[^>]*)?|transcript>\s*<text start=)",
    r"(?:transcript\s*\n)?0?0:(?:00:)?\d\d[ \t]*\r?\n[^\n]*[^\W\d_][^\n]*\n\d{1,2}:\d\d(?::\d\d)?[ \t]*\r?\n",
)
"""The beginnings of files in these notations, as regular expressions."""
_LIST_NAMES = ("segments", "transcription", "utterances", "cues", "captions", "transcript", "events")
"""The names of lists of cues in JSON."""
_CONTAINERS = ("results", "audio_segments", "paragraphs", "channels", "alternatives", "recognizedPhrases", "monologues")
"""The names of lists that contain such lists in the JSON of services, outer ones first."""
_WORD_LIST_NAMES = ("items", "words")
_TEXT_NAMES = ("text", "transcript", "utterance", "body", "punctuated_word", "word")
_TIMES = (("start", "from", "startTime", "start_time"), ("end", "to", "endTime", "end_time"), ("duration", "dur"))
_SPEAKER = re.compile(r"(?:spk_|speaker[ _])?(\d{1,3})", re.IGNORECASE)
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")
_TICKS_PER_SECOND = 10_000_000  # Of Azure's times.
_MAX_CONTAINER_DEPTH = 6
_ANNOTATION_NAMES = frozenset({"label", "type", "entity", "category"})
"""Names in spans of annotations, which no cue has."""


@dataclass(frozen=True, slots=True)
class Captions:
    """The cues of a file in order, with its title and author."""

    cues: list[Cue]
    media_type: str
    title: str = ""
    author: str = ""
    findings: tuple[Finding, ...] = ()


def read_captions(text: str, data: bytes) -> Captions:
    """The captions of a text that begins as one of `CAPTION_BEGINNINGS`; `data` are its bytes.

    Malformed XML is read up to the error, with a finding. Raises `UnreadableFile` where nothing can be read.
    """
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("["):
        if start.lower().startswith("[script info]"):
            return _read_substation(start)
        return _read_printed(start) if _WHISPER_LINE.match(start) else _read_lyrics(start)
    if start.startswith(_TABLE_HEADER):
        rows = filter(None, map(_ROW.fullmatch, start.splitlines()))
        cues = [_make_cue(int(row[1]) / _MILLISECONDS, int(row[2]) / _MILLISECONDS, row[3]) for row in rows]
        return Captions(cues, "text/tab-separated-values")
    if start.startswith("<"):
        return _read_timed_text(data)
    return _read_sbv(start) if _SBV_TIMING.match(start) else _read_copied(start)


def _make_cue(start: float, end: float, text: str, speaker: str = "") -> Cue:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return Cue(start, end, speaker, tuple(filter(None, lines)))


def _to_seconds(clock: str) -> float:
    """The seconds of a clock of hours, minutes and seconds, or minutes and seconds."""
    total = 0.0
    for part in clock.replace(",", ".").split(":"):
        total = 60 * total + float(part)
    return total


def _read_sbv(text: str) -> Captions:
    cues: list[Cue] = []
    for line in text.split("\n"):
        if timing := _SBV_TIMING.fullmatch(line):
            cues.append(Cue(_to_seconds(timing[1]), _to_seconds(timing[2]), "", ()))
        elif cues and line.strip():
            cues[-1] = replace(cues[-1], lines=(*cues[-1].lines, _SPEAKER_CHANGE.sub("", " ".join(line.split()))))
    return Captions(cues, "text/x-sbv")


def _read_copied(text: str) -> Captions:
    """A transcript as it is copied from a page: the time is on a separate line above each spoken line."""
    times: list[float] = []
    texts: list[list[str]] = []
    for line in map(str.strip, text.split("\n")):
        if _CLOCK_LINE.fullmatch(line):
            times.append(_to_seconds(line))
            texts.append([])
        elif texts and line:
            texts[-1].append(" ".join(line.split()))
    ends = [*times[1:], *times[-1:]]
    cues = [Cue(start, end, "", tuple(lines)) for start, end, lines in zip(times, ends, texts, strict=True)]
    return Captions(cues, "text/x-youtube-transcript")


def _read_printed(text: str) -> Captions:
    """The lines that Whisper prints: "[00:00.000 --> 00:04.000]  Welcome."; others continue the line before."""
    cues: list[Cue] = []
    for line in text.split("\n"):
        if match := _WHISPER_LINE.fullmatch(line):
            cues.append(_make_cue(_to_seconds(match[1]), _to_seconds(match[2]), match[3]))
        elif cues and line.strip():
            cues[-1] = replace(cues[-1], lines=(*cues[-1].lines, " ".join(line.split())))
    return Captions(cues, "text/x-whisper")


def _read_substation(text: str) -> Captions:
    """The dialogue of a script, in order of time; drawings and comments are left out."""
    names: list[str] = []
    cues: list[Cue] = []
    title = ""
    for line in text.split("\n"):
        key, _, value = line.partition(":")
        if key == "Title" and not title:
            title = value.strip()
        elif key == "Format":
            names = [name.strip().lower() for name in value.split(",")]
        elif key == "Dialogue" and {"start", "end", "text"} <= set(names):
            fields = dict(zip(names, value.split(",", len(names) - 1), strict=False))
            words = _STYLE.sub("", fields.get("text", "")).replace(r"\N", "\n").replace(r"\n", "\n").replace(r"\h", " ")
            speaker = (fields.get("name") or fields.get("actor") or "").strip()
            times = [fields.get(side, "").strip() for side in ("start", "end")]
            if all(_TIME.fullmatch(time) for time in times):
                cues.append(_make_cue(_to_seconds(times[0]), _to_seconds(times[1]), words, speaker))
    return Captions(sorted(cues, key=lambda cue: cue.start), "text/x-ssa", title)


def _read_lyrics(text: str) -> Captions:
    """Lines with the time at which each begins; a line with several times is repeated."""
    tags = {match[1]: match[2].strip() for match in map(_LYRICS_TAG.fullmatch, text.split("\n")) if match}
    timed_words: list[tuple[float, str]] = []
    for line in text.split("\n"):
        if stamps := _LINE_STAMPS.match(line.strip()):
            words = _WORD_STAMP.sub("", line.strip()[stamps.end() :])
            timed_words += [(_to_seconds(stamp[1]), words) for stamp in _STAMP.finditer(stamps[0])]
    timed_words.sort(key=lambda pair: pair[0])
    ends = [*(start for start, _ in timed_words[1:]), timed_words[-1][0] if timed_words else 0.0]
    cues = [_make_cue(start, end, words) for (start, words), end in zip(timed_words, ends, strict=True)]
    return Captions(cues, "text/x-lrc", tags.get("ti", ""), tags.get("ar", ""))


def _read_timed_text(data: bytes) -> Captions:
    root, problem = read_damaged_xml(data)
    findings = (report_lost_part("the end of it", problem.problem),) if problem else ()
    if get_tag(root) != "tt":
        return Captions(list(_iter_youtube_cues(root)), "application/xml", findings=findings)
    rates = {
        "f": _read_rate(_get_attribute(root, "frameRate"), 30),
        "t": _read_rate(_get_attribute(root, "tickRate"), 1),
    }
    people = {
        _get_attribute(agent, "id"): collapse_spaces(collect_text(agent)) for agent in root.iter("agent") if len(agent)
    }
    titles = (collapse_spaces(collect_text(node)) for node in root.iter("title"))
    cues = [_read_paragraph(node, rates, people) for node in root.iter("p")]
    return Captions([cue for cue in cues if cue.lines], "application/ttml+xml", next(titles, ""), "", findings)


def _iter_youtube_cues(root: _Element) -> Iterator[Cue]:
    """The cues of YouTube's XML: `text` with seconds, its signs escaped twice, or `p` with thousandths."""
    for tag, names, divisor in (("text", ("start", "dur"), 1), ("p", ("t", "d"), _MILLISECONDS)):
        for node in root.iter(tag):
            values = (node.get(name) or "" for name in names)
            start, length = (float(value) / divisor if _is_number(value) else 0.0 for value in values)
            cue = _make_cue(start, start + length, unescape(collect_text(node)))
            if cue.lines:
                yield cue


def _read_rate(text: str, default: int) -> float:
    return float(text) if text.isdecimal() and int(text) else float(default)


def _get_attribute(node: _Element, name: str) -> str:
    """The value of an attribute of that local name, or nothing."""
    attributes = ((str(key).rpartition("}")[2].rpartition(":")[2], str(value)) for key, value in node.attrib.items())
    return next((value for local, value in attributes if local == name), "")


def _read_paragraph(node: _Element, rates: dict[str, float], people: dict[str, str]) -> Cue:
    start = _read_offset(_get_attribute(node, "begin"), rates)
    end = _read_offset(_get_attribute(node, "end"), rates) or start + _read_offset(_get_attribute(node, "dur"), rates)
    text = collect_text(node, lambda inner, _: "\n" if get_tag(inner) == "br" else None)
    lines = tuple(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
    return Cue(start, end, people.get(_get_attribute(node, "agent"), ""), lines)


def _read_offset(text: str, rates: dict[str, float]) -> float:
    """Seconds of a time expression (TTML 2, 12.3.1): 00:00:01.500, 00:00:01:12 with frames, 1.5s, 90f, 100t."""
    if match := _OFFSET.fullmatch(text.strip()):
        return float(match[1]) * _UNITS[match[2]] if match[2] in _UNITS else float(match[1]) / rates[match[2]]
    parts = text.strip().split(":")
    if not all(re.fullmatch(r"\d+(?:\.\d+)?", part) for part in parts):
        return 0.0
    frames = float(parts.pop()) / rates["f"] if len(parts) == _FRAME_CLOCK_PARTS else 0.0
    return _to_seconds(":".join(parts)) + frames


def list_json_cues(value: Value, depth: int = 0) -> list[Cue]:
    """The cues in a value of JSON: a list of texts with the numbers of their start and end; none in other values."""
    if isinstance(value, Record):
        fields = dict(value.fields)
        direct_cues = (list_json_cues(fields[name], depth + 1) for name in _LIST_NAMES if name in fields)
        if (first_cues := next(filter(None, direct_cues), [])) or depth >= _MAX_CONTAINER_DEPTH:
            return first_cues
        names = (*_CONTAINERS, *_WORD_LIST_NAMES) if depth else _CONTAINERS
        inner_cues = (_list_inner_cues(name, fields[name], depth + 1) for name in names if name in fields)
        return next(filter(None, inner_cues), [])
    if not isinstance(value, list) or not value:
        return []
    if cues := _list_youtube_cues(value) or _list_recognized_cues(value):
        return cues
    cues = [cue for part in value if isinstance(part, Record) and (cue := _read_json_cue(dict(part.fields)))]
    is_ordered = all(first.start <= second.start for first, second in pairwise(cues))
    return cues if len(cues) == len(value) and is_ordered else []


def _list_inner_cues(name: str, value: Value, depth: int) -> list[Cue]:
    """The cues under a name of a service: those of the first of several alternatives, those of all channels.

    Whole numbers without a speaker may be offsets in a text.
    """
    if isinstance(value, Record):
        return list_json_cues(value, depth)
    if cues := list_json_cues(value, depth):
        starts = (record.get(key) for record in _list_records(value) for key in _TIMES[0])
        is_timed = any(cue.speaker for cue in cues) or any("." in str(record) for record in starts)
        return cues if is_timed or not all(map(_read_times, _list_records(value))) else []
    parts = value[:1] if name == "alternatives" and isinstance(value, list) else value
    records = (part for part in parts if isinstance(part, Record)) if isinstance(parts, list) else ()
    inner = [list_json_cues(part, depth) for part in records]
    return sorted((cue for cues in inner for cue in cues), key=lambda cue: cue.start) if inner and all(inner) else []


def _list_recognized_cues(value: list[Value]) -> list[Cue]:
    """The cues of recognized words and marks, monologues, results or phrases; none in other lists."""
    cues: list[Cue] = []
    records = _list_records(value)
    for fields in records if len(records) == len(value) else ():
        if fields.get("type") == "punctuation" and cues:
            mark = _get_best(fields, "alternatives", "content")
            cues[-1] = replace(cues[-1], lines=("".join(cues[-1].lines) + mark,))
            continue
        cue = _read_recognized_cue(fields, cues[-1].end if cues else 0.0)
        if cue is None:
            return []
        cues.append(cue)
    return sorted((cue for cue in cues if cue.lines), key=lambda cue: cue.start)


def _read_recognized_cue(fields: dict[str, Value], previous_end: float) -> Cue | None:
    """A word, a monologue, a result with an end that begins at `previous_end`, or a phrase."""
    speaker = _read_speaker(fields)
    times = _read_times(fields)
    if times and (word := _get_best(fields, "alternatives", "content")):
        label = _get_best(fields, "alternatives", "speaker")
        return _make_cue(*times, word, speaker or label)
    if sentences := _list_records(fields.get("sentences")):
        text = " ".join(str(part.get("text") or "") for part in sentences)
        return _make_cue(*times, text, speaker) if times else None
    if elements := _list_records(fields.get("elements")):
        ends = [float(str(part[name])) for part in elements for name in ("ts", "end_ts") if _is_number(part.get(name))]
        text = "".join(str(part.get("value") or "") for part in elements)
        return _make_cue(ends[0], ends[-1], text, speaker) if ends and text.strip() else None
    ends_at = _SECONDS.fullmatch(str(fields.get("resultEndTime") or fields.get("resultEndOffset") or ""))
    if ends_at and "alternatives" in fields:
        return _make_cue(previous_end, float(ends_at[1]), _get_best(fields, "alternatives", "transcript"), speaker)
    start, length = (fields.get(name) for name in ("offsetInTicks", "durationInTicks"))
    if _is_number(start) and _is_number(length) and "nBest" in fields:
        first = float(str(start)) / _TICKS_PER_SECOND
        last = first + float(str(length)) / _TICKS_PER_SECOND
        return _make_cue(first, last, _get_best(fields, "nBest", "display"), speaker)
    return None


def _list_records(value: Value | None) -> list[dict[str, Value]]:
    """The records of a list; none of other values."""
    return [dict(part.fields) for part in value if isinstance(part, Record)] if isinstance(value, list) else []


def _get_best(fields: dict[str, Value], name: str, inner: str) -> str:
    """A text of the first of several alternatives, which is the likeliest."""
    best = next(iter(_list_records(fields.get(name))), {})
    return str(best.get(inner) or "")


def _read_speaker(fields: dict[str, Value]) -> str:
    """The speaker: a name or letter, or the number that a service gives: "spk_0", 0."""
    speaker = str(next((fields[name] for name in ("speaker", "speaker_label") if fields.get(name) is not None), ""))
    number = _SPEAKER.fullmatch(speaker)
    return f"Speaker {number[1]}" if number else speaker


def _list_youtube_cues(value: list[Value]) -> list[Cue]:
    """The cues of events that consist of segments with their words, as YouTube's JSON has them; none in other lists."""
    cues: list[Cue] = []
    events = _list_records(value)
    if len(events) < len(value) or not all("tStartMs" in fields for fields in events):
        return []
    for fields in events:
        text = "".join(str(part.get("utf8") or "") for part in _list_records(fields.get("segs")))
        start, length = (str(fields.get(name, "0")) for name in ("tStartMs", "dDurationMs"))
        if text.strip() and _is_number(start) and _is_number(length):
            cues.append(_make_cue(int(start) / _MILLISECONDS, (int(start) + int(length)) / _MILLISECONDS, text))
    return cues


def _read_json_cue(fields: dict[str, Value]) -> Cue | None:
    text = next((fields[name] for name in _TEXT_NAMES if isinstance(fields.get(name), str)), None)
    times = _read_times(fields)
    if not isinstance(text, str) or times is None or _ANNOTATION_NAMES & fields.keys():
        return None
    return _make_cue(*times, text, _read_speaker(fields))


def _read_times(fields: dict[str, Value]) -> tuple[float, float] | None:
    """When a cue begins and ends, in seconds; whole numbers are milliseconds. None without these."""
    offsets = fields.get("offsets")
    time_fields = dict(offsets.fields) if isinstance(offsets, Record) else fields
    start, end, length = (next((time_fields[name] for name in names if name in time_fields), None) for names in _TIMES)
    last = length if end is None else end
    if not (_is_number(start) and _is_number(last)):
        return None
    divisor = 1 if "." in f"{start}{last}" else _MILLISECONDS
    first, second = float(str(start)) / divisor, float(str(last)) / divisor
    return first, second if end is not None else first + second


def _is_number(value: Value | None) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d+(?:\.\d+)?", value) is not None
