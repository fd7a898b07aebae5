"""The grammar of questions about the collection itself: which papers, how many, who teaches, what is in lesson 5.

    asked = collection_question("Which papers by Brekke are from 2024?")
    asked.intent, asked.noun.kind, asked.conditions        # Intent.LIST, Kind.PAPER, by Brekke, from 2024

A question is of the grammar only where all of its words are: an opening, a noun for documents, conditions, an ending.
What goes on otherwise ("which papers does the author cite") is about the content and has no reading here. Whether names
in a condition are of the collection is for `collection_records` to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tasks.ask.lessons import lesson_of
from warehouse.records import Kind


class Intent(StrEnum):
    """What is asked of the collection."""

    LIST = "list"
    COUNT = "count"
    NEWEST = "newest"
    OLDEST = "oldest"
    VALUES = "values"
    YEARS = "years"
    PEOPLE = "people"
    LESSON = "lesson"
    OUTLINE = "outline"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class Noun:
    """What documents are called: their kind (None for all), their type of paper, and the unit that is counted.

    A `vague` noun has other meanings as well ("notes", "classes"): documents of its kind must be there.
    """

    text: str
    kind: Kind | None = None
    paper_type: str = ""
    unit: str = "documents"
    vague: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A marker ("by", "about", "in", "before" the noun) and the words that it stands with."""

    marker: str
    text: str


@dataclass(frozen=True, slots=True)
class CollectionQuestion:
    """A question about the collection.

    `conditions` limit the documents, `modifier` stands before the noun, `field` is what values are asked for or the
    fact of a document, `name` the document that is asked about, `lesson` its number. `framed` says that the question
    names the collection itself ("here", "do you have"); `count` is how many are asked for, 0 where it is not said.
    """

    intent: Intent
    noun: Noun = Noun("documents")
    conditions: tuple[Condition, ...] = ()
    modifier: str = ""
    field: str = ""
    name: str = ""
    lesson: int | None = None
    framed: bool = False
    count: int = 0


_PAPER_WORDS = r"(?:(?:research|scientific|journal|academic|medical|scholarly) )?(?:papers?|articles?|publications?)"
_NOUNS: tuple[tuple[str, Noun], ...] = (
    (r"case reports?", Noun("case reports", Kind.PAPER, "case report", vague=True)),
    (_PAPER_WORDS, Noun("papers", Kind.PAPER)),
    (r"stud(?:y|ies)|research", Noun("papers", Kind.PAPER, vague=True)),
    (r"(?:systematic |literature )?reviews?", Noun("reviews", Kind.PAPER, "review", vague=True)),
    (r"(?:clinical )?trials?", Noun("trials", Kind.PAPER, "trial", vague=True)),
    (r"letters?", Noun("letters", Kind.PAPER, "letter", vague=True)),
    (r"editorials?", Noun("editorials", Kind.PAPER, "editorial", vague=True)),
    (r"retractions?", Noun("retractions", Kind.PAPER, "retraction", vague=True)),
    (r"corrections?", Noun("corrections", Kind.PAPER, "correction", vague=True)),
    (r"(?:documents?|docs?|files?)", Noun("documents")),
    (r"sources?|texts?|items?|materials?", Noun("documents", vague=True)),
    (r"courses?", Noun("courses", Kind.COURSE)),
    (r"class(?:es)?", Noun("courses", Kind.COURSE, vague=True)),
    (r"lessons?|lectures?", Noun("lessons", Kind.COURSE, unit="lessons", vague=True)),
    (r"notes?", Noun("notes", Kind.NOTE, vague=True)),
    (
        r"(?:(?:annual|quarterly|earnings|financial|interim) )?(?:reports?|filings?|releases?|memos?|10-[KQ]s?|8-Ks?)",
        Noun("reports", Kind.REPORT, vague=True),
    ),
    (r"passages?|chunks?", Noun("passages", unit="passages", vague=True)),
    (r"tables?", Noun("tables", unit="tables", vague=True)),
    (r"pages?", Noun("pages", unit="pages", vague=True)),
)
_NOUN = re.compile(
    r"\b(?:" + "|".join(f"(?P<n{place}>{words})" for place, (words, _) in enumerate(_NOUNS)) + r")\b", re.IGNORECASE
)
_VALUES = {
    "companies": r"compan(?:y|ies)|firms?|corporations?|issuers?",
    "topics": r"topics?|subjects?|themes?|subject areas?",
    "tags": r"(?:hash)?tags?",
    "journals": r"journals?|magazines?",
    "authors": r"authors?|writers?|researchers?",
    "instructors": r"instructors?|teachers?|lecturers?",
    "kinds": r"(?:kinds?|types?|sorts?) of (?:documents?|files?|sources?)|document types?",
    "paper_types": r"(?:kinds?|types?|sorts?) of (?:papers?|articles?|studies)|paper types?",
    "languages": r"languages?",
    "years": r"years?",
    "periods": r"(?:fiscal )?(?:periods?|quarters?)",
}
_LIST_OF_VALUES = "|".join(f"(?P<{field}>{words})" for field, words in _VALUES.items())

