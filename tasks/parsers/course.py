"""Course transcripts: `Course Title:`, `Course Link:`, `Course Instructor:`, then `Lesson n:` and `Lesson Link:`.

`Course` reads text files; `as_course` finds the same lines in a parsed document of any format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.text import is_list, split_paragraphs
from warehouse.records import Attributes, Block, BlockKind, Document, Kind, Lesson

COURSE_FIELD = re.compile(r"[\s#*_]*course\s+(title|link|instructor)s?\s*[:：][*_]*\s*(.*?)[\s*_]*", re.IGNORECASE)
LESSON_MARKER = re.compile(r"[\s#*_]*lesson\s+(\d{1,4})\s*[:：][*_]*\s*(.*?)[\s*_]*", re.IGNORECASE)
LESSON_LINK = re.compile(r"[\s*_]*lesson\s+link\s*[:：][*_]*\s*<?([^\s<>]*)>?[\s*_]*", re.IGNORECASE)
_MAX_LINE_LENGTH = 300  # Longer lines are transcript, whatever their beginning.
_HEAD_LINES = 10
_MAX_DEPTH = 6
_TEXT_KINDS = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST)


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
    signature: Signature | None = Signature(
        text=re.compile(r"course\s+titles?\s*[:：]", re.IGNORECASE),
        confirms=lambda raw: begins_course([line for line in decode_head(raw.data).splitlines() if line.strip()]),
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        fields, front, lessons = _split_lessons(decode_text(raw.data))
        assembly = Assembly()
        assembly.add_heading(fields.get("title", ""), 1)
        course_lines = [
            f"Course {name.capitalize()}: {fields[name]}" for name in ("link", "instructor") if fields.get(name)
        ]
        assembly.add(BlockKind.PARAGRAPH, "\n".join(course_lines))
        _add_transcript(assembly, front.lines)
        attributes = Attributes(
            instructor=fields.get("instructor", ""),
            link=fields.get("link", ""),
            lessons=tuple(_add_lesson(assembly, part) for part in lessons),
        )
        instructors = [fields["instructor"]] if fields.get("instructor") else []
        return assembly.finish(
            Kind.COURSE, self.media_type, title=fields.get("title", ""), authors=instructors, attributes=attributes
        )


def _split_lessons(text: str) -> tuple[dict[str, str], _Part, list[_Part]]:
    """The course's fields, the lines before the first lesson, and the lessons. A second title is transcript."""
    fields: dict[str, str] = {}
    parts = [_Part()]
    for line in text.split("\n"):
        part = parts[-1]
        if (lesson := match_line(LESSON_MARKER, line)) is not None:
            parts.append(_Part(int(lesson[1]), lesson[2]))
        elif part.number is None and (match := match_line(COURSE_FIELD, line)) and match[1].lower() not in fields:
            fields[match[1].lower()] = match[2].strip("<>")
        elif part.number is not None and not part.link and (link := match_line(LESSON_LINK, line)):
            part.link = link[1]
        else:
            part.lines.append(line)
    front, *lessons = _without_outline(parts)
    return fields, front, lessons


def _without_outline(parts: list[_Part]) -> list[_Part]:
    """The parts, with lessons that are listed before they are given as lines of a table of contents."""
    last_places = {part.number: place for place, part in enumerate(parts)}
    given_parts: list[_Part] = []
    for place, part in enumerate(parts):
        is_empty = not part.link and not any(line.strip() for line in part.lines)
        if part.number is not None and is_empty and last_places[part.number] > place:
            given_parts[-1].lines.append(f"Lesson {part.number}: {part.title}")
        else:
            given_parts.append(part)
    return given_parts


def _add_lesson(assembly: Assembly, part: _Part) -> Lesson:
    """Adds a lesson and returns it with its span."""
    number = part.number or 0
    heading = assembly.add_heading(f"Lesson {number}: {part.title}", 2)
    start = heading.start if heading else assembly.end
    if part.link:
        assembly.add(BlockKind.PARAGRAPH, f"Lesson Link: {part.link}")
    _add_transcript(assembly, part.lines)
    return Lesson(number, part.title, part.link, start, assembly.end)


