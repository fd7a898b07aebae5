"""Phrases for documents in a question: an opening, a noun for documents, conditions, an ending; and for their values.

parse_document_question("papers by Brekke from 2024")  # Intent.LIST, Kind.PAPER, by Brekke, from 2024
parse_values_question("which journals are here")       # Intent.VALUES of the field "journals"
"""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.ask.collection.records import CollectionQuestion, Condition, Intent, Noun
from warehouse.records import Kind

_PAPER_WORDS = r"(?:(?:research|scientific|journal|academic|medical|scholarly) )?(?:papers?|articles?|publications?)"
_NOUNS: tuple[tuple[str, Noun], ...] = (
    (r"case reports?", Noun("case reports", Kind.PAPER, "case report", is_ambiguous=True)),
    (_PAPER_WORDS, Noun("papers", Kind.PAPER)),
    (r"stud(?:y|ies)|research", Noun("papers", Kind.PAPER, is_ambiguous=True)),
    (r"(?:systematic |literature )?reviews?", Noun("reviews", Kind.PAPER, "review", is_ambiguous=True)),
    (r"(?:clinical )?trials?", Noun("trials", Kind.PAPER, "trial", is_ambiguous=True)),
    (r"letters?", Noun("letters", Kind.PAPER, "letter", is_ambiguous=True)),
    (r"editorials?", Noun("editorials", Kind.PAPER, "editorial", is_ambiguous=True)),
    (r"retractions?", Noun("retractions", Kind.PAPER, "retraction", is_ambiguous=True)),
    (r"corrections?", Noun("corrections", Kind.PAPER, "correction", is_ambiguous=True)),
    (r"(?:documents?|docs?|files?)", Noun("documents")),
    (r"sources?|texts?|items?|materials?", Noun("documents", is_ambiguous=True)),
    (r"courses?", Noun("courses", Kind.COURSE)),
    (r"class(?:es)?", Noun("courses", Kind.COURSE, is_ambiguous=True)),
    (r"lessons?|lectures?", Noun("lessons", Kind.COURSE, unit="lessons", is_ambiguous=True)),
    (r"notes?", Noun("notes", Kind.NOTE, is_ambiguous=True)),
    (r"(?:text)?books?|novels?", Noun("books", Kind.BOOK)),
    (r"e-?mails?|mails?|messages?", Noun("messages", Kind.MESSAGE, unit="messages", is_ambiguous=True)),
    (
        r"(?:(?:annual|quarterly|earnings|financial|interim) )?(?:reports?|filings?|releases?|memos?|10-[KQ]s?|8-Ks?)",
        Noun("reports", Kind.REPORT, is_ambiguous=True),
    ),
    (r"passages?|chunks?", Noun("passages", unit="passages", is_ambiguous=True)),
    (r"tables?", Noun("tables", unit="tables", is_ambiguous=True)),
    (r"pages?", Noun("pages", unit="pages", is_ambiguous=True)),
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

_COUNT_OPENING = re.compile(
    r"(?:how many|(?:what(?:'s| is| are) )?the (?:total )?(?:number|count) of|(?:total )?number of|count(?: of)?)"
    r"(?: of)?(?: (?:the|all|your|my|our|different|distinct|unique))* ",
    re.IGNORECASE,
)
_LIST_OPENING = re.compile(
    r"(?:(?:show|give|name|list|find|get|display|enumerate)(?: me| us)?(?: out)?(?: a list of)?"
    r"|(?:what|which|who)(?:'s| is| are)|which|what|any"
    r"|(?:are|is) there|(?:do|did) (?:you|we|i) have|have (?:you|we|i)(?: got)?"
    r"|i(?:'m| am) looking for|a list of|(?:the )?(?:titles|names) of)(?: of)?"
    r"(?: (?:all|any|every|each|the|some|other|of|an?|your|my|our|these|those|available|different"
    r"|(?:titles|names) of))* ",
    re.IGNORECASE,
)
_FRAMED_OPENING = re.compile(r"(?:are|is) there|(?:do|did) \w+ have|have ", re.IGNORECASE)
_COMMAND = re.compile(r"(?:list|show|name|give|enumerate|display|get|a list|what are|which are)\b", re.IGNORECASE)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_NUMBER = rf"\d{{1,2}}|{'|'.join(_NUMBERS)}"
_ORDER = r"(?:(?P<newest>newest|latest|most recent|youngest|last)|(?P<oldest>oldest|earliest|first))"
_SUPERLATIVE = re.compile(
    rf"\b(?:the |your |my |our )?(?:(?P<count>{_NUMBER}) )?{_ORDER}(?: (?P<after>{_NUMBER}))?(?=\s|$)", re.IGNORECASE
)
_NOUN_BEFORE_ORDER = re.compile(
    rf"(?:which|what)(?: of (?:the|your|my|our))? (?P<rest>.+?) (?:is|are|was) (?:the )?{_ORDER}(?: one| ones)?",
    re.IGNORECASE,
)
"""The newest or oldest if the noun comes first: "which document is the oldest"."""
COLLECTION = r"(?:collection|library|warehouse|database|corpus|index|knowledge base|archive|catalog(?:ue)?|vault)"
_QUESTION_ENDING = re.compile(
    r"[\s,]*\b(?:(?:are|is) there|(?:do|did|can|could) (?:you|we|i) (?:have|hold|know|keep|read|find|search|see|offer)"
    r"|have (?:you|we) got"
    r"|(?:(?:are|is)(?: there)? )?(?:currently |now )?(?:available|here|indexed|stored|ingested|loaded|included|held)"
    r"|can (?:i|we|you) (?:take|attend|read|follow|see)"
    r"|exists?|(?:(?:are|is) )?covered|(?:do|does) (?:you|it|they|the \w+) cover"
    rf"|(?:(?:are|is) )?(?:in|of|from|inside|within) (?:the|this|my|your|our) (?:whole |entire )?{COLLECTION}"
    r"|in here|in total|in all|altogether|overall|at the moment|right now|currently|please|for me)\s*$",
    re.IGNORECASE,
)
_FRAME_AFTER_NOUN = re.compile(
    r"\s*(?:(?:that|which) )?(?:(?:are|is) there|(?:do|did|can) (?:you|we|i) (?:have|hold|know of|offer)"
    r"|have (?:you|we) got|(?:you|we) have|(?:are |is )?(?:available|here|in here))\b",
    re.IGNORECASE,
)
"""Endings directly after the noun."""
_COPULA = r"(?:(?:that|which|who) )?(?:(?:is|are|was|were|has been|have been) )?"
_MARKER = re.compile(
    rf"\s*\b(?:and |, |but only )?(?:{_COPULA}(?:all |mainly |mostly |only )?"
    r"(?P<about>about|on the (?:topic|subject|theme) of|on|regarding|concerning|covering|covers?|relat(?:ed|ing) to"
    r"|deal(?:s|ing)? with|discuss(?:es|ing)?|address(?:es|ing)?|mention(?:s|ing)?|talk(?:s|ing)? about"
    r"|focus(?:ed|ing|es)? on)"
    rf"|{_COPULA}(?:(?:co-?)?(?:written|authored|published|taught|given|presented|held) )?(?P<by>by)"
    rf"|{_COPULA}(?P<tagged>tagged|labell?ed|with (?:the )?tag)(?: as| with)?"
    rf"|{_COPULA}(?:(?:come|comes|came out|came|appeared|appear|published|written|dated|released|appearing|filed|out) "
    r")?"
    r"(?P<place>in|from|of|for|during|since|after|before|until|between|at)"
    r"(?: the (?:journal|years?|company|course|topic|folder))?"
    rf"|{_COPULA}(?P<dated>dated|published|written|released))(?= )",
    re.IGNORECASE,
)
_AUTHOR_CLAUSES = (
    re.compile(
        r"\s*(?:did|does|has|have|do) (?P<who>.+?) (?:write|written|author|publish|teach|give|taught)$", re.IGNORECASE
    ),
    re.compile(
        r"\s*(?:(?:that|which) )?(?P<who>[A-Z].{1,60}?) (?:wrote|has written|authored|published|teaches|taught)$"
    ),
)
CLAUSE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|should|would|will|may|might|must|that|which|who"
    r"|whose|when|where|why|what|say|says|said|show|shows|showed|shown|find|finds|found|reported|suggests?|use|uses"
    r"|used|cite|cites|cited|support|supports|conclude|concludes|state|states|get|gets|got|it|they|them|its|their)\b",
    re.IGNORECASE,
)
"""Words of sentences, which are in no name of a topic, person or journal."""
_NON_MODIFIER = re.compile(
    r"#|\b(?:of|in|under|for|to|from|the|on|at|after|before|between|per|by|about|with|since|tagged)\b", re.IGNORECASE
)
"""Words not used before a noun: "the average value of packaging materials" does not ask for documents."""
NAMED_CLAUSE = re.compile(r"(?:how|why|whether|what) \w", re.IGNORECASE)
_VALUES_OF_DOCUMENTS = re.compile(
    rf"(?:(?:for|on|of|from|about|by) )?(?:which|what) (?:{_LIST_OF_VALUES}) "
    r"(?:(?:do|can|did) (?:you|we|i) have (?P<noun>.+?)(?: (?:on|for|of|from|about|by))?"
    r"|(?:are|is) (?:covered|treated|discussed|addressed) (?:by|in) (?:the )?(?P<in>.+))",
    re.IGNORECASE,
)
"""Values by the documents that have them: "which companies do you have reports on"."""
_COLLECTION_PHRASE = re.compile(
    r"\s*(?:of|in|among|across|for|do|does)(?: all)?(?: the| your| my| our)?\s*", re.IGNORECASE
)
MAX_MODIFIER_WORDS = 8  # Words before the noun: "the three most recent vitamin D supplementation".
EDGES = ' \t\r\n?？!！.。,，;；:："“”'


