"""Appointments of calendar files in words (RFC 5545): what, when, where and with whom."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.parsers.assembly import clean
from tasks.parsers.decoder import decode

_FOLD = re.compile(r"\n[ \t]")
_LINE = re.compile(r"(?P<name>[A-Z-]+)(?P<parameters>(?:;(?:[^:;\"]|\"[^\"]*\")*)*):(?P<value>.*)", re.IGNORECASE)
_MOMENT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{0,2}(Z?))?")
_ESCAPE = re.compile(r"\\(.)")
_PERSON = re.compile(r"CN=\"?([^\";:]+)", re.IGNORECASE)
_ZONE = re.compile(r"TZID=\"?([^\";:]+)", re.IGNORECASE)
_SHOWN = {"SUMMARY": "", "LOCATION": "Where: ", "DESCRIPTION": "", "STATUS": "Status: ", "RRULE": "Repeats: "}
_MOST_PEOPLE = 20
_ITEMS = ("VEVENT", "VTODO", "VJOURNAL")


def is_calendar(data: bytes) -> bool:
    """Whether a file begins as a calendar."""
    return data[:64].lstrip(b"\xef\xbb\xbf \r\n").upper().startswith(b"BEGIN:VCALENDAR")


def calendar_paragraphs(data: bytes) -> Iterator[str]:
    """A paragraph for each appointment, task or journal entry, in order."""
    held: list[str] | None = None
    times: dict[str, str] = {}
    people: list[str] = []
    for line in _FOLD.sub("", clean(decode(data) or "")).split("\n"):
        match = _LINE.fullmatch(line.strip())
        if match is None:
            continue
        name, value = match["name"].upper(), match["value"].strip()
        if name == "BEGIN" and value.upper() in _ITEMS:
            held, times, people = [], {}, []
        elif held is None:
            continue
        elif name == "END" and value.upper() in _ITEMS:
            when = " to ".join(filter(None, (times.get("DTSTART", ""), times.get("DTEND", "") or times.get("DUE", ""))))
            shown = [f"When: {when}"] if when else []
            named = [f"With: {', '.join(people[:_MOST_PEOPLE])}"] if people else []
            if lines := [*held[:1], *shown, *held[1:], *named]:
                yield "\n".join(lines)
            held = None
        elif name in ("DTSTART", "DTEND", "DUE"):
            times[name] = _moment(value, match["parameters"])
        elif name in ("ORGANIZER", "ATTENDEE"):
            person = _PERSON.search(match["parameters"])
            people.append(person[1] if person else re.sub("^mailto:", "", value, flags=re.IGNORECASE))
        elif name in _SHOWN and value:
            text = _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
            held.insert(0 if name == "SUMMARY" else len(held), f"{_SHOWN[name]}{text}".strip())


def _moment(value: str, parameters: str) -> str:
    match = _MOMENT.match(value)
    if match is None:
        return value
    day = f"{match[1]}-{match[2]}-{match[3]}"
    zone = _ZONE.search(parameters)
    shown = " (UTC)" if match[6] else f" ({zone[1]})" if zone else ""
    return f"{day} {match[4]}:{match[5]}{shown}" if match[4] else day