_POLITE = re.compile(
    r"(?:(?:hi|hello|hey|please|ok|okay|so|well|thanks)[,!.]? "
    r"|(?:can|could|would|will) you (?:please )?(?:tell (?:me|us) )?"
    r"|i(?:'d| would) like to (?:know|see) |i (?:want|need) to (?:know|see) |tell me |let me know |do you know )+",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"(?:how many|(?:what(?:'s| is| are) )?the (?:total )?(?:number|count) of|(?:total )?number of|count(?: of)?)"
    r"(?: of)?(?: (?:the|all|your|my|our|different|distinct|unique))* ",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"(?:(?:show|give|name|list|find|get|display|enumerate)(?: me| us)?(?: out)?(?: a list of)?"
    r"|(?:what|which|who)(?:'s| is| are)|which|what|any"
    r"|(?:are|is) there|(?:do|did) (?:you|we|i) have|have (?:you|we|i)(?: got)?"
    r"|i(?:'m| am) looking for|a list of|(?:the )?(?:titles|names) of)(?: of)?"
    r"(?: (?:all|any|every|each|the|some|other|of|an?|your|my|our|these|those|available|different"
    r"|(?:titles|names) of))* ",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(?:the |your |my |our )?(?:(?P<count>\d{1,2}|two|three|four|five|ten) )?"
    r"(?:(?P<newest>newest|latest|most recent|youngest|last)|(?P<oldest>oldest|earliest|first))"
    r"(?: (?P<after>\d{1,2}|two|three|four|five|ten))?(?=\s|$)",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_COLLECTION = r"(?:collection|library|warehouse|database|corpus|index|knowledge base|archive|catalog(?:ue)?|vault)"
_ENDING = re.compile(
    r"[\s,]*\b(?:(?:are|is) there|(?:do|did|can|could) (?:you|we|i) (?:have|hold|know|keep|read|find|search|see|offer)"
    r"|have (?:you|we) got"
    r"|(?:(?:are|is)(?: there)? )?(?:currently |now )?(?:available|here|indexed|stored|ingested|loaded|included|held)"
    r"|can (?:i|we|you) (?:take|attend|read|follow|see)"
    r"|exists?|(?:are|is) covered|covered|(?:do|does) (?:you|it|they|the \w+) cover"
    rf"|(?:(?:are|is) )?(?:in|of|from|inside|within) (?:the|this|my|your|our) (?:whole |entire )?{_COLLECTION}"
    r"|in here|in total|in all|altogether|overall|at the moment|right now|currently|please|for me)\s*$",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\s*(?:(?:that|which) )?(?:(?:are|is) there|(?:do|did|can) (?:you|we|i) (?:have|hold|know of|offer)"
    r"|have (?:you|we) got|(?:you|we) have|(?:are |is )?(?:available|here|in here))\b",
    re.IGNORECASE,
)
"""The same directly behind the noun."""
_BE = r"(?:(?:that|which|who) )?(?:(?:is|are|was|were|has been|have been) )?"
_MARKER = re.compile(
    rf"\s*\b(?:and |, |but only )?(?:{_BE}(?:all |mainly |mostly |only )?"
    r"(?P<about>about|on the (?:topic|subject|theme) of|on|regarding|concerning|covering|covers?|relat(?:ed|ing) to"
    r"|deal(?:s|ing)? with|discuss(?:es|ing)?|address(?:es|ing)?|mention(?:s|ing)?|talk(?:s|ing)? about"
    r"|focus(?:ed|ing|es)? on)"
    rf"|{_BE}(?:(?:co-?)?(?:written|authored|published|taught|given|presented|held) )?(?P<by>by)"
    rf"|{_BE}(?P<tagged>tagged|labell?ed|with (?:the )?tag)(?: as| with)?"
    rf"|{_BE}(?:(?:come|comes|came out|came|appeared|appear|published|written|dated|released|appearing|filed|out) )?"
    r"(?P<place>in|from|of|for|during|since|after|before|until|between|at)"
    r"(?: the (?:journal|years?|company|course|topic|folder))?"
    rf"|{_BE}(?P<dated>dated|published|written|released))(?= )",
    re.IGNORECASE,
)
_WROTE = (
    re.compile(
        r"\s*(?:did|does|has|have|do) (?P<who>.+?) (?:write|written|author|publish|teach|give|taught)$", re.IGNORECASE
    ),
    re.compile(
        r"\s*(?:(?:that|which) )?(?P<who>[A-Z].{1,60}?) (?:wrote|has written|authored|published|teaches|taught)$"
    ),
)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|should|would|will|may|might|must|that|which|who"
    r"|whose|when|where|why|what|say|says|said|show|shows|showed|shown|find|finds|found|reported|suggests?|use|uses"
    r"|used|cite|cites|cited|support|supports|conclude|concludes|state|states|get|gets|got|it|they|them|its|their)\b",
    re.IGNORECASE,
)
"""What begins or goes on a sentence: words that no name of a topic, person or journal has."""
_PHRASE = re.compile(
    r"#|\b(?:of|in|under|for|to|from|the|on|at|after|before|between|per|by|about|with|since|tagged)\b", re.IGNORECASE
)
"""What no description before a noun has: "the average value of packaging materials" asks of no documents."""
_NAMED_CLAUSE = re.compile(r"(?:how|why|whether|what) \w", re.IGNORECASE)
_EDGES = ' \t\r\n?？!！.。,，;；:："“”'


def collection_question(question: str) -> CollectionQuestion | None:
    """What a question asks of the collection; None where it asks of what the documents say."""
    text = " ".join(question.split()).strip(_EDGES)
    if not text or len(text) > LONGEST:
        return None
    if re.search(r"[\u4e00-\u9fff]", text):
        from tasks.ask.collection_chinese import chinese_question

        if found := chinese_question(text):
            return found
    text = _POLITE.sub("", text, count=1) if _POLITE.match(text) else text
    return next(
        (
            found
            for read in (_people, _lesson, _outline, _fact, _years, _holdings, _documents, _values)
            if (found := read(text))
        ),
        None,
    )


LONGEST = 300
"""Characters of the longest question about a collection; the longest of the tests has 90."""


LONGEST = 300
"""Characters of the longest question about a collection; the longest of the tests has 90."""


# Questions whose pattern holds one name: people, lessons, outlines, facts, years and holdings.

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
"""What patterns have in common."""


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Patterns whose parts in capitals between angle brackets are those above."""
    whole = (re.sub(r"<([A-Z]+)>", lambda part: _PARTS[part[1]], text) for text in texts)
    return tuple(re.compile(text, re.IGNORECASE) for text in whole)


_TEACHES = _patterns(
    r"who(?:'s| is| was)? (?:teach(?:es|ing)?|taught|giv(?:es|ing)|gave|presents?|instructs?) <NAME>",
    r"<WHO> the (?:instructors?|teachers?|lecturers?|presenters?) (?:of|for|in) <NAME>",
    r"(?:which|what) (?:instructors?|teachers?|lecturers?|professors?) (?:teach(?:es)?|taught|gives?) <NAME>",
    r"<NAME> is taught by (?:whom|who)",
    r"by whom is <NAME> taught",
)
_WRITES = _patterns(
    r"who (?:wrote|authored|co-?authored|has written|published) <NAME>",
    r"<WHO> the (?:first |lead |senior |corresponding )?(?:authors?|writers?) of <NAME>",
    r"(?:which|what) (?:authors?|people|person) (?:wrote|authored) <NAME>",
    r"by whom (?:is|was) <NAME> written",
)
_IN_LESSON = _patterns(
    r"<WHAT> (?:in|(?:covered|taught|discussed) in|the <CONTENTS> of) <LESSON><OF>(?: about)?",
    r"<WHAT> <LESSON><OF>(?: about| called)?",
    r"what (?:topics |subjects |things )?(?:does|do|did) <LESSON><OF> (?:cover|teach|discuss|contain|treat|deal with)",
    r"what (?:(?:will|do|can|would) (?:i|we|you|one) (?:learn|see|study|hear)|happens) in <LESSON><OF>",
    r"<LESSON>(?:[:,]? (?:of |in |from )?(?P<name>.+?))?",
    r"(?:show|open|summari[sz]e|describe|outline|give)(?: me)? (?:the <CONTENTS> of )?<LESSON><OF>",
    r"(?:the )?<CONTENTS> (?:of|to) <LESSON><OF>",
    r"what (?:does|did) <NAME> (?:cover|teach|discuss) in <LESSON>",
)
_OUTLINES = _patterns(
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
(_COUNT_LESSONS,) = _patterns(
    r"how many <LESSONS> (?:does|do|has|have|are(?: there)? in|in) <NAME>(?: have| contain| consist of)?"
)
_FACTS = {
    "date": _patterns(
        r"when (?:was|is|did) <NAME> (?:published|written|dated|released|appear|come out|filed)",
        r"<WHAT> the (?:publication )?(?:date|year) of <NAME>",
    ),
    "journal": _patterns(
        r"(?:in )?(?:which|what) journal (?:published|is|was|has published) <NAME>(?: published in| in| published)?",
        r"where (?:was|is) <NAME> published",
    ),
    "link": _patterns(
        r"(?:(?:give|show|get)(?: me)? |<WHAT> |where(?:'s| is) )?(?:the |a )?"
        r"(?:link|url|address|doi) (?:of|to|for) <NAME>"
    ),
}
_YEARS = _patterns(
    r"<YEARS> (?:do|does|are|is) <NAME> (?:cover(?:ed)?|span|include|have|report(?: on)?|available for)",
    r"<YEARS> (?:of|for|from) <NAME>(?: <HERE>)?",
    r"<YEARS> <HERE> (?:of|for|from) <NAME>",
    r"how far back (?:do|does) <NAME> (?:go|reach)",
    r"<WHAT> the (?:date|time) (?:range|span) (?:of|in|for) <NAME>",
)
_HOLDINGS = _patterns(
    r"what(?:ever| else| all| information| info| material)* (?:do|did) (?:you|we|i) (?:have|hold|know of|got)"
    r"(?: here)? <ON> <NAME>",
    r"(?:what|is|are) (?:is |are )?there (?:<ANYTHING> )?<ON> <NAME>",
    r"(?:do|did) (?:you|we|i) have <ANYTHING> <ON> <NAME>",
    r"(?:show|give|list|find)(?: me| us)? <ANYTHING>(?: (?:that )?(?:you|we) have)? <ON> <NAME>",
    r"anything <ON> <NAME>",
)
_EVERYTHING = re.compile(
    rf"(?:list|show me) everything|what(?:'s| is)(?: all)? (?:in )?(?:here|(?:the|this|my|your|our) {_COLLECTION})"
    r"|what (?:do (?:you|we) have|is there|have you got)(?: here)?"
    rf"|how (?:big|large) is (?:the|this|your) {_COLLECTION}",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"(?:what (?:was|has been|were)|anything|everything|what) (?P<said>(?:published|written|released|filed|dated) .+)",
    re.IGNORECASE,
)
_BY_PERSON = re.compile(
    r"(?i:what) (?:else )?(?:did|has|have|does) (?P<name>[A-Z][^?]{1,60}?)"
    r" (?P<verb>write|written|author|publish|published|teach|taught)"
)
_PRONOUN = re.compile(r"(?:it|this|that|them|these|those|he|she|they|him|her|us|me|you)", re.IGNORECASE)
_COLLECTION_ALONE = re.compile(
    rf"(?:there|here|(?:the|this|my|your|our) {_COLLECTION}|all(?: the)? courses|total|all|(?:are )?available)",
    re.IGNORECASE,
)
_WITH_LINKS = re.compile(r",? with (?:all |the |their |its )*(?:lesson )?(?:links?|urls?)$", re.IGNORECASE)


def _named(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """The matches of the whole text, each with the name in it; none with a pronoun for one."""
    for pattern in patterns:
        found = pattern.fullmatch(text)
        name = (found["name"] or "").strip(_EDGES) if found else ""
        if found and not _PRONOUN.fullmatch(name):
            yield found, name


def _people(text: str) -> CollectionQuestion | None:
    for field, patterns in (("instructor", _TEACHES), ("authors", _WRITES)):
        for _, name in _named(patterns, text):
            return CollectionQuestion(Intent.PEOPLE, field=field, name=name)
    return None


def _lesson(text: str) -> CollectionQuestion | None:
    for found, name in _named(_IN_LESSON, _strip_ending(text)[0]):
        number = lesson_of(found["lesson"])
        if number is not None:
            return CollectionQuestion(Intent.LESSON, name=name, lesson=number)
    return None


def _outline(text: str) -> CollectionQuestion | None:
    counted = _COUNT_LESSONS.fullmatch(text)
    if counted and not _COLLECTION_ALONE.fullmatch(counted["name"]):
        return CollectionQuestion(Intent.OUTLINE, field="count", name=counted["name"].strip(_EDGES))
    for _, name in _named(_OUTLINES, _WITH_LINKS.sub("", text)):
        if not _COLLECTION_ALONE.fullmatch(name) and not re.match(r"(?:how|which|what|all|any)\b", name, re.IGNORECASE):
            return CollectionQuestion(Intent.OUTLINE, name=name)
    return None


def _fact(text: str) -> CollectionQuestion | None:
    for field, patterns in _FACTS.items():
        for _, name in _named(patterns, text):
            if lesson_of(name) is not None:
                return _lesson(f"link of {name}")
            return CollectionQuestion(Intent.FACT, field=field, name=name)
    return None


def _years(text: str) -> CollectionQuestion | None:
    for _, name in _named(_YEARS, text):
        if not _CLAUSE.search(name):
            return CollectionQuestion(Intent.YEARS, name=name)
    return None


def _holdings(text: str) -> CollectionQuestion | None:
    if _EVERYTHING.fullmatch(text):
        return CollectionQuestion(Intent.LIST, framed=True)
    bare, _ = _strip_ending(text)
    for found, name in _named([_BY_PERSON], bare):
        noun = Noun("courses", Kind.COURSE) if found["verb"] in ("teach", "taught") else Noun("documents")
        return CollectionQuestion(Intent.LIST, noun, (Condition("by", name),))
    published = _PUBLISHED.fullmatch(bare)
    conditions = _conditions(published["said"]) if published else None
    if conditions:
        return CollectionQuestion(Intent.LIST, conditions=conditions, framed=True)
    for _, name in _named(_HOLDINGS, bare):
        if not _CLAUSE.search(name) or _NAMED_CLAUSE.match(name):
            return CollectionQuestion(Intent.LIST, conditions=(Condition("about", name),), framed=True)
    return None


def _values(text: str) -> CollectionQuestion | None:
    """Which companies, topics, tags … there are. Only what is framed so, or a command to list them all."""
    held = _VALUES_HELD.fullmatch(text)
    inner = _documents(f"list {held['noun'] or held['in']}") if held else None
    if held and inner and inner.intent is Intent.LIST:
        return replace(inner, intent=Intent.VALUES, field=next(name for name in _VALUES if held[name]), framed=True)
    counted = _COUNTING.match(text)
    opening = counted or _LISTING.match(text)
    if not opening:
        return None
    rest, framed = _strip_ending(text[opening.end() :])
    found = re.fullmatch(rf"(?:distinct |different |unique )?(?:{_LIST_OF_VALUES})(?P<of> .+)?", rest, re.IGNORECASE)
    commanded = re.match(
        r"(?:list|show|name|give|enumerate|display|get|a list|what are|which are)\b", opening[0], re.IGNORECASE
    )
    if not found or not (framed or commanded):
        return None
    field = next(name for name in _VALUES if found[name])
    if not found["of"]:
        return CollectionQuestion(Intent.VALUES, field=field, framed=True, count=int(bool(counted)))
    noun = _NOUN.search(found["of"])
    conditions = _conditions(found["of"][noun.end() :]) if noun else None
    if not noun or conditions is None or not _OF_ALL.fullmatch(found["of"][: noun.start()]):
        return None
    return CollectionQuestion(
        Intent.VALUES, _noun(noun), conditions, field=field, framed=True, count=int(bool(counted))
    )


_VALUES_HELD = re.compile(
    rf"(?:(?:for|on|of|from|about|by) )?(?:which|what) (?:{_LIST_OF_VALUES}) "
    r"(?:(?:do|can|did) (?:you|we|i) have (?P<noun>.+?)(?: (?:on|for|of|from|about|by))?"
    r"|(?:are|is) (?:covered|treated|discussed|addressed) (?:by|in) (?:the )?(?P<in>.+))",
    re.IGNORECASE,
)
"""Values by the documents that have them: "which companies do you have reports on"."""
_OF_ALL = re.compile(r"\s*(?:of|in|among|across|for|do|does)(?: all)?(?: the| your| my| our)?\s*", re.IGNORECASE)


def _documents(text: str) -> CollectionQuestion | None:
    """Documents listed or counted: an opening, what stands before the noun, the noun, conditions, an ending."""
    counted = _COUNTING.match(text)
    opening = counted or _LISTING.match(f"{text} ")
    framed = bool(opening and re.match(r"(?:(?:are|is) there|(?:do|did) \w+ have|have )", opening[0], re.IGNORECASE))
    rest, ended = _strip_ending(text[opening.end() :] if opening else text)
    for noun in _NOUN.finditer(rest):
        before, after = rest[: noun.start()].strip(), rest[noun.end() :]
        if len(before.split()) > BEFORE or _CLAUSE.search(before) or _PHRASE.search(_without_articles(before)):
            return None
        frame = _FRAME.match(after)
        conditions = _conditions(after[frame.end() :] if frame else after)
        if conditions is None:
            continue
        intent = Intent.COUNT if counted else Intent.LIST
        found = CollectionQuestion(intent, _noun(noun), conditions, before, framed=framed or ended or bool(frame))
        found = _ordered(found)
        bare = not opening and found.intent is Intent.LIST
        if bare and not ((conditions or before) and noun[0].lower().endswith("s")):
            continue
        if not found.framed and found.noun.vague and (found.noun.kind is None or found.noun.unit != "documents"):
            return None
        return found
    superlative = _SUPERLATIVE.search(rest)
    return None if not superlative else _order_alone(text)


BEFORE = 8
"""Words that may stand before the noun: "the three most recent vitamin D supplementation"."""


def _ordered(found: CollectionQuestion) -> CollectionQuestion:
    """The same with "newest" and the like read out of what stands before the noun."""
    superlative = _SUPERLATIVE.search(f"{found.modifier} ")
    if not superlative or found.intent is Intent.COUNT:
        return replace(found, modifier=_without_articles(re.sub(r"\brecent\b", "", found.modifier)))
    rest = f"{found.modifier[: superlative.start()]} {found.modifier[superlative.end() :]}"
    said = (superlative["count"] or superlative["after"] or "").lower()
    count = _NUMBERS.get(said) or int(said or 0)
    intent = Intent.NEWEST if superlative["newest"] else Intent.OLDEST
    return replace(found, intent=intent, modifier=_without_articles(rest), count=count)


def _order_alone(text: str) -> CollectionQuestion | None:
    """The newest or oldest where the noun comes first: "which document is the oldest"."""
    found = re.fullmatch(
        r"(?:which|what)(?: of (?:the|your|my|our))? (?P<rest>.+?) (?:is|are|was) (?:the )?"
        r"(?:(?P<newest>newest|latest|most recent|youngest|last)|(?P<oldest>oldest|earliest|first))(?: one| ones)?",
        _strip_ending(text)[0],
        re.IGNORECASE,
    )
    noun = _NOUN.match(found["rest"]) if found else None
    if not found or not noun:
        return None
    conditions = _conditions(found["rest"][noun.end() :])
    intent = Intent.NEWEST if found["newest"] else Intent.OLDEST
    return None if conditions is None else CollectionQuestion(intent, _noun(noun), conditions, framed=True)


def _without_articles(words: str) -> str:
    return " ".join(
        re.sub(
            r"^(?:(?:the|an?|any|all|your|my|our|some|other|of)\b ?)+", "", words.strip(), flags=re.IGNORECASE
        ).split()
    )


def _noun(found: re.Match[str]) -> Noun:
    return next(noun for place, (_, noun) in enumerate(_NOUNS) if found[f"n{place}"])


def _conditions(text: str) -> tuple[Condition, ...] | None:
    """The conditions behind a noun, each with its marker; None where anything else is said."""
    rest = text.strip(" ,")
    if not rest:
        return ()
    for pattern in _WROTE:
        found = pattern.fullmatch(rest)
        if found and not _CLAUSE.search(found["who"]):
            return (Condition("by", found["who"].strip(_EDGES)),)
    marks = list(_MARKER.finditer(f" {rest} "))
    if not marks or marks[0].start() > 0:
        return None
    padded, found_conditions = f" {rest} ", []
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(padded)
        filler = padded[mark.end() : end].strip(_EDGES)
        kind = mark.lastgroup or ""
        if _CLAUSE.search(filler) and not (kind == "about" and _NAMED_CLAUSE.match(filler)):
            return None
        marker = mark["place"].lower() if mark["place"] else kind
        if filler:
            found_conditions.append(Condition(marker, filler))
    return tuple(found_conditions) or None


def _strip_ending(text: str) -> tuple[str, bool]:
    """The text without what frames it at its end, and whether anything did."""
    framed = False
    while (found := _ENDING.search(text)) and found.start() > 0:
        text, framed = text[: found.start()].strip(_EDGES), True
    return text, framed
