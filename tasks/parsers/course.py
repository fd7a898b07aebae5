"""Course transcripts: `Course Title:`, `Course Link:`, `Course Instructor:`, then `Lesson n:` and `Lesson Link:`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, clean
from tasks.parsers.contract import Raw
from tasks.parsers.decoder import decode, head
from tasks.parsers.lessons import FIELD, LESSON, LESSON_LINK, begins_course, matched
from tasks.parsers.prose import is_list, paragraphs
from warehouse.records import Attributes, BlockKind, Document, Kind, Lesson


@dataclass(slots=True)
class _Part:
    """The lines under one lesson marker; the part before the first marker has no number."""

    number: int | None = None
    title: str = ""
    link: str = ""
    lines: list[str] = field(default_factory=list)


class Course:
    """A heading for the course, one for each lesson, and the transcript's paragraphs under them."""

    version = 3
    media_type = "text/x-course-transcript"
    suffixes: tuple[str, ...] = (".txt",)
    heavy = False

    def claims(self, raw: Raw) -> float:
        """A course title that begins the text, or stands among its first lines with a sign more of what this is."""
        lines = [line for line in head(raw.data).splitlines() if line.strip()]
        return 0.9 if begins_course(lines) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode(raw.data)
        if text is None:
            raise refusals.unknown(raw.data)
        fields, before, lessons = _split(clean(text))
        assembly = Assembly()
        assembly.heading(fields.get("title", ""), 1)
        known = [f"Course {name.capitalize()}: {fields[name]}" for name in ("link", "instructor") if fields.get(name)]
        assembly.add(BlockKind.PARAGRAPH, "\n".join(known))
        _transcript(assembly, before.lines)
        attributes = Attributes(
            instructor=fields.get("instructor", ""),
            link=fields.get("link", ""),
            lessons=tuple(_lesson(assembly, part) for part in lessons),
        )
        instructors = [fields["instructor"]] if fields.get("instructor") else []
        return assembly.finish(
            Kind.COURSE, self.media_type, title=fields.get("title", ""), authors=instructors, attributes=attributes
        )


def _split(text: str) -> tuple[dict[str, str], _Part, list[_Part]]:
    """The course's fields, the lines before the first lesson, and the lessons. A second title is transcript."""
    fields: dict[str, str] = {}
    parts = [_Part()]
    for line in text.split("\n"):
        part = parts[-1]
        if (lesson := matched(LESSON, line)) is not None:
            parts.append(_Part(int(lesson[1]), lesson[2]))
        elif part.number is None and (match := matched(FIELD, line)) and match[1].lower() not in fields:
            fields[match[1].lower()] = match[2].strip("<>")
        elif part.number is not None and not part.link and (link := matched(LESSON_LINK, line)):
            part.link = link[1]
        else:
            part.lines.append(line)
    before, *lessons = _without_outline(parts)
    return fields, before, lessons


def _without_outline(parts: list[_Part]) -> list[_Part]:
    """Lessons that are only named, and given later, are lines of a table of contents in the part before them."""
    last = {part.number: place for place, part in enumerate(parts)}
    kept: list[_Part] = []
    for place, part in enumerate(parts):
        is_empty = not part.link and not any(line.strip() for line in part.lines)
        if part.number is not None and is_empty and last[part.number] > place:
            kept[-1].lines.append(f"Lesson {part.number}: {part.title}")
        else:
            kept.append(part)
    return kept


def _lesson(assembly: Assembly, part: _Part) -> Lesson:
    """Adds a lesson and says where it stands."""
    number = part.number or 0
    heading = assembly.heading(f"Lesson {number}: {part.title}", 2)
    start = heading.start if heading else assembly.end
    if part.link:
        assembly.add(BlockKind.PARAGRAPH, f"Lesson Link: {part.link}")
    _transcript(assembly, part.lines)
    return Lesson(number, part.title, part.link, start, assembly.end)


def _transcript(assembly: Assembly, lines: list[str]) -> None:
    for paragraph in _kept(lines):
        assembly.add(BlockKind.LIST if is_list(paragraph) else BlockKind.PARAGRAPH, paragraph)


def _kept(lines: list[str]) -> Iterator[str]:
    return (paragraph for paragraph in paragraphs("\n".join(lines)) if paragraph.strip())


member = Course()
