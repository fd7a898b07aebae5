"""Text of the appointments, tasks and journal entries of calendar files (RFC 5545; vCalendar 1.0).

All that is readable in broken files is kept: a line that is no property continues the text above it, an item that does
not end is read as far as it goes, and a time that no calendar has is shown as it is written.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from html import unescape

from tasks.parsers.assembly import clean
from tasks.parsers.decoder import decode, decode_as
from tasks.parsers.mail.calendar_recurrence import Recurrence, RecurringItem, expand_recurrence, read_rule
from tasks.parsers.mail.calendar_times import (
    ALL_DAY,
    CalendarMoment,
    CalendarSpan,
    add_duration,
    describe_rule,
    format_list,
    make_span,
    read_moment,
)
from warehouse.printable_text import format_first

BEGINNING = re.compile(r"\A[\ufeff\s]*BEGIN[ \t]*:[ \t]*(?:VCALENDAR|VEVENT|VTODO|VJOURNAL)\b", re.IGNORECASE)
"""How a calendar begins, or a piece of one."""
_FOLD = re.compile(r"\n[ \t]")
_QUOTED_PRINTABLE = re.compile(r"(ENCODING=)?QUOTED-PRINTABLE", re.IGNORECASE)
_LINE = re.compile(
    r"(?P<name>[A-Z][A-Z0-9-]*)(?P<parameters>(?:;(?:[^:;\"]|\"[^\"]*\")*)*):(?P<value>.*)", re.IGNORECASE
)
_GROUP_PREFIX = re.compile(r"[A-Z0-9-]+\.(?=[A-Z-]+[;:])", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)")
_PERSON = re.compile(r"CN=(?:\"([^\"]+)\"|([^\";:]+))", re.IGNORECASE)
_ZONE = re.compile(r"TZID=\"?([^\";:]+)", re.IGNORECASE)
_CHARSET = re.compile(r"CHARSET=\"?([\w-]+)", re.IGNORECASE)
_MARKUP = re.compile(r"<(?:br|p|a|b|i|u|ul|ol|li|div|span|html|strong|em)\b[^<>]*>|</\w+>", re.IGNORECASE)
_NEW_LINE = re.compile(r"<(?:br|p|div|li|tr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)
_MAX_PEOPLE = 20  # People of an appointment who are named.
ITEMS = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY", "AVAILABLE"})
_DEFAULT_SUMMARIES = {"VFREEBUSY": "Free and busy times", "VAVAILABILITY": "Availability", "AVAILABLE": "Available"}
"""The summaries of items that have none."""
_TIMES = frozenset({"DTSTART", "DTEND", "DUE", "DURATION", "COMPLETED", "RECURRENCE-ID"})
_LISTED_TIMES = {"RDATE": "Also on", "EXDATE": "Not on"}
_LABELS = {"LOCATION": "Where", "STATUS": "Status", "CATEGORIES": "Categories", "RESOURCES": "Resources",
          "CONTACT": "Contact", "PERCENT-COMPLETE": "Percent complete", "URL": "Link", "CONFERENCE": "Link",
          "X-GOOGLE-CONFERENCE": "Link", "ATTACH": "Attachment", "COMMENT": "Comment",
          "REQUEST-STATUS": "Request status"}  # fmt: skip
"""Properties that are shown below the times, by their label."""
_TEXTS = frozenset({"SUMMARY", "DESCRIPTION", "X-ALT-DESC"})
_OMITTED = frozenset({
    "BEGIN", "END", "VERSION", "PRODID", "METHOD", "CALSCALE", "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE",
    "CLASS", "TRANSP", "PRIORITY", "GEO", "ORGANIZER", "ATTENDEE", "RRULE", "EXRULE", "FREEBUSY", "RELATED-TO", "COLOR",
    "IMAGE", "NAME", "SOURCE", "REFRESH-INTERVAL", "DCREATED", "AALARM", "DALARM", "MALARM", "PALARM", "TZ", "DAYLIGHT",
    "ACTION", "TRIGGER", "REPEAT", "TZID", "TZNAME", "TZOFFSETFROM", "TZOFFSETTO", "TZURL", "ACKNOWLEDGED", "RNUM",
    "STRUCTURED-DATA", "STYLED-DESCRIPTION", "LOCATION-TYPE", "PARTICIPANT-TYPE", "CALENDAR-ADDRESS", "PROXIMITY",
})  # fmt: skip
_KNOWN = _TIMES | _LISTED_TIMES.keys() | _LABELS.keys() | _TEXTS | _OMITTED
_STAMPS = frozenset({"DTSTAMP", "LAST-MODIFIED", "CREATED", "DCREATED"})
_OFFSET = re.compile(r"([+-])(\d{2}):?([0-5]\d)(?:[0-5]\d)?")
_DEFAULT_STATUS = "CONFIRMED"


@dataclass(frozen=True, slots=True)
class CalendarItem:
    """An appointment, task or journal entry: its summary, its time (None where none is given), and lines of details."""

    summary: str
    span: CalendarSpan | None
    lines: tuple[str, ...]
    rows: tuple[tuple[str, str], ...] = ()
    """The days and hours of all its times, where it has several."""

    @property
    def heading(self) -> str:
        """Its days and what it is."""
        return " ".join(filter(None, (self.span.heading if self.span else "", self.summary)))


@dataclass(slots=True)
class CalendarFile:
    """The content of a file: names and descriptions of its calendars, and the items in the order of the file.

    `is_cut` says that the last item has no end.
    """

    names: list[str] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    items: list[CalendarItem] = field(default_factory=list)
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    parameters: str
    value: str

    @property
    def text(self) -> str:
        """The value as it is shown: escapes and markup as what they stand for."""
        plain = _ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], self.value)
        return _without_markup(plain).strip()


def is_calendar(data: bytes) -> bool:
    """Whether a file begins as a calendar."""
    return data[:64].lstrip(b"\xef\xbb\xbf \r\n").upper().startswith(b"BEGIN:VCALENDAR")


def iter_calendar_paragraphs(data: bytes) -> Iterator[str]:
    """A paragraph for each appointment, task or journal entry, in order."""
    for item in read_calendar(data).items:
        days = format_list(days for days, _ in item.rows)
        yield "\n".join(filter(None, (item.summary, *item.lines, days and f"Days: {days}")))


def read_calendar(data: bytes) -> CalendarFile:
    """The calendar that some bytes hold, which has no items where they hold none."""
    return _CalendarReader().read(_iter_properties(clean(decode(data) or "")))


def _iter_properties(text: str) -> Iterator[_Property]:
    """The properties line by line; a line that is no property continues the value above it."""
    name, parameters, values = "", "", list[str]()
    for line in unfold_lines(text):
        match = _LINE.match(_GROUP_PREFIX.sub("", line.strip(), count=1))
        line_name = match["name"].upper() if match else ""
        if match is None or not (line_name in _KNOWN or line_name.startswith("X-")):
            if name not in ("", "BEGIN", "END") and line.strip():
                values.append(line.strip())
            continue
        if name:
            yield _Property(name, parameters, "\\n".join(values))
        name, parameters = line_name, match["parameters"]
        values = [decode_value(match["value"], parameters).strip()]
    if name:
        yield _Property(name, parameters, "\\n".join(values))


def unfold_lines(text: str) -> Iterator[str]:
    """The lines, those that were folded (3.1) put together; vCalendar 1.0 breaks encoded ones with `=`."""
    pieces: list[str] = []
    for line in _FOLD.sub("", text).split("\n"):
        if line.endswith("=") and (pieces or _QUOTED_PRINTABLE.search(line.partition(":")[0])):
            pieces.append(line[:-1])
            continue
        yield "".join([*pieces, line])
        pieces.clear()
    if pieces:
        yield "".join(pieces)


def decode_value(value: str, parameters: str) -> str:
    """The value of a line, whose parameters may say that it is quoted-printable, and in which encoding."""
    if not _QUOTED_PRINTABLE.search(parameters):
        return value
    charset = _CHARSET.search(parameters)
    data = quopri.decodestring(value.encode("utf-8", "replace"))
    return clean(decode_as(data, charset[1] if charset else "utf-8") or value).replace("\n", "\\n")


def _without_markup(text: str) -> str:
    """A text as a page shows it where it has the markup of one, as Google and Outlook write descriptions."""
    if not _MARKUP.search(text):
        return text
    lines = unescape(_TAG.sub("", _NEW_LINE.sub("\n", text))).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(" ".join(line.split()) for line in lines))


class _CalendarReader:
    """Makes items of properties in the order of the file."""

    def __init__(self) -> None:
        self._found = CalendarFile()
        self._open_properties: list[_Property] | None = None
        self._kind = ""
        self._inner_kind = ""
        self._zone = ""
        self._items: list[tuple[str, list[_Property]]] = []
        self._defined_zone = ""
        self._offsets: dict[str, timedelta] = {}
        """The most that the zones which the file defines are ahead of UTC."""

    def read(self, properties: Iterator[_Property]) -> CalendarFile:
        """The calendar of these properties."""
        for item_property in properties:
            self._add_property(item_property)
        if self._open_properties is not None:
            self._found.is_cut = True
            self._close_item()
        moved_times = self._collect_moved_times()
        write_day = self._find_last_written()
        for kind, item_properties in self._items:
            self._add_item(
                kind, item_properties, moved_times.get(_find_first_value(item_properties, "UID"), []), write_day
            )
        return self._found

    def _collect_moved_times(self) -> dict[str, list[CalendarMoment]]:
        """The times of repeating items that separate items replace, by the id that they share."""
        moved_times: dict[str, list[CalendarMoment]] = {}
        for _, properties in self._items:
            times = [
                self._read_moment(item_property)
                for item_property in properties
                if item_property.name == "RECURRENCE-ID"
            ]
            moved_times.setdefault(_find_first_value(properties, "UID"), []).extend(filter(None, times))
        return moved_times

    def _find_last_written(self) -> date:
        """The newest day on which an item was written, as the file says; else on which one begins."""
        all_properties = [item_property for _, properties in self._items for item_property in properties]
        for names in (_STAMPS, frozenset({"DTSTART"})):
            moments = (
                read_moment(item_property.value) for item_property in all_properties if item_property.name in names
            )
            if days := [moment.day for moment in moments if moment]:
                return max(days)
        return date.min

    def _add_property(self, item_property: _Property) -> None:
        kind = item_property.value.upper()
        if item_property.name == "BEGIN" and kind in ITEMS:
            self._close_item()
            self._open_properties, self._kind, self._inner_kind = [], kind, ""
        elif item_property.name == "END" and kind in (*ITEMS, "VCALENDAR"):
            self._close_item()
        elif item_property.name == "BEGIN":
            # Alarms and zones have texts and times of their own, which do not belong to the item.
            self._inner_kind = self._inner_kind or kind.replace("VCALENDAR", "")
        elif item_property.name == "END":
            self._inner_kind = "" if kind == self._inner_kind else self._inner_kind
        elif self._inner_kind:
            self._define_zone(item_property)
        elif self._open_properties is not None:
            self._open_properties.append(item_property)
        elif item_property.name == "X-WR-TIMEZONE":
            self._zone = item_property.text
        elif item_property.name in ("X-WR-CALNAME", "NAME") and item_property.text not in self._found.names:
            self._found.names.append(item_property.text)
        elif (
            item_property.name in ("X-WR-CALDESC", "DESCRIPTION") and item_property.text not in self._found.descriptions
        ):
            self._found.descriptions.append(item_property.text)

    def _define_zone(self, item_property: _Property) -> None:
        if self._inner_kind == "VTIMEZONE" and item_property.name == "TZID":
            self._defined_zone = item_property.text
        elif (
            self._inner_kind == "VTIMEZONE"
            and item_property.name == "TZOFFSETTO"
            and (match := _OFFSET.fullmatch(item_property.text))
        ):
            offset = timedelta(hours=int(f"{match[1]}{match[2]}"), minutes=int(f"{match[1]}{match[3]}"))
            self._offsets[self._defined_zone] = max(offset, self._offsets.get(self._defined_zone, offset))

    def _close_item(self) -> None:
        """Ends the item that is open."""
        if self._open_properties is not None:
            self._items.append((self._kind, self._open_properties))
        self._open_properties, self._inner_kind = None, ""

    def _add_item(
        self, kind: str, properties: Sequence[_Property], moved_times: Sequence[CalendarMoment], write_day: date
    ) -> None:
        texts = {
            name: [
                item_property.text for item_property in properties if item_property.name == name and item_property.text
            ]
            for name in _TEXTS
        }
        summary = " ".join(" ".join(texts["SUMMARY"]).split())
        summary = summary or _DEFAULT_SUMMARIES.get(kind, "")
        span = self._make_span(kind, properties)
        recurrence = self._expand_item(properties, span, moved_times, write_day)
        times = self._describe_times(kind, properties, span, recurrence.remark)
        lines = tuple(
            filter(None, (*times, *_iter_labelled(properties), *(texts["DESCRIPTION"] or texts["X-ALT-DESC"])))
        )
        if summary or span or lines[1:]:
            self._found.items.append(CalendarItem(summary, span, lines, recurrence.rows))

    def _expand_item(
        self,
        properties: Sequence[_Property],
        span: CalendarSpan | None,
        moved_times: Sequence[CalendarMoment],
        write_day: date,
    ) -> Recurrence:
        """All times of an item; none of one that replaces a time of another."""
        start = next((item_property for item_property in properties if item_property.name in ("DTSTART", "DUE")), None)
        first = self._read_moment(start, calendar_zone="") if start else None
        if span is None or first is None or any(item_property.name == "RECURRENCE-ID" for item_property in properties):
            return Recurrence()
        if span.start.hour is None:
            first = replace(first, hour=None)
        moments_by_name = {
            name: [
                moment
                for item_property in properties
                if item_property.name == name
                for value in re.split("[,;]", item_property.value)
                if (moment := self._read_moment(item_property, value, calendar_zone=""))
            ]
            for name in _LISTED_TIMES
        }
        rules = {
            name: tuple(read_rule(item_property.value) for item_property in properties if item_property.name == name)
            for name in ("RRULE", "EXRULE")
        }
        item = RecurringItem(
            span=span,
            first=first,
            rules=rules["RRULE"],
            excluded_rules=rules["EXRULE"],
            added=tuple(moments_by_name["RDATE"]),
            excluded=(*moments_by_name["EXDATE"], *moved_times),
            calendar_zone=self._zone,
            offset=self._offsets.get(first.zone, timedelta()),
        )
        return expand_recurrence(item, write_day)

    def _read_moment(
        self, item_property: _Property, value: str | None = None, calendar_zone: str | None = None
    ) -> CalendarMoment | None:
        """The moment of a property by the clock of the calendar, or of `calendar_zone`."""
        zone, calendar_zone = (
            _ZONE.search(item_property.parameters),
            self._zone if calendar_zone is None else calendar_zone,
        )
        return read_moment(
            item_property.value if value is None else value, zone[1].strip() if zone else "", calendar_zone
        )

    def _make_span(self, kind: str, properties: Sequence[_Property]) -> CalendarSpan | None:
        """When an item is: from its start to its end; a task without a start is due, and else was done."""
        times = {
            item_property.name: item_property for item_property in reversed(properties) if item_property.name in _TIMES
        }
        moments = {
            name: moment for name, item_property in times.items() if (moment := self._read_moment(item_property))
        }
        due = moments.get("DUE") if kind == "VTODO" else None
        start = (
            moments.get("DTSTART")
            or due
            or moments.get("COMPLETED")
            or moments.get("RECURRENCE-ID")
            or moments.get("DTEND")
        )
        if start is None or "DTSTART" not in moments:
            return CalendarSpan(start) if start else None
        end = moments.get("DTEND")
        if end is None and "DURATION" in times:
            end = add_duration(start, times["DURATION"].value)
        if end is None and due is not None:
            # A task is due on that day, which is no end after the last.
            return CalendarSpan(start, due) if due.local > start.local else CalendarSpan(start)
        return make_span(start, end)

    def _describe_times(
        self, kind: str, properties: Sequence[_Property], span: CalendarSpan | None, remark: str
    ) -> Iterator[str]:
        """When it is and how it repeats, with a remark; values that are no times as they are written."""
        times = [item_property for item_property in properties if item_property.name in _TIMES and item_property.value]
        if span is not None:
            is_due = kind == "VTODO" and not any(item_property.name == "DTSTART" for item_property in times)
            label = "Due" if is_due and any(item_property.name == "DUE" for item_property in times) else "When"
            is_day = kind in ("VTODO", "VJOURNAL")
            yield f"{label}: {span.shown.removesuffix(ALL_DAY) if is_day else span.shown}"
        elif not times:
            # Words below the heading part it from the day before.
            yield "When: no day is given"
        for item_property in times:
            moment = self._read_moment(item_property)
            if item_property.name in ("DTSTART", "DTEND", "DUE") and moment is None:
                yield f"When: {item_property.value}"
            elif item_property.name == "RECURRENCE-ID":
                yield f"Instead of: {moment.shown if moment else item_property.value}"
            elif item_property.name == "COMPLETED":
                yield f"Completed: {moment.shown if moment else item_property.value}"
        for item_property in properties:
            if item_property.name == "RRULE" and item_property.value:
                yield f"Repeats: {describe_rule(read_rule(item_property.value), self._zone)}{remark}"
            elif item_property.name == "FREEBUSY":
                yield f"Busy: {item_property.value}"
        for name, label in _LISTED_TIMES.items():
            values = [
                (item_property, value)
                for item_property in properties
                if item_property.name == name
                for value in re.split("[,;]", item_property.value)
            ]
            moments = [moment for item_property, value in values if (moment := self._read_moment(item_property, value))]
            if moments:
                yield f"{label}: {format_list(sorted({moment.day.isoformat() for moment in moments}))}"


def _find_first_value(properties: Sequence[_Property], name: str) -> str:
    return next((item_property.value for item_property in properties if item_property.name == name), "")


def _iter_labelled(properties: Sequence[_Property]) -> Iterator[str]:
    """The lines of an item's place, people and other properties, each value once."""
    people = dict.fromkeys(
        filter(
            None,
            map(
                _format_person,
                (item_property for item_property in properties if item_property.name in ("ORGANIZER", "ATTENDEE")),
            ),
        )
    )
    lines: dict[str, None] = {}
    for item_property in properties:
        label, value = _LABELS.get(item_property.name), " ".join(item_property.text.split())
        if item_property.name == "ATTACH" and not re.match(r"\w{2,10}://", value):
            continue
        if item_property.name == "STATUS":
            value = "" if value.upper() == _DEFAULT_STATUS else value.replace("-", " ").lower()
        if label and value:
            lines[f"{label}: {value}"] = None
    place_lines = [line for line in lines if line.startswith("Where: ")]
    yield from place_lines
    if people:
        yield f"With: {format_first(list(people), _MAX_PEOPLE)}"
    yield from (line for line in lines if line not in place_lines)


def _format_person(item_property: _Property) -> str:
    """The name of a person, else the address."""
    match = _PERSON.search(item_property.parameters)
    address = re.sub("^mailto:", "", item_property.value, flags=re.IGNORECASE).strip()
    name = " ".join((match[1] or match[2]).split()) if match else ""
    remark = " (declined)" if "PARTSTAT=DECLINED" in item_property.parameters.upper() else ""
    return f"{name or address}{remark}" if name or address else ""
