"""Answers to questions about the collection, from the records of its documents: exact counts and short lists.

found = answer_collection_question(warehouse, "Which papers by Brekke are from 2024?", Filters(), today)
found.head, found.entries, found.more          # None for a question about what the documents say

A question may also be about one document or lesson: its author, outline, date or content.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from tasks.ask.collection.grammar import parse_collection_question
from tasks.ask.collection.limits import Collection, Limit
from tasks.ask.collection.records import MAX_LISTED, AnswerLine, CollectionAnswer, CollectionQuestion, Intent
from tasks.ask.entries import has_entries
from tasks.parsers.language import detect_language
from tasks.quality.phrases import format_count
from tasks.query.subjects import Nearness
from tasks.temporal.question import parse_times
from warehouse.printable_text import format_first
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Filters, Kind, Lesson
from warehouse.records.calendars import DAY
from warehouse.store.words import fold_text

MAX_NEAREST = 3  # Documents that are named if the one asked for does not exist.
MAX_BRIEF = 5  # Documents that are listed below a count, and below the summary of the whole collection.
MAX_VALUES = 20  # Values that an answer lists.
MAX_HEADINGS = 30  # Headings of an outline.
MAX_OPENING_LENGTH = 240  # Characters of a lesson's opening words that are quoted.

_COLUMNS = """
    document_id, source, kind, title, path, company, document_date, authors, attributes.journal AS journal,
    attributes.instructor AS instructor, attributes.paper_type AS paper_type, len(attributes.lessons) AS lessons,
    reported_name
"""
_NEWEST_FIRST = "document_date DESC NULLS LAST, title, source"
_OLDEST_FIRST = "document_date ASC NULLS LAST, title, source"
_DATE_COLUMNS = """
    count(*) AS total, min(document_date) AS first, max(document_date) AS last, min(reported_start) AS start,
    max(reported_end) AS stop
"""
_PERIOD_COLUMNS = "coalesce(nullif(reported_name, ''), year(document_date)::VARCHAR) AS period, count(*) AS count"
_PERIODS = "GROUP BY period HAVING period IS NOT NULL ORDER BY min(coalesce(reported_start, document_date)), period"
_HEADING_QUERY = """
    SELECT start, "end", level FROM blocks WHERE document_id = $id AND kind = 'heading' AND level <= 2 ORDER BY start
