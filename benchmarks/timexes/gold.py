"""Texts with their temporal expressions: human-tagged news, and the specification cases of Recognizers-Text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

_DAY = timedelta(days=1)
Interval = tuple[date | None, date | None]


@dataclass(frozen=True, slots=True)
class Timex:
    """An expression at `text[start:end]`, with its TIMEX3 value or the days it may resolve to.

    `intervals` are half-open, one for each reading allowed, with None for an open side; `ignored` is the dateline,
    which TempEval-3 gives to the systems and does not score.
    """

    start: int
    end: int
    value: str
    intervals: tuple[Interval, ...] = ()
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text written at `anchor`, if that is known, and what is tagged in it."""

    text: str
    anchor: datetime | None
    gold: tuple[Timex, ...]


def news(path: Path) -> Iterator[Text]:
    """JSON lines `{"anchor", "text", "mentions": [{"start", "end", "value", "creation_time"}]}`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        gold = (
            Timex(each["start"], each["end"], each["value"], ignored=each["creation_time"]) for each in data["mentions"]
        )
        yield Text(data["text"], _anchor(data["anchor"]), tuple(gold))


def _anchor(text: str) -> datetime:
    """An ISO day; one of the news texts has it the other way round, day first."""
    return datetime.fromisoformat("-".join(reversed(text.split("-"))) if text[2] == "-" else text)


def specifications(folder: Path) -> Iterator[Text]:
    """The cases of every file of the folder, in the order of the files' names."""
    for path in sorted(folder.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8-sig")):
            written = case.get("Context", {}).get("ReferenceDateTime")
            anchor = datetime.fromisoformat(written[:19]) if written else None
            yield Text(case["Input"], anchor, tuple(map(_timex, case["Results"])))


def _timex(result: Mapping[str, Any]) -> Timex:
    start = result["Start"]
    end = start + result["Length"] if "Length" in result else result["End"] + 1
    if "Value" in result:
        value = result["Value"]
        kinds = [value.get("FutureResolution", {}), value.get("PastResolution", {})]
        return Timex(start, end, value.get("Timex", ""), _readings(map(_parsed, kinds)))
    values = (result.get("Resolution") or {}).get("values", [])
    timex = values[0].get("timex", "") if values else ""
    return Timex(start, end, timex, _readings(map(_resolved, values)))


def _readings(intervals: Iterable[Interval | None]) -> tuple[Interval, ...]:
    """Every reading, also with its last day inside it: the cases leave out the 22nd of "from 4 to 22 this month"."""
    known = [each for each in intervals if each is not None]
    return (*known, *((start, end + _DAY) for start, end in known if end is not None))


def _parsed(resolution: Mapping[str, str]) -> Interval | None:
    for day in ("date", "dateTime"):
        if day in resolution:
            return _of_day(resolution[day])
    for kind in ("Date", "DateTime"):
        start, end = resolution.get(f"start{kind}"), resolution.get(f"end{kind}")
        if start or end:
            return _between(start, end, is_time="Time" in kind)
    return None


def _resolved(value: Mapping[str, str]) -> Interval | None:
    kind = value.get("type", "")
    if kind in ("date", "datetime") and "value" in value:
        return _of_day(value["value"])
    if kind in ("daterange", "datetimerange") and ("start" in value or "end" in value):
        return _between(value.get("start"), value.get("end"), is_time=kind == "datetimerange")
    return None


def _of_day(text: str) -> tuple[date, date] | None:
    day = _date(text)
    return None if day is None else (day, day + _DAY)


def _between(start: str | None, end: str | None, *, is_time: bool) -> Interval | None:
    first, last = _date(start) if start else None, _date(end) if end else None
    if is_time and last is not None:
        last += _DAY
    return first, last


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