def _add_transcript(assembly: Assembly, lines: list[str]) -> None:
    for paragraph in split_paragraphs("\n".join(lines)):
        assembly.add(BlockKind.LIST if is_list(paragraph) else BlockKind.PARAGRAPH, paragraph)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or the part of one that is a separate line: the course's title, a lesson's, its link."""

    block: Block
    words: str
    lesson: re.Match[str] | None = None
    is_title: bool = False


def match_line(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """The match of a whole line, None for one that is too long."""
    return pattern.fullmatch(line) if len(line) <= _MAX_LINE_LENGTH else None


def begins_course(lines: Sequence[str]) -> bool:
    """Whether a course title is the first of the lines, or among the first with another sign of a course."""
    fields = [match[1].lower() for line in lines[:_HEAD_LINES] if (match := match_line(COURSE_FIELD, line))]
    if "title" not in fields:
        return False
    is_first = match_line(COURSE_FIELD, lines[0]) is not None
    return is_first or len(fields) > 1 or any(match_line(LESSON_MARKER, line) for line in lines)


def as_course(document: Document) -> Document:
    """The document as a course, if it begins as one: its text is unchanged, its marker lines are headings.

    The course's title is a heading at level 1, each lesson one at level 2; other headings are below these.
    """
    prose = [block for block in document.blocks if block.kind in _TEXT_KINDS]
    lines = (line for block in prose for line in document.text[block.start : block.end].split("\n"))
    if not begins_course(list(lines)):
        return document
    pieces = [piece for block in document.blocks for piece in _cut_block(document.text, block)]
    pieces = _without_listed_lessons(pieces)
    fields = _read_fields(pieces)
    instructor = fields.get("instructor", "")
    blocks = tuple(_assign_sections(pieces))
    return replace(
        document,
        kind=Kind.COURSE,
        blocks=blocks,
        title=fields["title"],
        authors=(instructor,) if instructor else document.authors,
        attributes=replace(
            document.attributes,
            instructor=instructor,
            link=fields.get("link", "").strip("<>"),
            lessons=tuple(_list_lessons(pieces)),
        ),
    )


def _cut_block(text: str, block: Block) -> Iterator[_Piece]:
    """A block cut before and after each of its marker lines; a heading is one line, even if it is wrapped."""
    words = text[block.start : block.end]
    if block.kind not in _TEXT_KINDS:
        yield _Piece(block, words)
        return
    lines = [" ".join(words.split())] if block.kind is BlockKind.HEADING else words.split("\n")
    first = place = block.start
    for line in lines:
        end = block.end if block.kind is BlockKind.HEADING else place + len(line)
        lesson, field = match_line(LESSON_MARKER, line), match_line(COURSE_FIELD, line)
        is_title = field is not None and field[1].lower() == "title"
        if lesson or is_title or match_line(LESSON_LINK, line):
            yield from _cut_plain(text, block, first, place)
            yield _Piece(_cut_part(block, place, end), line, lesson, is_title)
            first = end
        place = end + 1
    yield from _cut_plain(text, block, first, block.end)


def _cut_plain(text: str, block: Block, start: int, end: int) -> Iterator[_Piece]:
    """The part of a block between two places, if it is more than white space."""
    words = text[start:end]
    if words.strip():
        start += len(words) - len(words.lstrip())
        yield _Piece(_cut_part(block, start, start + len(words.strip())), words.strip())


def _cut_part(block: Block, start: int, end: int) -> Block:
    regions = tuple(region for region in block.regions if start <= region.start and region.end <= end)
    return replace(block, start=start, end=end, regions=regions, page=regions[0].page if regions else block.page)


def _without_listed_lessons(pieces: Sequence[_Piece]) -> list[_Piece]:
    """The pieces, with lessons that are listed before they are given as lines of a table of contents."""
    last_places = {piece.lesson[1]: place for place, piece in enumerate(pieces) if piece.lesson}
    unlisted_pieces = []
    for place, piece in enumerate(pieces):
        next_piece = pieces[place + 1] if place + 1 < len(pieces) else None
        is_empty = next_piece is not None and next_piece.lesson is not None
        is_named_only = piece.lesson is not None and is_empty and last_places[piece.lesson[1]] > place
        unlisted_pieces.append(_Piece(piece.block, piece.words) if is_named_only else piece)
    return unlisted_pieces


def _read_fields(pieces: Sequence[_Piece]) -> dict[str, str]:
    """The course's fields before the first lesson, the first of each name."""
    first = next((place for place, piece in enumerate(pieces) if piece.lesson), len(pieces))
    fields: dict[str, str] = {}
    for line in (line for piece in pieces[:first] for line in piece.words.split("\n")):
        if match := match_line(COURSE_FIELD, line):
            fields.setdefault(match[1].lower(), match[2])
    return fields


def _assign_sections(pieces: Sequence[_Piece]) -> Iterator[Block]:
    """The blocks with their levels and sections; a second title is an ordinary line."""
    path: list[tuple[int, str]] = []
    title = next((piece for piece in pieces if piece.is_title), None)
    for ordinal, piece in enumerate(pieces):
        block, level = piece.block, 0
        if piece is title or piece.lesson:
            level = 1 if piece is title else 2
        elif block.kind is BlockKind.HEADING and not piece.is_title:
            level = min(block.level + 2, _MAX_DEPTH)
        kind = BlockKind.HEADING if level else block.kind
        if kind is BlockKind.HEADING and not level:
            kind = BlockKind.PARAGRAPH
        if level:
            path = [entry for entry in path if entry[0] < level] + [(level, " ".join(piece.words.split()))]
        yield replace(block, ordinal=ordinal, kind=kind, level=level, section=tuple(words for _, words in path))


def _list_lessons(pieces: Sequence[_Piece]) -> Iterator[Lesson]:
    """The lessons with their links and the spans of their transcripts."""
    starts = [place for place, piece in enumerate(pieces) if piece.lesson]
    for first, end in zip(starts, [*starts[1:], len(pieces)], strict=True):
        lesson, lesson_pieces = pieces[first].lesson, pieces[first:end]
        links = (match_line(LESSON_LINK, line) for piece in lesson_pieces for line in piece.words.split("\n"))
        link = next((match[1] for match in links if match), "")
        if lesson is not None:
            yield Lesson(int(lesson[1]), lesson[2], link, lesson_pieces[0].block.start, lesson_pieces[-1].block.end)


member = Course()