def parse_document_question(text: str) -> CollectionQuestion | None:
    """A question that lists or counts documents: opening, words before the noun, noun, conditions, ending."""
    counting = _COUNT_OPENING.match(text)
    opening = counting or _LIST_OPENING.match(f"{text} ")
    remaining_text, names_collection = strip_ending(text[opening.end() :] if opening else text)
    names_collection = names_collection or bool(opening and _FRAMED_OPENING.match(opening[0]))
    for noun in _NOUN.finditer(remaining_text):
        modifier, text_after = remaining_text[: noun.start()].strip(), remaining_text[noun.end() :]
        if (
            len(modifier.split()) > MAX_MODIFIER_WORDS
            or CLAUSE.search(modifier)
            or _NON_MODIFIER.search(_without_articles(modifier))
        ):
            return None
        frame = _FRAME_AFTER_NOUN.match(text_after)
        conditions = read_conditions(text_after[frame.end() :] if frame else text_after)
        if conditions is None:
            continue
        intent = Intent.COUNT if counting else Intent.LIST
        is_about_collection = names_collection or bool(frame)
        parsed = _parse_order(
            CollectionQuestion(intent, _get_noun(noun), conditions, modifier, names_collection=is_about_collection)
        )
        has_no_opening = not opening and parsed.intent is Intent.LIST
        if has_no_opening and not ((conditions or modifier) and noun[0].lower().endswith("s")):
            continue
        if (
            not parsed.names_collection
            and parsed.noun.is_ambiguous
            and (parsed.noun.kind is None or parsed.noun.unit != "documents")
        ):
            return None
        return parsed
    return _parse_noun_before_order(text)


