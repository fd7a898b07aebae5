"""Answers to questions about the collection, from the records of its documents: exact counts and short lists.

found = collection_answer(warehouse, "Which papers by Brekke are from 2024?", Filters(), today)
found.head, found.entries, found.more          # None for a question about what the documents say
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from typing import Any

from tasks.ask.collection_grammar import CollectionQuestion, Intent, collection_question
from tasks.ask.collection_records import Collection, Limit
from tasks.ask.described import Nearness
from warehouse.reader import Warehouse
from warehouse.records import Filters, Holding, Kind
from warehouse.search.called import folded
from warehouse.search.name_resolver import Resolution

LISTED = 10
"""Documents that an answer lists; the rest are counted."""
NEAREST = 3
"""Documents that are named in place of one that there is not."""
BRIEFLY = 5
"""Documents that stand below a count, and below what the whole collection holds."""
VALUES = 20
"""Values that an answer lists."""
HEADINGS = 30
"""Headings of an outline."""
OPENING = 240
"""Characters of a lesson's opening words that are quoted."""
OF_PASSAGES = frozenset(("pages", "lessons", "sections", "has_table", "quality", "during", "names"))
"""Filters that only passages satisfy, which no record of a document answers."""

_COLUMNS = """
    document_id, source, kind, title, path, company, document_date, authors, attributes.journal AS journal,
    attributes.instructor AS instructor, attributes.paper_type AS paper_type, len(attributes.lessons) AS lessons,
    reported_name
"""
_NEWEST = "document_date DESC NULLS LAST, title, source"
_OLDEST = "document_date ASC NULLS LAST, title, source"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of an answer, and the place in a document that it leads to, where it leads to one."""

    text: str
    document_id: str = ""
    start: int = 0


@dataclass(frozen=True, slots=True)
class CollectionAnswer:
    """What the records say: a sentence, or the heading of `entries`; `more` counts those that are not listed."""

    head: str
    entries: tuple[Entry, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()

    def text(self, numbers: Sequence[int | None] = ()) -> str:
        """The answer in words, each entry with the number of its source where it has one."""
        if not self.entries:
            return f"{self.head}."
        marks = [f" [{number}]" if number else "" for number in numbers] or [""] * len(self.entries)
        lines = [f"- {each.text}{mark}" for each, mark in zip(self.entries, marks, strict=True)]
        more = ["", f"and {self.more:,} more"] if self.more else []
        return "\n".join([f"{self.head}:", "", *lines, *more])


def collection_answer(
    warehouse: Warehouse, question: str, filters: Filters, today: date, near: Nearness = lambda text: {}
) -> CollectionAnswer | None:
    """The answer to a question about the collection within the filters; None for any other question.

    `near` is asked only for a subject that nothing here is about.
    """
    if any(getattr(filters, each.name) not in ((), None) for each in fields(filters) if each.name in OF_PASSAGES):
        return None
    asked = collection_question(question)
    if asked is None:
        return None
    collection = Collection(warehouse, filters, today, near)
    match asked.intent:
        case Intent.LIST | Intent.COUNT | Intent.NEWEST | Intent.OLDEST:
            return _documents(collection, asked)
        case Intent.VALUES:
            return _values(collection, asked)
        case Intent.YEARS:
            return _years(collection, asked)
        case Intent.LESSON:
            return _lesson(collection, asked)
        case _:
            return _of_document(collection, asked)


# Documents listed and counted


def _documents(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    if asked.noun.unit != "documents":
        return _units(collection, asked)
    limits = collection.limits(asked)
    if limits is None:
        return None
    everything = asked.noun.kind is None and not asked.conditions and not asked.modifier
    if everything and asked.intent in (Intent.LIST, Intent.COUNT):
        return _everything(collection)
    total = collection.count(limits)
    notes: list[str] = []
    if not total:
        respelt = _respelt(collection, limits)
        if respelt is None:
            return _none(collection, asked, limits)
        limits, total = respelt
        notes.append(f"read as {' '.join(each.phrase for each in limits if each.about)}")
    if asked.intent in (Intent.NEWEST, Intent.OLDEST):
        return _first(collection, asked, limits, notes)
    shown = BRIEFLY if asked.intent is Intent.COUNT else LISTED
    if asked.intent is Intent.COUNT and not any(limit.phrase for limit in limits):
        shown = 0
    order = "title, source" if asked.noun.kind is Kind.COURSE else _NEWEST
    rows = collection.rows(_COLUMNS, limits, f"ORDER BY {order} LIMIT {shown}") if shown else []
    head = _head(collection, asked, limits, total)
    if rows and order == _NEWEST and total > 1 and any(row["document_date"] for row in rows):
        head += ", newest first"
    notes += _undated(collection, asked, limits)
    more = total - len(rows) if rows else 0
    return CollectionAnswer(head, tuple(map(_entry, rows)), more, tuple(notes))


def _head(collection: Collection, asked: CollectionQuestion, limits: Sequence[Limit], total: int) -> str:
    """How many of which documents: "3 papers on vitamin D (topic) by Ada Berg"."""
    phrases = []
    for limit in limits:
        by = collection.fields_of(limit, limits) if limit.about else {}
        said = next(iter(by)) if len(by) == 1 else ", ".join(f"{count} by {name}" for name, count in by.items())
        phrases.append(f"{limit.phrase} ({said})" if said else limit.phrase)
    here = "" if any(phrases) else "here"
    return " ".join(filter(None, [_counted(total, asked.noun.text), *phrases, here]))


def _counted(count: int, plural: str) -> str:
    return f"{count:,} {plural.removesuffix('s') if count == 1 else plural}"


def _first(
    collection: Collection, asked: CollectionQuestion, limits: Sequence[Limit], notes: Sequence[str]
) -> CollectionAnswer | None:
    newest = asked.intent is Intent.NEWEST
    dated = [*limits, Limit("document_date IS NOT NULL")]
    total = collection.count(dated)
    if not total:
        return CollectionAnswer(f"None of the {_head(collection, asked, limits, collection.count(limits))} has a date")
    count = min(asked.count or 1, LISTED)
    rows = collection.rows(_COLUMNS, dated, f"ORDER BY {_NEWEST if newest else _OLDEST} LIMIT {count}")
    which = "newest" if newest else "oldest"
    first = (
        f"The {which} of {_head(collection, asked, limits, total)}"
        if total > 1
        else _head(collection, asked, limits, 1)
    )
    found = tuple(notes) + tuple(_undated(collection, asked, [*limits, Limit("true", dated=True)]))
    return CollectionAnswer(first, tuple(map(_entry, rows)), 0, found)


def _undated(collection: Collection, asked: CollectionQuestion, limits: Sequence[Limit]) -> Iterator[str]:
    """A note on documents that have no date, where a time was asked for."""
    if any(limit.dated for limit in limits):
        count = collection.count([*(each for each in limits if not each.dated), Limit("document_date IS NULL")])
        if count:
            yield f"{_counted(count, f'undated {asked.noun.text}')} cannot be told by time"


def _respelt(collection: Collection, limits: Sequence[Limit]) -> tuple[tuple[Limit, ...], int] | None:
    """The limits with misspelt subjects corrected, where that finds any document."""
    changed = []
    for limit in limits:
        text = collection.respelt(limit.about) if limit.about else ""
        changed.append(collection.about(text) if text != limit.about else limit)
    found = tuple(changed)
    total = collection.count(found) if found != tuple(limits) else 0
    return (found, total) if total else None


def _none(collection: Collection, asked: CollectionQuestion, limits: Sequence[Limit]) -> CollectionAnswer:
    """That there is none, why, and what comes nearest."""
    noun = asked.noun.text.removesuffix("s")
    subject = " and ".join(limit.about for limit in limits if limit.about)
    others = [limit for limit in limits if not limit.about]
    about = f"about {subject}" if subject else ""
    said = " ".join(filter(None, [about, *(limit.phrase for limit in others)]))
    head = f"No {noun} here is {said}" if said else f"There is no {noun} here"
    unknown = [limit.unknown for limit in limits if limit.unknown]
    if unknown:
        return CollectionAnswer(f"{head}: {'; '.join(unknown)}")
    of_kind = [limit for limit in limits if not limit.phrase]
    alone = {limit.phrase: collection.count([*of_kind, limit]) for limit in limits if limit.phrase}
    if len(alone) > 1 and any(alone.values()):
        counts = ", ".join(f"{count or 'none'} {phrase}" for phrase, count in alone.items())
        head = f"{head} ({counts})"
    if not subject:
        return CollectionAnswer(head)
    mention = [collection.mentioning(subject), *others]
    count = collection.count(mention)
    head = f"{head} by its topic, title, keywords and tags"
    if not count:
        return _with_nearest(collection, f"{head}, and none mentions these words", subject, others)
    rows = collection.rows(_COLUMNS, mention, f"ORDER BY {_NEWEST} LIMIT {BRIEFLY}")
    mentions = f"{_counted(count, asked.noun.text)} {'mentions' if count == 1 else 'mention'} these words"
    return CollectionAnswer(f"{head}; {mentions}", tuple(map(_entry, rows)), count - len(rows))


def _with_nearest(collection: Collection, told: str, text: str, limits: Sequence[Limit]) -> CollectionAnswer:
    """The same with the documents whose titles come nearest in meaning, and the topics that there are."""
    rows = collection.rows(
        "attributes.topic AS topic, count(*) AS count", limits, "GROUP BY topic ORDER BY count DESC, topic"
    )
    topics = [row["topic"] for row in rows if row["topic"]][:VALUES]
    there = f"; the topics here are {', '.join(topics)}" if topics else ""
    near = collection.near(text)
    ids = sorted(near, key=lambda each: -near[each])
    allowed = {row["document_id"]: row for row in collection.rows(_COLUMNS, limits)}
    rows = [allowed[each] for each in ids if each in allowed][:NEAREST]
    nearest = "; the nearest titles" if rows else ""
    return CollectionAnswer(f"{told}{there}{nearest}", tuple(map(_entry, rows)))


def _everything(collection: Collection) -> CollectionAnswer:
    rows = collection.rows("kind, count(*) AS count", (), "GROUP BY kind ORDER BY count DESC, kind")
    total = sum(row["count"] for row in rows)
    parts = ", ".join(_counted(row["count"], f"{row['kind']}s") for row in rows)
    newest = collection.rows(_COLUMNS, (), f"ORDER BY {_NEWEST} LIMIT {BRIEFLY}")
    head = f"{_counted(total, 'documents')} here: {parts}" if total else "There is no document here"
    return CollectionAnswer(
        f"{head}; the newest of them" if newest else head, tuple(map(_entry, newest)), total - len(newest)
    )


_UNITS = {
    "lessons": "sum(len(attributes.lessons))",
    "passages": "sum(chunk_count)",
    "tables": "sum(table_count)",
    "pages": "sum(total_pages)",
}


def _units(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    """Lessons, passages, tables and pages: only all of them are counted, and of lessons the courses listed."""
    if asked.conditions or asked.modifier or not (asked.framed or asked.noun.unit == "lessons"):
        return None
    courses = asked.noun.unit == "lessons"
    limits = [collection.of_kind(Kind.COURSE)] if courses else []
    (row,) = collection.rows(f"{_UNITS[asked.noun.unit]} AS total, count(*) AS count", limits)
    if not row["count"] or (asked.intent is not Intent.COUNT and not courses):
        return None
    rows = collection.rows(_COLUMNS, limits, f"ORDER BY title LIMIT {LISTED}") if courses else []
    inside = _counted(row["count"], "courses" if courses else "documents")
    head = f"{_counted(row['total'] or 0, asked.noun.text)} in {inside}"
    return CollectionAnswer(head, tuple(map(_entry, rows)), row["count"] - len(rows) if rows else 0)


def _entry(row: dict[str, Any]) -> Entry:
    title = row["title"] or row["path"]
    dated = str(row["document_date"]) if row["document_date"] else "undated"
    if row["kind"] == Kind.PAPER:
        year = str(row["document_date"].year) if row["document_date"] else "undated"
        parts = [year, row["journal"], row["paper_type"], _by(row["authors"])]
    elif row["kind"] == Kind.COURSE:
        by = f"taught by {row['instructor']}" if row["instructor"] else ""
        parts = [by, _counted(row["lessons"] or 0, "lessons")]
    else:
        company = row["company"] if row["company"] and row["company"].casefold() not in title.casefold() else ""
        parts = [row["kind"], company, dated, f"reports on {row['reported_name']}" if row["reported_name"] else ""]
    return Entry(f"{title} ({', '.join(filter(None, parts))})", row["document_id"])


def _by(authors: Sequence[str]) -> str:
    more = f" and {len(authors) - 2} more" if len(authors) > 2 else ""
    return f"by {', '.join(authors[:2])}{more}" if authors else ""


# Values


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


def _values(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    limits = collection.limits(asked)
    if limits is None:
        return None
    column = _VALUE_COLUMNS[asked.field]
    inner = collection.rows(f"{column} AS value, document_id", limits)
    counts: dict[str, set[str]] = {}
    for row in inner:
        if row["value"] not in ("", None):
            counts.setdefault(str(row["value"]), set()).add(row["document_id"])
    listed = sorted(_spelt_once(counts).items(), key=lambda each: (-len(each[1]), each[0].casefold()))
    if asked.field in ("years", "periods"):
        listed = sorted(counts.items(), reverse=True)
    name = asked.field.replace("_", " ")
    whose = " ".join(
        filter(None, (f"of the {asked.noun.text}" if asked.noun.kind else "", *(each.phrase for each in limits)))
    )
    where = whose or "here"
    single = {"companies": "company", "kinds": "kind"}.get(name, name.removesuffix("s"))
    if not listed:
        return CollectionAnswer(f"No document {where} has {'an' if single[0] in 'aeiou' else 'a'} {single}")
    entries = tuple(Entry(f"{value} ({_counted(len(ids), 'documents')})") for value, ids in listed[:VALUES])
    head = f"{len(listed)} {single if len(listed) == 1 else name} {where}"
    return CollectionAnswer(head, entries, len(listed) - len(entries))


def _spelt_once(counts: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The same with values that differ only by case and accents under their most frequent spelling."""
    found: dict[str, tuple[str, set[str]]] = {}
    for value, ids in sorted(counts.items(), key=lambda each: (-len(each[1]), each[0])):
        found.setdefault(folded(value), (value, set()))[1].update(ids)
    return dict(found.values())


