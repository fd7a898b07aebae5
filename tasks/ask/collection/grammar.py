"""The grammar of questions about the collection itself: which papers, how many, who teaches, what is in lesson 5.

    asked = parse_collection_question("Which papers by Brekke are from 2024?")
    asked.intent, asked.noun.kind, asked.conditions        # Intent.LIST, Kind.PAPER, by Brekke, from 2024

A question matches the grammar only if all of its words do. With other words ("which papers does the author cite")
it is about the content and is not parsed. This module parses the questions about one name; those for
documents and values are in `phrases`, those in Chinese in `chinese`. `limits` decides whether the collection knows the
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.ask.collection.chinese import parse_chinese_question
from tasks.ask.collection.phrases import (
    CLAUSE,
    COLLECTION,
    EDGES,
    NAMED_CLAUSE,
    parse_document_question,
    parse_values_question,
    read_conditions,
    strip_ending,
)
from tasks.ask.collection.records import CollectionQuestion, Condition, Intent, Noun
from tasks.query.question_parser import find_lesson
from warehouse.records import Kind

MAX_QUESTION_LENGTH = 300  # In characters; the longest question of the tests has 90.
_POLITE = re.compile(
    r"\A(?:(?:hi|hello|hey|please|ok|okay|so|well|thanks)[,!.]? "
    r"|(?:can|could|would|will) you (?:please )?(?:tell (?:me|us) )?"
    r"|i(?:'d| would) like to (?:know|see) |i (?:want|need) to (?:know|see) |tell me |let me know |do you know )+",
    re.IGNORECASE,
)


def parse_collection_question(question: str) -> CollectionQuestion | None:
    """A question about the collection, parsed; None for a question about the content of documents."""
    text = " ".join(question.split()).strip(EDGES)
    if not text or len(text) > MAX_QUESTION_LENGTH:
        return None
    if reading := parse_chinese_question(text):
        return reading
    text = _POLITE.sub("", text)
    readings = (
        _parse_people,
        _parse_lesson,
        _parse_outline,
        _parse_fact,
        _parse_holdings,
        parse_document_question,
        parse_values_question,
    )
    return next((reading for parse in readings if (reading := parse(text))), None)


_PARTS = {
    "WHAT": r"what(?:'s| is| are| was)",
    "WHO": r"(?:who(?:'s| is| are| was| were)|name|list|what are)",
    "SHOW": r"(?:(?:show|give|list|print|display|get)(?: me| us)? |what(?:'s| is| are) |which are )?"
    r"(?:me |all |of )*(?:the |an? )?",
    "LESSON": r"(?P<lesson>(?:lesson|lecture) (?:no\.? ?|number |#)?\w+|(?:the )?\w+ (?:lesson|lecture))",
    "OF": r"(?: (?:of|in|from) (?P<name>.+?))?",
    "NAME": r"(?P<name>.+?)",
    "LESSONS": r"(?:lessons?|lectures?|modules|units)",
    "CONTENTS": r"(?:contents?|topic|subject|title|link)",
    "OUTLINE": r"(?:outline|table of contents|contents|syllabus|structure|curriculum)",
    "YEARS": r"(?:which|what) (?:fiscal )?(?:years?|periods?|quarters?|time ?(?:range|span|frame)|dates?)",
    "HERE": r"(?:do (?:you|we) have|are (?:there|covered|here|available))",
    "ON": r"(?:on|about|from|by|for|regarding)",
    "ANYTHING": r"(?:anything|something|everything|all|whatever|any material|material|stuff)",
}
"""The common parts of patterns."""


def _compile_patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Compile patterns whose parts in capitals between angle brackets are keys of `_PARTS`."""
    expanded_texts = (re.sub(r"<([A-Z]+)>", lambda part: _PARTS[part[1]], text) for text in texts)
    return tuple(re.compile(text, re.IGNORECASE) for text in expanded_texts)