def _parse_order(question: CollectionQuestion) -> CollectionQuestion:
    """The question with "newest" and the like removed from the words before the noun."""
    superlative = _SUPERLATIVE.search(f"{question.modifier} ")
    if not superlative or question.intent is Intent.COUNT:
        return replace(question, modifier=_without_articles(re.sub(r"\brecent\b", "", question.modifier)))
    modifier = f"{question.modifier[: superlative.start()]} {question.modifier[superlative.end() :]}"
    number = (superlative["count"] or superlative["after"] or "").lower()
    count = _NUMBERS.get(number) or int(number or 0)
    intent = Intent.NEWEST if superlative["newest"] else Intent.OLDEST
    return replace(question, intent=intent, modifier=_without_articles(modifier), count=count)


def _parse_noun_before_order(text: str) -> CollectionQuestion | None:
    match = _NOUN_BEFORE_ORDER.fullmatch(strip_ending(text)[0])
    noun = _NOUN.match(match["rest"]) if match else None
    if not match or not noun:
        return None
    conditions = read_conditions(match["rest"][noun.end() :])
    intent = Intent.NEWEST if match["newest"] else Intent.OLDEST
    return (
        None if conditions is None else CollectionQuestion(intent, _get_noun(noun), conditions, names_collection=True)
    )