def _years(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    """The dates and the periods of the documents that a name stands for."""
    read = collection_question(f"list {asked.name}")
    limits = collection.limits(read) if read and read.intent is Intent.LIST else None
    if limits is None:
        limits = (collection.about(asked.name),)
        if not collection.count(limits):
            return None
    total = collection.count(limits)
    if not total:
        return None
    row = collection.rows(
        "min(document_date) AS first, max(document_date) AS last, min(reported_start) AS start, "
        "max(reported_end) AS stop",
        limits,
    )[0]
    noun = read.noun.text if read else "documents"
    phrase = " ".join(limit.phrase for limit in limits if limit.phrase) or "here"
    parts = [f"dated {row['first']} to {row['last']}"] if row["first"] else ["without dates"]
    if row["start"]:
        parts.append(f"reporting on {row['start']} to {row['stop'] - timedelta(days=1)}")
    periods = collection.rows(
        "coalesce(nullif(reported_name, ''), year(document_date)::VARCHAR) AS period, count(*) AS count",
        limits,
        "GROUP BY period HAVING period IS NOT NULL ORDER BY min(coalesce(reported_start, document_date)), period",
    )
    entries = tuple(Entry(f"{each['period']} ({_counted(each['count'], noun)})") for each in periods[:VALUES])
    return CollectionAnswer(
        f"{_counted(total, noun)} {phrase}, {', '.join(parts)}", entries, len(periods) - len(entries)
    )


# One document


def _of_document(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    """Who teaches or wrote it, its outline, its date, journal or link."""
    course = asked.field == "instructor" or asked.intent is Intent.OUTLINE
    found = _resolved(collection, asked.name, Kind.COURSE) if course else None
    if asked.field not in ("instructor", "count"):
        found = found or _resolved(collection, asked.name, None)
    if found is None or isinstance(found, CollectionAnswer):
        return found
    holding, notes = found
    match asked.intent:
        case Intent.PEOPLE:
            return replace(_people(holding), notes=notes)
        case Intent.OUTLINE:
            return replace(_outline(collection, holding, counted=asked.field == "count"), notes=notes)
        case _:
            return replace(_fact(holding, asked.field), notes=notes)


def _resolved(
    collection: Collection, name: str, kind: Kind | None
) -> tuple[Holding, tuple[str, ...]] | CollectionAnswer | None:
    """The document of a name, of a kind where one is demanded; the candidates where it may be several."""
    warehouse = collection.warehouse
    found = warehouse.resolve(name, kind)
    if found.candidates:
        return _several(collection, name, found)
    if len(found.documents) != 1 or not collection.count([collection.of_documents(found.documents, "")]):
        return None
    holding = warehouse.snapshot.holdings(found.documents)[found.documents[0]]
    note = () if found.exact else (f"“{name}” is read as “{_title(holding)}”",)
    return holding, note


def _several(collection: Collection, name: str, found: Resolution) -> CollectionAnswer:
    entries = tuple(Entry(each) for each in found.candidates[:LISTED])
    return CollectionAnswer(f"“{name}” may be any of these; name one", entries, len(found.candidates) - len(entries))


def _title(holding: Holding) -> str:
    return holding.title or holding.file.path


def _people(holding: Holding) -> CollectionAnswer:
    title, own = _title(holding), holding.attributes
    if own.instructor:
        return CollectionAnswer(f"{own.instructor} teaches it", (Entry(title, holding.document_id),))
    if not holding.authors:
        return CollectionAnswer("It names no author", (Entry(title, holding.document_id),))
    head = f"It is by {', '.join(holding.authors)}"
    return CollectionAnswer(head, (Entry(title, holding.document_id),))


def _outline(collection: Collection, holding: Holding, *, counted: bool) -> CollectionAnswer:
    title, lessons = _title(holding), holding.attributes.lessons
    if lessons or counted:
        head = f"{title} has {_counted(len(lessons), 'lessons')}"
        return CollectionAnswer(head, tuple(_lesson_entry(holding, lesson.number) for lesson in lessons))
    headings = collection.warehouse.snapshot.records(_HEADINGS, {"id": holding.document_id})
    text = collection.warehouse.text(holding.document_id)
    entries = tuple(
        Entry(
            f"{'  ' * (row['level'] - 1)}{' '.join(text[row['start'] : row['end']].split())}",
            holding.document_id,
            row["start"],
        )
        for row in headings[:HEADINGS]
    )
    return CollectionAnswer(f"{title} has {_counted(len(headings), 'headings')}", entries, len(headings) - len(entries))


_HEADINGS = """
    SELECT start, "end", level FROM blocks WHERE document_id = $id AND kind = 'heading' AND level <= 2 ORDER BY start
"""


def _fact(holding: Holding, name: str) -> CollectionAnswer:
    own, entry = holding.attributes, (Entry(_title(holding), holding.document_id),)
    if name == "date":
        dated = f"It is dated {holding.document_date}" if holding.document_date else "It has no date"
        return CollectionAnswer(f"{dated}{f' ({holding.date_origin.value})' if holding.date_origin else ''}", entry)
    if name == "journal":
        return CollectionAnswer(f"It was published in {own.journal}" if own.journal else "It names no journal", entry)
    return CollectionAnswer("Its link", entry)


# Lessons


def _lesson(collection: Collection, asked: CollectionQuestion) -> CollectionAnswer | None:
    """A lesson of the course that is named; of every course where none is."""
    number = asked.lesson or 0
    notes: tuple[str, ...] = ()
    if asked.name:
        found = _resolved(collection, asked.name, Kind.COURSE)
        if found is None or isinstance(found, CollectionAnswer):
            return found
        courses, notes = [found[0]], found[1]
    else:
        rows = collection.rows("document_id, title", [collection.of_kind(Kind.COURSE)], "ORDER BY title")
        held = collection.warehouse.snapshot.holdings([row["document_id"] for row in rows])
        courses = list(held.values())
    if not courses:
        return None
    having = [each for each in courses if any(lesson.number == number for lesson in each.attributes.lessons)]
    if not having:
        numbers = sorted({lesson.number for each in courses for lesson in each.attributes.lessons})
        there = f"; there are {', '.join(map(str, numbers))}" if numbers else ""
        whose = _title(courses[0]) if len(courses) == 1 else "No course here"
        return CollectionAnswer(f"{whose} has {'no' if len(courses) == 1 else 'a'} lesson {number}{there}", notes=notes)
    entries = []
    for each in having[:LISTED]:
        entry = _lesson_entry(each, number)
        whose = f"{_title(each)}, " if len(having) > 1 else ""
        entries.append(replace(entry, text=f"{whose}{entry.text}{_opening(collection, each, number)}"))
    where = f"in {_counted(len(having), 'courses')}" if len(having) > 1 else f"of {_title(having[0])}"
    return CollectionAnswer(f"Lesson {number} {where}", tuple(entries), len(having) - len(entries), notes)


def _lesson_entry(holding: Holding, number: int) -> Entry:
    lesson = next(each for each in holding.attributes.lessons if each.number == number)
    link = f" <{lesson.link}>" if lesson.link else ""
    return Entry(f"Lesson {lesson.number}: {lesson.title}{link}", holding.document_id, lesson.start)


def _opening(collection: Collection, holding: Holding, number: int) -> str:
    """The first words of a lesson's transcript, quoted."""
    lesson = next(each for each in holding.attributes.lessons if each.number == number)
    lines = collection.warehouse.text(holding.document_id)[lesson.start : lesson.end].splitlines()
    spoken = " ".join(
        line.strip() for line in lines[1:] if line.strip() and not line.startswith(("Lesson ", "Course "))
    )
    if not spoken:
        return ""
    cut = spoken if len(spoken) <= OPENING else spoken[:OPENING].rpartition(" ")[0] + " …"
    return f" begins: “{cut}”"