_TEACHER_QUESTIONS = _compile_patterns(
    r"who(?:'s| is| was)? (?:teach(?:es|ing)?|taught|giv(?:es|ing)|gave|presents?|instructs?) <NAME>",
    r"<WHO> the (?:instructors?|teachers?|lecturers?|presenters?) (?:of|for|in) <NAME>",
    r"(?:which|what) (?:instructors?|teachers?|lecturers?|professors?) (?:teach(?:es)?|taught|gives?) <NAME>",
    r"<NAME> is taught by (?:whom|who)",
    r"by whom is <NAME> taught",
)
_AUTHOR_QUESTIONS = _compile_patterns(
    r"who (?:wrote|authored|co-?authored|has written|published) <NAME>",
    r"<WHO> the (?:first |lead |senior |corresponding )?(?:authors?|writers?) of <NAME>",
    r"(?:which|what) (?:authors?|people|person) (?:wrote|authored) <NAME>",
    r"by whom (?:is|was) <NAME> written",
)
_LESSON_QUESTIONS = _compile_patterns(
    r"<WHAT> (?:in|(?:covered|taught|discussed) in|the <CONTENTS> of) <LESSON><OF>(?: about)?",
    r"<WHAT> <LESSON><OF>(?: about| called)?",
    r"what (?:topics |subjects |things )?(?:does|do|did) <LESSON><OF> (?:cover|teach|discuss|contain|treat|deal with)",
    r"what (?:(?:will|do|can|would) (?:i|we|you|one) (?:learn|see|study|hear)|happens) in <LESSON><OF>",
    r"<LESSON>(?:[:,]? (?:of |in |from )?(?P<name>.+?))?",
    r"(?:show|open|summari[sz]e|describe|outline|give)(?: me)? (?:the <CONTENTS> of )?<LESSON><OF>",
    r"(?:the )?<CONTENTS> (?:of|to) <LESSON><OF>",
    r"what (?:does|did) <NAME> (?:cover|teach|discuss) in <LESSON>",
)
_OUTLINES = _compile_patterns(
    r"<SHOW>(?:course |full |complete )?<OUTLINE> (?:of|for|in) <NAME>",
    r"<SHOW><NAME> (?:course )?<OUTLINE>",
    r"(?:outline|sketch) <NAME>",
    r"<SHOW>(?:titles of (?:the )?)?<LESSONS> (?:of|in|for|from) <NAME>",
    r"(?:what|which) <LESSONS> (?:are (?:there )?(?:in|of)|does|do|belong to|make up) <NAME>"
    r"(?: have| include| contain| consist of)?",
    r"<SHOW><NAME>(?:'s)? <LESSONS>",
    r"<WHAT> in (?P<name>.+? (?:course|class))",
    r"what (?:does|do) (?P<name>.+? (?:course|class)) (?:cover|teach|contain|include|consist of)",
)
(_COUNT_LESSONS,) = _compile_patterns(
    r"how many <LESSONS> (?:does|do|has|have|are(?: there)? in|in) <NAME>(?: have| contain| consist of)?"
)
_FACTS = {
    "date": _compile_patterns(
        r"when (?:was|is|did) <NAME> (?:published|written|dated|released|appear|come out|filed)",
        r"<WHAT> the (?:publication )?(?:date|year) of <NAME>",
    ),
    "journal": _compile_patterns(
        r"(?:in )?(?:which|what) journal (?:published|is|was|has published) <NAME>(?: published in| in| published)?",
        r"where (?:was|is) <NAME> published",
    ),
    "link": _compile_patterns(
        r"(?:(?:give|show|get)(?: me)? |<WHAT> |where(?:'s| is) )?(?:the |a )?"
        r"(?:link|url|address|doi) (?:of|to|for) <NAME>"
    ),
}
_YEARS = _compile_patterns(
    r"<YEARS> (?:do|does|are|is) <NAME> (?:cover(?:ed)?|span|include|have|report(?: on)?|available for)",
    r"<YEARS> (?:of|for|from) <NAME>(?: <HERE>)?",
    r"<YEARS> <HERE> (?:of|for|from) <NAME>",
    r"how far back (?:do|does) <NAME> (?:go|reach)",
    r"<WHAT> the (?:date|time) (?:range|span) (?:of|in|for) <NAME>",
)
_HOLDINGS = _compile_patterns(
    r"what(?:ever| else| all| information| info| material)* (?:do|did) (?:you|we|i) (?:have|hold|know of|got)(?: here)?"
    r" <ON> <NAME>",
    r"(?:what|is|are) (?:is |are )?there (?:<ANYTHING> )?<ON> <NAME>",
    r"(?:do|did) (?:you|we|i) have <ANYTHING> <ON> <NAME>",
    r"(?:show|give|list|find)(?: me| us)? <ANYTHING>(?: (?:that )?(?:you|we) have)? <ON> <NAME>",
    r"anything <ON> <NAME>",
)
_EVERYTHING = re.compile(
    rf"(?:list|show me) everything|what(?:'s| is)(?: all)? (?:in )?(?:here|(?:the|this|my|your|our) {COLLECTION})"
    r"|what (?:do (?:you|we) have|is there|have you got)(?: here)?"
    rf"|how (?:big|large) is (?:the|this|your) {COLLECTION}",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"(?:what (?:was|has been|were)|anything|everything|what) (?P<rest>(?:published|written|released|filed|dated) .+)",
    re.IGNORECASE,
)
_WORK_OF_PERSON = re.compile(
    r"(?i:what) (?:else )?(?:did|has|have|does) (?P<name>[A-Z][^?]{1,60}?)"
    r" (?P<verb>write|written|author|publish|published|teach|taught)"
)
_PRONOUN = re.compile(r"(?:it|this|that|them|these|those|he|she|they|him|her|us|me|you)", re.IGNORECASE)
_WHOLE_COLLECTION = re.compile(
    rf"(?:there|here|(?:the|this|my|your|our) {COLLECTION}|all(?: the)? courses|total|all|(?:are )?available)",
    re.IGNORECASE,
)
_WITH_LINKS = re.compile(r",? with (?:all |the |their |its )*(?:lesson )?(?:links?|urls?)$", re.IGNORECASE)


