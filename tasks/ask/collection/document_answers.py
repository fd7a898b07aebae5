"""Answers about one document or lesson that a question names: who wrote it, its outline, a date, what a lesson says."""

from __future__ import annotations

from dataclasses import replace

from tasks.ask.collection.limits import Collection
from tasks.ask.collection.records import LISTED, AnswerLine, CollectionAnswer, CollectionQuestion, Intent, counted
from warehouse.records import CatalogEntry, Kind, Lesson

HEADINGS = 30
"""Headings of an outline."""
OPENING = 240
"""Characters of a lesson's opening words that are quoted."""


def document_answer(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    """Who teaches or wrote it, its outline, its date, journal or link."""
    course = asked.field == "instructor" or asked.intent is Intent.OUTLINE
    found = _resolved(collection, asked.name, Kind.COURSE) if course else None
    if asked.field not in ("instructor", "count"):
        found = found or _resolved(collection, asked.name, None)
    if found is None or isinstance(found, CollectionAnswer):
        return found
    catalog_entry, notes = found
    if asked.intent is Intent.OUTLINE:
        return replace(_outline(collection, catalog_entry, lessons_only=asked.field == "count"), notes=notes)
    return CollectionAnswer(
        _fact(catalog_entry, asked.field), (AnswerLine(_title(catalog_entry), catalog_entry.document_id),), notes=notes
    )


def _resolved(
    collection: Collection, name: str, kind: Kind | None
) -> tuple[CatalogEntry, tuple[str, ...]] | CollectionAnswer | None:
    """The document of a name, of a kind where one is demanded; the candidates where it may be several."""
    warehouse = collection.warehouse
    found = warehouse.resolve(name, kind)
    if found.candidates:
        entries = tuple(map(AnswerLine, found.candidates[:LISTED]))
        more = len(found.candidates) - len(entries)
        return CollectionAnswer(f"“{name}” may be any of these; name one", entries, more)
    if len(found.documents) != 1 or not collection.count([collection.of_documents(found.documents)]):
        return None
    catalog_entry = warehouse.snapshot.entries(found.documents)[found.documents[0]]
    note = () if found.exact else (f"“{name}” is read as “{_title(catalog_entry)}”",)
    return catalog_entry, note


def _title(catalog_entry: CatalogEntry) -> str:
    return catalog_entry.title or catalog_entry.file.path


def _fact(catalog_entry: CatalogEntry, field: str) -> str:
    own = catalog_entry.attributes
    match field:
        case "instructor" | "authors" if own.instructor:
            return f"{own.instructor} teaches it"
        case "instructor" | "authors":
            return f"It is by {', '.join(catalog_entry.authors)}" if catalog_entry.authors else "It names no author"
        case "date":
            dated = f"It is dated {catalog_entry.document_date}" if catalog_entry.document_date else "It has no date"
            return f"{dated} ({catalog_entry.date_origin.value})" if catalog_entry.date_origin else dated
        case "journal":
            return f"It was published in {own.journal}" if own.journal else "It names no journal"
        case _:
            return "Its link"


def _outline(collection: Collection, catalog_entry: CatalogEntry, *, lessons_only: bool) -> CollectionAnswer:
    title, lessons = _title(catalog_entry), catalog_entry.attributes.lessons
    if lessons or lessons_only:
        head = f"{title} has {counted(len(lessons), 'lessons')}"
        return CollectionAnswer(head, tuple(_lesson_entry(catalog_entry, lesson) for lesson in lessons))
    headings = collection.warehouse.snapshot.records(_HEADINGS, {"id": catalog_entry.document_id})
    text = collection.warehouse.text(catalog_entry.document_id)
    entries = tuple(
        AnswerLine(
            f"{'  ' * (row['level'] - 1)}{' '.join(text[row['start'] : row['end']].split())}",
            catalog_entry.document_id,
            row["start"],
        )
        for row in headings[:HEADINGS]
    )
    return CollectionAnswer(f"{title} has {counted(len(headings), 'headings')}", entries, len(headings) - len(entries))


_HEADINGS = """
    SELECT start, "end", level FROM blocks WHERE document_id = $id AND kind = 'heading' AND level <= 2 ORDER BY start
"""


def lesson_answer(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    """A lesson of the course that is named; of every course where none is."""
    notes: tuple[str, ...] = ()
    if asked.name:
        found = _resolved(collection, asked.name, Kind.COURSE)
        if found is None or isinstance(found, CollectionAnswer):
            return found
        courses, notes = [found[0]], found[1]
    else:
        rows = collection.rows("document_id", [collection.of_kind(Kind.COURSE)], "ORDER BY title")
        courses = list(collection.warehouse.snapshot.entries([row["document_id"] for row in rows]).values())
    if not courses:
        return None
    number = asked.lesson
    lessons = [{lesson.number: lesson for lesson in reversed(each.attributes.lessons)} for each in courses]
    named = [(each, own[number]) for each, own in zip(courses, lessons, strict=True) if number in own]
    if not named:
        numbers = sorted({each for own in lessons for each in own})
        there = f"; there are {', '.join(map(str, numbers))}" if numbers else ""
        none = f"{_title(courses[0])} has no" if len(courses) == 1 else "No course here has a"
        return CollectionAnswer(f"{none} lesson {number}{there}", notes=notes)
    entries = []
    for course, lesson in named[:LISTED]:
        entry = _lesson_entry(course, lesson)
        whose = f"{_title(course)}, " if len(named) > 1 else ""
        entries.append(replace(entry, text=f"{whose}{entry.text}{_opening(collection, course, lesson)}"))
    where = f"in {counted(len(named), 'courses')}" if len(named) > 1 else f"of {_title(named[0][0])}"
    return CollectionAnswer(f"Lesson {number} {where}", tuple(entries), len(named) - len(entries), notes)


def _lesson_entry(course: CatalogEntry, lesson: Lesson) -> AnswerLine:
    link = f" <{lesson.link}>" if lesson.link else ""
    return AnswerLine(f"Lesson {lesson.number}: {lesson.title}{link}", course.document_id, lesson.start)


def _opening(collection: Collection, course: CatalogEntry, lesson: Lesson) -> str:
    """The first words of a lesson's transcript, quoted."""
    lines = collection.warehouse.text(course.document_id)[lesson.start : lesson.end].splitlines()
    spoken = " ".join(
        line.strip() for line in lines[1:] if line.strip() and not line.startswith(("Lesson ", "Course "))
    )
    if not spoken:
        return ""
    cut = spoken if len(spoken) <= OPENING else spoken[:OPENING].rpartition(" ")[0] + " …"
    return f" begins: “{cut}”"