_ARTICLES = re.compile(r"^(?:(?:the|an?|any|all|your|my|our|some|other|of)\b ?)+", re.IGNORECASE)


def _without_articles(words: str) -> str:
    return " ".join(_ARTICLES.sub("", words.strip()).split())


def _get_noun(match: re.Match[str]) -> Noun:
    return next(noun for index, (_, noun) in enumerate(_NOUNS) if match[f"n{index}"])


def read_conditions(text: str) -> tuple[Condition, ...] | None:
    """The conditions after a noun, each with its marker; None if there are any other words."""
    conditions_text = text.strip(" ,")
    if not conditions_text:
        return ()
    for pattern in _AUTHOR_CLAUSES:
        match = pattern.fullmatch(conditions_text)
        if match and not CLAUSE.search(match["who"]):
            return (Condition("by", match["who"].strip(EDGES)),)
    padded = f" {conditions_text} "
    marks = list(_MARKER.finditer(padded))
    if not marks or marks[0].start() > 0:
        return None
    conditions = []
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(padded)], strict=True):
        value = padded[mark.end() : end].strip(EDGES)
        if CLAUSE.search(value) and not (mark["about"] and NAMED_CLAUSE.match(value)):
            return None
        if value:
            conditions.append(Condition((mark["place"] or mark.lastgroup or "").lower(), value))
    return tuple(conditions) or None


def strip_ending(text: str) -> tuple[str, bool]:
    """The text without an ending that names the collection, and whether it had one."""
    names_collection = False
    while (ending := _QUESTION_ENDING.search(text)) and ending.start() > 0:
        text, names_collection = text[: ending.start()].strip(EDGES), True
    return text, names_collection


def parse_values_question(text: str) -> CollectionQuestion | None:
    """A question for companies, topics, tags … of the collection. It must name the collection or be a command."""
    values_match = _VALUES_OF_DOCUMENTS.fullmatch(text)
    document_question = (
        parse_document_question(f"list {values_match['noun'] or values_match['in']}") if values_match else None
    )
    if values_match and document_question and document_question.intent is Intent.LIST:
        return replace(
            document_question,
            intent=Intent.VALUES,
            field=next(name for name in _VALUES if values_match[name]),
            names_collection=True,
        )
    opening = _COUNT_OPENING.match(text) or _LIST_OPENING.match(text)
    if not opening:
        return None
    remaining_text, names_collection = strip_ending(text[opening.end() :])
    match = re.fullmatch(
        rf"(?:distinct |different |unique )?(?:{_LIST_OF_VALUES})(?P<of> .+)?", remaining_text, re.IGNORECASE
    )
    if not match or not (names_collection or _COMMAND.match(opening[0])):
        return None
    parsed = CollectionQuestion(
        Intent.VALUES, field=next(name for name in _VALUES if match[name]), names_collection=True
    )
    if not match["of"]:
        return parsed
    noun = _NOUN.search(match["of"])
    conditions = read_conditions(match["of"][noun.end() :]) if noun else None
    if not noun or conditions is None or not _COLLECTION_PHRASE.fullmatch(match["of"][: noun.start()]):
        return None
    return replace(parsed, noun=_get_noun(noun), conditions=conditions)