def _iter_named(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """The matches of the whole text, each with the name in it; no pronoun counts as a name."""
    for pattern in patterns:
        match = pattern.fullmatch(text)
        name = (match["name"] or "").strip(EDGES) if match else ""
        if match and not _PRONOUN.fullmatch(name):
            yield match, name


def _parse_people(text: str) -> CollectionQuestion | None:
    for field, patterns in (("instructor", _TEACHER_QUESTIONS), ("authors", _AUTHOR_QUESTIONS)):
        for _, name in _iter_named(patterns, text):
            return CollectionQuestion(Intent.PEOPLE, field=field, name=name)
    return None


def _parse_lesson(text: str) -> CollectionQuestion | None:
    for match, name in _iter_named(_LESSON_QUESTIONS, strip_ending(text)[0]):
        number = find_lesson(match["lesson"])
        if number is not None:
            return CollectionQuestion(Intent.LESSON, name=name, lesson=number)
    return None


def _parse_outline(text: str) -> CollectionQuestion | None:
    match = _COUNT_LESSONS.fullmatch(text)
    if match and not _WHOLE_COLLECTION.fullmatch(match["name"]):
        return CollectionQuestion(Intent.OUTLINE, field="count", name=match["name"].strip(EDGES))
    for _, name in _iter_named(_OUTLINES, _WITH_LINKS.sub("", text)):
        if not _WHOLE_COLLECTION.fullmatch(name) and not re.match(r"(?:how|which|what|all|any)\b", name, re.IGNORECASE):
            return CollectionQuestion(Intent.OUTLINE, name=name)
    return None


def _parse_fact(text: str) -> CollectionQuestion | None:
    """A question for the date, journal or link of a document, or for the years of several."""
    for field, patterns in _FACTS.items():
        for _, name in _iter_named(patterns, text):
            if find_lesson(name) is not None:
                return _parse_lesson(f"link of {name}")
            return CollectionQuestion(Intent.FACT, field=field, name=name)
    names = (name for _, name in _iter_named(_YEARS, text) if not CLAUSE.search(name))
    return next((CollectionQuestion(Intent.YEARS, name=name) for name in names), None)


def _parse_holdings(text: str) -> CollectionQuestion | None:
    if _EVERYTHING.fullmatch(text):
        return CollectionQuestion(Intent.LIST, names_collection=True)
    text_without_ending, _ = strip_ending(text)
    for match, name in _iter_named([_WORK_OF_PERSON], text_without_ending):
        noun = Noun("courses", Kind.COURSE) if match["verb"] in ("teach", "taught") else Noun("documents")
        return CollectionQuestion(Intent.LIST, noun, (Condition("by", name),))
    publication = _PUBLISHED.fullmatch(text_without_ending)
    conditions = read_conditions(publication["rest"]) if publication else None
    if conditions:
        return CollectionQuestion(Intent.LIST, conditions=conditions, names_collection=True)
    for _, name in _iter_named(_HOLDINGS, text_without_ending):
        if not CLAUSE.search(name) or NAMED_CLAUSE.match(name):
            return CollectionQuestion(Intent.LIST, conditions=(Condition("about", name),), names_collection=True)
    return None