"""
_UNIT_COUNTS = {
    "lessons": "sum(len(attributes.lessons))",
    # The headings of messages (`warehouse.message_notation`) that are not quoted.
    "messages": """sum((
        SELECT count(*) FROM blocks AS b WHERE b.document_id = documents.document_id AND b.kind = 'heading'
            AND b.level = 2 AND NOT ends_with(b.section[-1], ' (quoted)')
    ))""",
    "passages": "sum(chunk_count)",
    "tables": "sum(table_count)",
    "pages": "sum(total_pages)",
}
_KIND_BY_UNIT = {"lessons": Kind.COURSE, "messages": Kind.MESSAGE}
"""The kinds of documents with units that other kinds do not have."""
_VALUE_COLUMNS = {
    "companies": "company",
    "topics": "attributes.topic",
    "tags": "unnest(attributes.tags)",
    "journals": "attributes.journal",
    "authors": "unnest(authors)",
    "instructors": "attributes.instructor",
    "kinds": "kind",
    "paper_types": "attributes.paper_type",
    "languages": "language",
    "years": "year(document_date)",
    "periods": "reported_name",
}


def answer_collection_question(
    warehouse: Warehouse, question: str, filters: Filters, today: date, find_nearest_titles: Nearness = lambda text: {}
) -> CollectionAnswer | None:
    """The answer to a question about the collection within the filters; None for any other question.

    `find_nearest_titles` is called only for a subject that no document is about.
    """
    if filters.passage_fields:
        return None
    parsed = parse_collection_question(question)
    if parsed is None:
        return None
    collection = Collection(warehouse, filters, today, find_nearest_titles)
    match parsed.intent:
        case Intent.LIST | Intent.COUNT | Intent.NEWEST | Intent.OLDEST:
            return _answer_documents(collection, parsed)
        case Intent.VALUES:
            return _answer_values(collection, parsed)
        case Intent.YEARS:
            return _answer_years(collection, parsed)
        case Intent.LESSON:
            return _answer_lesson(collection, parsed)
        case _:
            return _answer_document(collection, parsed)


def _answer_documents(collection: Collection, question: CollectionQuestion) -> CollectionAnswer | None:
    if question.noun.unit != "documents":
        return _answer_units(collection, question)
    limits = collection.find_limits(question)
    if limits is None:
        return None
    if _asks_for_day(question, collection.today) and has_entries(collection.warehouse):
        return None
    is_unlimited = question.noun.kind is None and not question.conditions and not question.modifier
    if is_unlimited and question.intent in (Intent.LIST, Intent.COUNT):
        return _answer_everything(collection)
    total = collection.count(limits)
    notes: list[str] = []
    if not total:
        # Misspelt subjects are corrected if that finds any document.
        texts = [collection.correct_spelling(limit.about) if limit.about else "" for limit in limits]
        corrected_limits = tuple(
            limit if text == limit.about else collection.make_subject_limit(text)
            for limit, text in zip(limits, texts, strict=True)
        )
        total = collection.count(corrected_limits) if corrected_limits != limits else 0
        if not total:
            return _answer_none(collection, question, limits)
        limits = corrected_limits
        notes = [f"read as {' '.join(limit.phrase for limit in limits if limit.about)}"]
    if question.intent in (Intent.NEWEST, Intent.OLDEST):
        return _answer_extreme(collection, question, limits, notes)
    max_listed = MAX_LISTED
    if question.intent is Intent.COUNT:
        max_listed = MAX_BRIEF if any(limit.phrase for limit in limits) else 0
    order = "title, source" if question.noun.kind is Kind.COURSE else _NEWEST_FIRST
    rows = collection.query_rows(_COLUMNS, limits, f"ORDER BY {order} LIMIT {max_listed}")
    head = _format_head(collection, question, limits, total)
    if order == _NEWEST_FIRST and total > 1 and any(row["document_date"] for row in rows):
        head += ", newest first"
    notes += _iter_undated_notes(collection, question, limits)
    if copies := collection.count_copies(limits):
        # Works are counted; the library counts copies as documents too.
        copies_text = f"{copies:,} more files are copies of them"
        notes.append("1 more file is a copy of one of them" if copies == 1 else copies_text)
    return replace(_list_documents(head, rows, total), notes=tuple(notes))


def _asks_for_day(question: CollectionQuestion, today: date) -> bool:
    """Whether a question names only a day: if there are entries, it asks for their events."""
    if question.noun.kind is not None or question.modifier or len(question.conditions) != 1:
        return False
    condition = question.conditions[0]
    windows = parse_times(condition.text, today, detect_language(condition.text)).windows
    days = [window.end - window.start for window in windows if window.start and window.end and not window.excluded]
    return condition.marker == "about" and len(windows) == 1 and days == [DAY]


def _list_documents(head: str, rows: Sequence[dict[str, Any]], total: int) -> CollectionAnswer:
    """The documents of rows, with the number of unlisted ones if any is listed."""
    return CollectionAnswer(head, tuple(map(_build_line, rows)), total - len(rows) if rows else 0)


def _format_head(collection: Collection, question: CollectionQuestion, limits: Sequence[Limit], total: int) -> str:
    """The number and description of the documents: "3 papers on vitamin D (topic) by Ada Berg"."""
    phrases = []
    for limit in limits:
        counts = collection.count_by_field(limit, limits) if limit.about else {}
        fields = next(iter(counts)) if len(counts) == 1 else ", ".join(f"{n} by {name}" for name, n in counts.items())
        phrases.append(f"{limit.phrase} ({fields})" if fields else limit.phrase)
    return f"{format_count(total, question.noun.singular)} {' '.join(filter(None, phrases)) or 'here'}"


def _answer_extreme(
    collection: Collection, question: CollectionQuestion, limits: Sequence[Limit], notes: Sequence[str]
) -> CollectionAnswer | None:
    dated_limits = [*limits, Limit("document_date IS NOT NULL")]
    total = collection.count(dated_limits)
    if not total:
        all_documents = _format_head(collection, question, limits, collection.count(limits))
        return CollectionAnswer(f"None of the {all_documents} has a date")
    order = _NEWEST_FIRST if question.intent is Intent.NEWEST else _OLDEST_FIRST
    count = min(question.count or 1, MAX_LISTED)
    rows = collection.query_rows(_COLUMNS, dated_limits, f"ORDER BY {order} LIMIT {count}")
    all_documents = _format_head(collection, question, limits, total)
    head = f"The {question.intent} of {all_documents}" if total > 1 else all_documents
    undated_notes = _iter_undated_notes(collection, question, [*limits, Limit("true", dated=True)])
    return CollectionAnswer(head, tuple(map(_build_line, rows)), notes=(*notes, *undated_notes))


def _iter_undated_notes(collection: Collection, question: CollectionQuestion, limits: Sequence[Limit]) -> Iterator[str]:
    """A note on documents without a date, if a time was asked for."""
    if any(limit.dated for limit in limits):
        count = collection.count([*(limit for limit in limits if not limit.dated), Limit("document_date IS NULL")])
        if count:
            yield f"{format_count(count, f'undated {question.noun.singular}')} {'is' if count == 1 else 'are'} left out"


def _answer_none(collection: Collection, question: CollectionQuestion, limits: Sequence[Limit]) -> CollectionAnswer:
    """The answer that there is no such document, with the reason and the nearest ones."""
    noun = question.noun.singular
    subject = " and ".join(limit.about for limit in limits if limit.about)
    other_limits = [limit for limit in limits if not limit.about]
    about = f"about {subject}" if subject else ""
    conditions = " ".join(filter(None, [about, *(limit.phrase for limit in other_limits)]))
    head = f"No {noun} here is {conditions}" if conditions else f"There is no {noun} here"
    unknown_reasons = [limit.unknown for limit in limits if limit.unknown]
    if unknown_reasons:
        return CollectionAnswer(f"{head}: {'; '.join(unknown_reasons)}")
    kind_limits = [limit for limit in limits if not limit.phrase]
    count_by_phrase = {limit.phrase: collection.count([*kind_limits, limit]) for limit in limits if limit.phrase}
    if len(count_by_phrase) > 1 and any(count_by_phrase.values()):
        counts = ", ".join(f"{count or 'none'} {phrase}" for phrase, count in count_by_phrase.items())
        head = f"{head} ({counts})"
    if not subject:
        return CollectionAnswer(head)
    ordering = f"ORDER BY {_NEWEST_FIRST} LIMIT {MAX_BRIEF}"
    head = f"{head} by its topic, title, keywords and tags"
    mentions = [collection.make_mention_limit(subject), *other_limits]
    if count := collection.count(mentions):
        mention_text = f"{format_count(count, noun)} {'mentions' if count == 1 else 'mention'} these words"
        return _list_documents(f"{head}; {mention_text}", collection.query_rows(_COLUMNS, mentions, ordering), count)
    head = f"{head}, and none mentions these words"
    # The question may be about documents of other kinds: a paper may be here as a note or a web page.
    phrase_limits = [limit for limit in limits if limit.phrase]
    if count := collection.count(phrase_limits):
        head = f"{head}; {format_count(count, 'document')} of another kind {'is' if count == 1 else 'are'}"
        return _list_documents(head, collection.query_rows(_COLUMNS, phrase_limits, ordering), count)
    return _answer_nearest(collection, head, subject, other_limits)


def _answer_nearest(collection: Collection, head: str, text: str, limits: Sequence[Limit]) -> CollectionAnswer:
    """The answer with the documents whose titles are nearest in meaning, and the topics of the collection."""
    topic_rows = collection.query_rows(
        "attributes.topic AS topic", limits, "GROUP BY topic ORDER BY count(*) DESC, topic"
    )
    topics = [row["topic"] for row in topic_rows if row["topic"]][:MAX_VALUES]
    topics_text = f"; the topics here are {', '.join(topics)}" if topics else ""
    similarities = collection.near(text)
    rows_by_id = {row["document_id"]: row for row in collection.query_rows(_COLUMNS, limits)}
    nearest_ids = sorted(similarities, key=lambda document_id: -similarities[document_id])
    rows = [rows_by_id[document_id] for document_id in nearest_ids if document_id in rows_by_id][:MAX_NEAREST]
    nearest = "; the nearest titles" if rows else ""
    return CollectionAnswer(f"{head}{topics_text}{nearest}", tuple(map(_build_line, rows)))


def _answer_everything(collection: Collection) -> CollectionAnswer:
    kind_rows = collection.query_all_rows("kind, count(*) AS count", (), "GROUP BY kind ORDER BY count DESC, kind")
    total = sum(row["count"] for row in kind_rows)
    if not total:
        return CollectionAnswer("There is no document here")
    parts = ", ".join(format_count(row["count"], row["kind"]) for row in kind_rows)
    newest_rows = collection.query_rows(_COLUMNS, (), f"ORDER BY {_NEWEST_FIRST} LIMIT {MAX_BRIEF}")
    copies = collection.count_copies(())
    copies_text = f", {copies:,} of them {'a copy' if copies == 1 else 'copies'} of another" if copies else ""
    return _list_documents(
        f"{format_count(total, 'document')} here{copies_text}: {parts}; the newest of them", newest_rows, total - copies
    )


def _answer_units(collection: Collection, question: CollectionQuestion) -> CollectionAnswer | None:
    """Counts of all lessons, messages, passages, tables or pages; for the first two their documents are listed."""
    kind = _KIND_BY_UNIT.get(question.noun.unit)
    if question.conditions or question.modifier or not (question.names_collection or kind):
        return None
    limits = [collection.make_kind_limit(kind)] if kind else []
    (row,) = collection.query_all_rows(f"{_UNIT_COUNTS[question.noun.unit]} AS total, count(*) AS count", limits)
    if not row["count"] or (question.intent is not Intent.COUNT and not kind):
        return None
    rows = collection.query_rows(_COLUMNS, limits, f"ORDER BY title LIMIT {MAX_LISTED}") if kind else []
    documents_text = format_count(row["count"], "course" if kind is Kind.COURSE else "document")
    head = f"{format_count(row['total'] or 0, question.noun.singular)} in {documents_text}"
    return _list_documents(head, rows, row["count"])


def _build_line(row: dict[str, Any]) -> AnswerLine:
    title, day = row["title"] or row["path"], row["document_date"]
    if row["kind"] == Kind.PAPER:
        authors = row["authors"]
        byline = f"by {format_first(authors, 2)}" if authors else ""
        parts = [str(day.year) if day else "undated", row["journal"], row["paper_type"], byline]
    elif row["kind"] == Kind.COURSE:
        byline = f"taught by {row['instructor']}" if row["instructor"] else ""
        parts = [byline, format_count(row["lessons"] or 0, "lesson")]
    else:
        company = row["company"] if row["company"] and row["company"].casefold() not in title.casefold() else ""
        period = f"reports on {row['reported_name']}" if row["reported_name"] else ""
        parts = [row["kind"], company, str(day or "undated"), period]
    return AnswerLine(f"{title} ({', '.join(filter(None, parts))})", row["document_id"])


def _answer_values(collection: Collection, question: CollectionQuestion) -> CollectionAnswer | None:
    limits = collection.find_limits(question)
    if limits is None:
        return None
    counts: defaultdict[str, set[str]] = defaultdict(set)
    for row in collection.query_rows(f"{_VALUE_COLUMNS[question.field]} AS value, document_id", limits):
        if row["value"] not in ("", None):
            counts[str(row["value"])].add(row["document_id"])
    if question.field in ("years", "periods"):
        values = sorted(counts.items(), reverse=True)
    else:
        # Values that differ only by case and accents are listed under their most frequent spelling.
        values_by_key: dict[str, tuple[str, set[str]]] = {}
        for value, ids in sorted(counts.items(), key=lambda item: (-len(item[1]), item[0])):
            values_by_key.setdefault(fold_text(value), (value, set()))[1].update(ids)
        values = sorted(values_by_key.values(), key=lambda spelling: (-len(spelling[1]), spelling[0].casefold()))
    name = question.field.replace("_", " ")
    noun = f"of the {question.noun.text}" if question.noun.kind else ""
    limits_text = " ".join(filter(None, (noun, *(limit.phrase for limit in limits)))) or "here"
    singular = {"companies": "company"}.get(name, name.removesuffix("s"))
    if not values:
        return CollectionAnswer(f"No document {limits_text} has {'an' if singular[0] in 'aeiou' else 'a'} {singular}")
    entries = tuple(AnswerLine(f"{value} ({format_count(len(ids), 'document')})") for value, ids in values[:MAX_VALUES])
    head = f"{len(values)} {singular if len(values) == 1 else name} {limits_text}"
    return CollectionAnswer(head, entries, len(values) - len(entries))


def _answer_years(collection: Collection, question: CollectionQuestion) -> CollectionAnswer | None:
    """The dates and periods of the documents with a name."""
    list_question = parse_collection_question(f"list {question.name}")
    limits = collection.find_limits(list_question) if list_question and list_question.intent is Intent.LIST else None
    if limits is None:
        limits = (collection.make_subject_limit(question.name),)
    (row,) = collection.query_rows(_DATE_COLUMNS, limits)
    if not row["total"]:
        return None
    noun = list_question.noun.singular if list_question else "document"
    phrase = " ".join(limit.phrase for limit in limits if limit.phrase) or "here"
    parts = [f"dated {row['first']} to {row['last']}"] if row["first"] else ["without dates"]
    if row["start"]:
        parts.append(f"reporting on {row['start']} to {row['stop'] - timedelta(days=1)}")
    periods = collection.query_rows(_PERIOD_COLUMNS, limits, _PERIODS)
    entries = tuple(
        AnswerLine(f"{period['period']} ({format_count(period['count'], noun)})") for period in periods[:MAX_VALUES]
    )
    head = f"{format_count(row['total'], noun)} {phrase}, {', '.join(parts)}"
    return CollectionAnswer(head, entries, len(periods) - len(entries))


def _answer_document(collection: Collection, question: CollectionQuestion) -> CollectionAnswer | None:
    """The teacher or author of a document, its outline, its date, journal or link."""
    may_be_course = question.field == "instructor" or question.intent is Intent.OUTLINE
    resolution = _resolve_document(collection, question.name, Kind.COURSE) if may_be_course else None
    if question.field not in ("instructor", "count"):
        resolution = resolution or _resolve_document(collection, question.name, None)
    if resolution is None or isinstance(resolution, CollectionAnswer):
        return resolution
    entry, notes = resolution
    if question.intent is Intent.OUTLINE:
        return replace(_answer_outline(collection, entry, lessons_only=question.field == "count"), notes=notes)
    return CollectionAnswer(
        _describe_fact(entry, question.field), (AnswerLine(_get_title(entry), entry.document_id),), notes=notes
    )


def _resolve_document(
    collection: Collection, name: str, kind: Kind | None
) -> tuple[CatalogEntry, tuple[str, ...]] | CollectionAnswer | None:
    """The document of a name, limited to a kind if one is given; the candidates if it may be several."""
    warehouse = collection.warehouse
    resolution = warehouse.resolve(name, kind)
    if resolution.candidates:
        entries = tuple(map(AnswerLine, resolution.candidates[:MAX_LISTED]))
        unlisted_count = len(resolution.candidates) - len(entries)
        return CollectionAnswer(f"“{name}” may be any of these; name one", entries, unlisted_count)
    if len(resolution.documents) != 1 or not collection.count([collection.make_document_limit(resolution.documents)]):
        return None
    entry = warehouse.snapshot.read_entries(resolution.documents)[resolution.documents[0]]
    note = () if resolution.exact else (f"“{name}” is read as “{_get_title(entry)}”",)
    return entry, note


def _get_title(entry: CatalogEntry) -> str:
    return entry.title or entry.file.path


def _describe_fact(entry: CatalogEntry, field: str) -> str:
    attributes = entry.attributes
    match field:
        case "instructor" | "authors" if attributes.instructor:
            return f"{attributes.instructor} teaches it"
        case "instructor" | "authors":
            return f"It is by {', '.join(entry.authors)}" if entry.authors else "It names no author"
        case "date":
            date_text = f"It is dated {entry.document_date}" if entry.document_date else "It has no date"
            return f"{date_text} ({entry.date_origin.value})" if entry.date_origin else date_text
        case "journal":
            return f"It was published in {attributes.journal}" if attributes.journal else "It names no journal"
        case _:
            return "Its link"


def _answer_outline(collection: Collection, entry: CatalogEntry, *, lessons_only: bool) -> CollectionAnswer:
    title, lessons = _get_title(entry), entry.attributes.lessons
    if lessons or lessons_only:
        head = f"{title} has {format_count(len(lessons), 'lesson')}"
        return CollectionAnswer(head, tuple(_build_lesson_line(entry, lesson) for lesson in lessons))
    headings = collection.warehouse.snapshot.query_rows(_HEADING_QUERY, {"id": entry.document_id})
    text = collection.warehouse.read_text(entry.document_id)
    entries = tuple(
        AnswerLine(f"{'  ' * (level - 1)}{' '.join(text[start:end].split())}", entry.document_id, start)
        for start, end, level in headings[:MAX_HEADINGS]
    )
    return CollectionAnswer(
        f"{title} has {format_count(len(headings), 'heading')}", entries, len(headings) - len(entries)
    )


def _answer_lesson(collection: Collection, question: CollectionQuestion) -> CollectionAnswer | None:
    """A lesson of the named course, or of every course if none is named."""
    notes: tuple[str, ...] = ()
    if question.name:
        resolution = _resolve_document(collection, question.name, Kind.COURSE)
        if resolution is None or isinstance(resolution, CollectionAnswer):
            return resolution
        courses, notes = [resolution[0]], resolution[1]
    else:
        rows = collection.query_rows("document_id", [collection.make_kind_limit(Kind.COURSE)], "ORDER BY title")
        courses = list(collection.warehouse.snapshot.read_entries([row["document_id"] for row in rows]).values())
    if not courses:
        return None
    number = question.lesson
    lessons = [{lesson.number: lesson for lesson in reversed(course.attributes.lessons)} for course in courses]
    matches = [
        (course, by_number[number]) for course, by_number in zip(courses, lessons, strict=True) if number in by_number
    ]
    if not matches:
        numbers = sorted({number for by_number in lessons for number in by_number})
        numbers_text = f"; there are {', '.join(map(str, numbers))}" if numbers else ""
        subject = f"{_get_title(courses[0])} has no" if len(courses) == 1 else "No course here has a"
        return CollectionAnswer(f"{subject} lesson {number}{numbers_text}", notes=notes)
    entries = []
    for course, lesson in matches[:MAX_LISTED]:
        line = _build_lesson_line(course, lesson)
        course_prefix = f"{_get_title(course)}, " if len(matches) > 1 else ""
        lines = collection.warehouse.read_text(course.document_id)[lesson.start : lesson.end].splitlines()[1:]
        words = " ".join(line.strip() for line in lines if line.strip() and not line.startswith(("Lesson ", "Course ")))
        excerpt = words if len(words) <= MAX_OPENING_LENGTH else words[:MAX_OPENING_LENGTH].rpartition(" ")[0] + " …"
        entries.append(replace(line, text=f"{course_prefix}{line.text}{f' begins: “{excerpt}”' if words else ''}"))
    courses_text = (
        f"in {format_count(len(matches), 'course')}" if len(matches) > 1 else f"of {_get_title(matches[0][0])}"
    )
    return CollectionAnswer(f"Lesson {number} {courses_text}", tuple(entries), len(matches) - len(entries), notes)


def _build_lesson_line(course: CatalogEntry, lesson: Lesson) -> AnswerLine:
    link = f" <{lesson.link}>" if lesson.link else ""
    return AnswerLine(f"Lesson {lesson.number}: {lesson.title}{link}", course.document_id, lesson.start)
