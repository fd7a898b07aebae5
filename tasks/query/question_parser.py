"""The parser of questions: from a request to a `Question` with vector, times, names, lesson and soft filters.

The words of a question are content words, names among them, and words that only link others; each is weighted by its
rarity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import log

import numpy as np

from tasks.embedders.embedder import Embedder, average_vectors, embed_question
from tasks.parsers.language import (
    detect_question_language,
    get_small_words,
    has_chinese,
    is_interrogative,
    without_interrogatives,
)
from tasks.query.glossary import find_items
from tasks.temporal.question import QuestionTimes, parse_times
from warehouse.errors import BadInput
from warehouse.records import Filters, Item, Mode, Question, RelatedWords, SearchRequest, Subject
from warehouse.records.calendars import FiscalCalendar
from warehouse.search.catalogue import TOKEN
from warehouse.search.signals.metadata import has_reports_of_times
from warehouse.store.words import is_unspaced, split_content_words, split_words


def parse_question(
    request: SearchRequest,
    embedder: Embedder,
    today: date,
    subjects: Sequence[Subject] = (),
    fiscal: FiscalCalendar | None = None,
    soft_filters: Filters | None = None,
    places: Sequence[str] = (),
) -> Question:
    """The question with its vector and the times it asks about, relative ones read from `today`.

    `subjects` are its names from the catalogue (`find_subjects`), `fiscal` is the calendar of the company it asks
    about, if known (`Warehouse.find_fiscal_calendar`), `soft_filters` its wishes for passages (`find_soft_filters`),
    `places` the places of its adjectives (`find_places`). Raises `BadInput` for a question without words or a `k` below
    one.
    """
    words = " ".join(request.text.split())
    if not words:
        raise BadInput("the question is empty", "say what to look for")
    if request.k < 1:
        raise BadInput(f"{request.k} hits cannot be shown", "ask for one at least")
    literal_terms = fold_literal_terms(request)
    language = detect_question_language(words)
    times = parse_times(words, today, language, fiscal, literal_terms)
    is_foreign, ranking = not embedder.can_read(words), request.ranking
    if is_foreign and ranking.mode is Mode.DENSE:
        # Passages of that script have no vectors.
        ranking = replace(ranking, mode=Mode.KEYWORD)
    query = build_subject_query(words, times, subjects) or times.expand_query(words)
    query = " ".join([query, *places])
    has_documents = bool(request.filters.documents) or any(subject.has_many_passages for subject in subjects)
    vector = embed_question(embedder, query)
    items = find_items(query, vector, embedder) if has_documents and request.ranking.query_expansion else ()
    wants_reasons = asks_for_reasons(words)
    wants_outlook = any(subject.is_large_company for subject in subjects) and asks_for_outlook(words)
    kinds = (*((REASON_WORDS,) if items and wants_reasons else ()), *((OUTLOOK_WORDS,) if wants_outlook else ()))
    return Question(
        text=words,
        query=without_interrogatives(query, language),
        vector=vector,
        windows=times.windows,
        as_of=times.as_of,
        order=times.order,
        rest=times.remaining_text,
        names=tuple(name for name in find_names(words) if name.lower() not in literal_terms),
        subjects=tuple(subjects),
        lesson=find_lesson(words),
        soft_filters=soft_filters or Filters(),
        items=() if wants_reasons or wants_outlook else items,
        related=build_related_words(items, kinds, embedder) if request.ranking.query_expansion else (),
        foreign=is_foreign,
        filters=request.filters,
        ranking=ranking,
        k=request.k,
    )


def build_subject_query(question: str, times: QuestionTimes, subjects: Sequence[Subject]) -> str:
    """The words to search for in the documents of a question's subjects; empty if all its words are needed.

    Each passage of a company's report is about that company and most are about its year: these words are left out when
    the documents are chosen by them. A time stays if no document reports on all of it.
    """
    large_subjects = [subject for subject in subjects if subject.has_many_passages]
    text = times.remaining_text if has_reports_of_times(times.windows, subjects) else times.expand_query(question)
    remaining_text = without_names(text, large_subjects)
    return remaining_text if large_subjects and any(char.isalpha() for char in remaining_text) else ""


def without_names(text: str, subjects: Sequence[Subject]) -> str:
    """A text without the names of subjects, the longest first, and with single spaces.

    A name in a script without spaces is followed by other words: 华东绿能净利润.
    """
    for name in sorted({subject.text for subject in subjects}, key=len, reverse=True):
        pattern = re.escape(name)
        text = re.sub(pattern if has_chinese(name) else rf"(?<!\w){pattern}(?:['’]s)?(?!\w)", " ", text)
    return " ".join(text.split())


CONTEXT_WEIGHT = 0.5  # The weight of a word that is only in a piece's title or section.

_SOURCE = r"(?:report|filing|release|statement|document|table|note|text|paper|annual report|10-[kq]|8-k)"
_ACCORDING_TO = r"(?:according to|as (?:shown|stated|reported|given|listed|described) (?:in|by)|based on|(?:as )?per)"
_SOURCE_PHRASES = re.compile(
    rf"\b{_ACCORDING_TO}(?: the| its| their)?(?: \w+){{0,2}}? {_SOURCE}s?(?: of)?\b"
    rf"|\b(?:in|from|by) the (?:\w+ )?{_SOURCE}s?(?: of)?\b|\baccording to\b|\bas reported\b"
    r"|\b(?:please )?(?:can|could|would) you (?:please )?(?:tell|give|show|find)(?: me)?\b"
    r"|\b(?:please )?(?:tell|give|show|find|list)(?: me)?(?: about)?(?= )|\bplease\b"
    r"|\b(?:do you|i(?:'d| would)) (?:want|like) to know\b|\bi (?:want|need) to know\b|\bdo you know\b"
    r"|请问|請問|告诉我|告訴我|根据|根據",
    re.IGNORECASE,
)
_FRAME_WORDS = frozenset(
    split_words(
        "tell give show find know please much many amount number figure value report reported reporting record recorded"
        " according say says said state stated mention mentioned given answer question"
    )
)
_CHANGE_WORDS = re.compile(
    r"\b(?:grow|grew|grown|growth|rise|rose|risen|increas\w+|climb\w*|gain\w*|improv\w+|fall|fell|fallen|drop\w*"
    r"|declin\w+|decreas\w+|shr[aiu]nk|down|up|chang\w+|higher|lower|reduc\w+|expand\w*|by how much"
    r"|percentage change|compared (?:to|with)|differen\w+)\b|增长|增長|下降|减少|減少|上升|变化|變化",
    re.IGNORECASE,
)


_REASON_QUESTION = re.compile(
    r"\b(?:why|reasons?|caus(?:e|es|ed|ing)|driv(?:e|es|en|ers?|ing)|drove|due to|explain\w*|explanations?|because"
    r"|what (?:led|made|pushed|lifted|hurt|helped|lies|lay|is|was) (?:[\w'’-]+ ){0,6}?"
    r"(?:behind|to|so|more|less|higher|lower)|what (?:pushed|lifted|brought|dragged|sent) (?:up|down)"
    r"|how come|factors?|behind)\b|为什么|為什麼|为何|為何|原因",
    re.IGNORECASE,
)


REASON_WORDS = "primarily due to increase decrease higher lower driven by attributable compared"
"""Words of sentences about why an item changed, in the discussion of results of any report.

With them after the labels of the items, 348 rewordings of 87 questions to filings have the page in five hits in .920,
.908 without; the 25 questions for reasons of two other sets are unchanged.
"""


_OUTLOOK_QUESTION = re.compile(
    r"\b(?:will|going to|expect(?:s|ed to)?|plan(?:ned|ning)|plans? to|intends?|promis(?:e[sd]?|ing)|hop(?:es?|ing)"
    r"|forecasts?|outlook|guid(?:e|ance)|projected|projections?|anticipat(?:es?|ed|ing)|predict\w*"
    r"|think\w* (?:it|they)|next (?:year|quarter))\b",
    re.IGNORECASE,
)
OUTLOOK_WORDS = "guidance outlook expects"
"""Words of a passage about the future, such as any report has about the following year.

With them after the labels of the items, and without the rows of statements, six more of 675 wordings of questions to
filings have the page in five hits, and none loses it.
"""


def asks_for_outlook(question: str) -> bool:
    """Whether a question asks what a company expects, which statements about the past do not answer."""
    return bool(_OUTLOOK_QUESTION.search(question))


_PLACE_ADJECTIVE = re.compile(r"\b([a-z]{3,}?)(?:ian|ean|ese|ish|an|n)s?\b", re.IGNORECASE)
_PLACE_ENDINGS = ("", "a", "e", "o", "y", "ia", "ea", "en", "ey", "any", "and", "ium")
MIN_PLACE_LENGTH = 4  # Letters.


def find_places(question: str, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """The places that the adjectives of a question belong to, in small letters: "europe" for "European".

    `is_name` is whether the collection has a word in small letters only as a name: "median" has no place, since
    "media" is a word. Needed since "Canadian" and "Canada", which rows of tables have, differ in the keyword index.
    """
    stems = dict.fromkeys(match[1].lower() for match in _PLACE_ADJECTIVE.finditer(question))
    places = (stem + ending for stem in stems for ending in _PLACE_ENDINGS if len(stem + ending) >= MIN_PLACE_LENGTH)
    return tuple(place for place in places if is_name(place))


def build_related_words(items: Sequence[Item], kinds: Sequence[str], embedder: Embedder) -> tuple[RelatedWords, ...]:
    """The words of answers for each item, the most certain item first, with those of the kinds of sentences asked for.

    The vector of an item is the mean of its labels' stored vectors: embedding its words takes longer than the search.
    """
    kind_vectors = [embed_question(embedder, kind) for kind in kinds]
    if not items:
        return (RelatedWords(" ".join(kinds), average_vectors(np.array(kind_vectors))),) if kinds else ()
    return tuple(
        RelatedWords(
            " ".join((join_labels(item), *kinds)),
            average_vectors(np.array([item.vectors.mean(axis=0), *kind_vectors])),
            item.confidence / items[0].confidence,
        )
        for item in items
    )


def join_labels(item: Item) -> str:
    """The words by which passages call an item, each once."""
    return " ".join(dict.fromkeys(word for label in item.labels for word in label.split()))


_CONDITION = re.compile(r"(?<=[.?!] )If\b[^.?!]*")


def asks_for_reasons(question: str) -> bool:
    """Whether a question asks why something is so, which sentences answer and rows of figures do not.

    A further sentence for some case only ("If there is none, explain why") does not ask for reasons.
    """
    return bool(_REASON_QUESTION.search(_CONDITION.sub("", question)))


def without_frame(question: str) -> str:
    """A question without the words that only introduce it: "According to the annual report, what was …", "please"."""
    question_text = " ".join(_SOURCE_PHRASES.sub(" ", question).split()).strip(" ,:;")
    return question_text if any(map(str.isalnum, question_text)) else question


def asks_for_change(question: str) -> bool:
    """Whether a question asks how something rose or fell, so that a percentage or two figures answer it."""
    return bool(_CHANGE_WORDS.search(question))


def get_content_words(question: str) -> frozenset[str]:
    """The words of a question without function words; all of them if no others are left."""
    return frozenset(split_content_words(without_interrogatives(question, detect_question_language(question))))


def get_answer_words(question: str) -> frozenset[str]:
    """The words of a question that its answer should have: its content words without those that only introduce it.

    Words of change ("fall", "grow") are left out: documents say "down 20 percent" or print two columns.
    """
    language = detect_question_language(question)
    question_text = _CHANGE_WORDS.sub(" ", without_frame(without_interrogatives(question, language)))
    content_words = (
        frozenset(split_content_words(question_text)) if any(map(str.isalnum, question_text)) else frozenset()
    )
    content_words -= get_small_words(language)
    return (content_words - _FRAME_WORDS) or content_words or get_content_words(question)


def weigh_by_rarity(words: Collection[str], pieces: Sequence[Collection[str]]) -> dict[str, float]:
    """The weight of each word by how few of the pieces have it (IDF); a word in none of them weighs most."""
    return {word: log(1 + (len(pieces) + 1) / (1 + sum(word in piece for piece in pieces))) for word in words}


def compute_covered_share(weights: Mapping[str, float], piece: Collection[str], context: Collection[str]) -> float:
    """The share of the weight of the words that a piece has, in [0, 1]; words only in its context count half."""
    covered_weight = sum(
        weight * (1.0 if word in piece else CONTEXT_WEIGHT)
        for word, weight in weights.items()
        if word in {*piece, *context}
    )
    return covered_weight / sum(weights.values()) if weights else 0.0


_QUOTED_NAME = re.compile(
    r"\"([^\"\n]{2,120})\"|“([^”\n]{2,120})”|《([^》\n]{1,60})》|「([^」\n]{1,60})」|『([^』\n]{1,60})』"
)
_NAME_JOINTS = re.compile(r"(?:\s?&\s?|\.\s?|-|['’]|\s(?:of|the|de|la|von|van)\s|\s){1,2}")
_NAME_PARTICLES = ("of", "the", "de", "la", "von", "van")
_ASKING_WORDS = (
    "what when where which who whom whose why how did does do was were are is am be been has have had can could"
    " will would should may might must shall the a an and for show tell list compare find give name describe"
    " explain please if of according as at in on from by with to between during after before since this that these"
    " those it its i we our you your my their his her there here not no yes also using use based answer round"
    " assume calculate compute"
)
_TIME_WORDS = (
    "january february march april may june july august september october november december jan feb mar apr jun"
    " jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday q1 q2 q3 q4 h1 h2 fy"
    " cy fiscal year quarter half usd eur gbp gaap"
)
_NON_NAME_WORDS = frozenset([*_ASKING_WORDS.split(), *_TIME_WORDS.split()])
_PERIOD_CODE = re.compile(r"(?:fy|cy|[qh]\d|[1-4][qh])*\d*(?:[qh]\d)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question: its span, whether it has a capital or digit, begins a sentence, or is a possessive."""

    text: str
    start: int
    end: int
    capital: bool
    first: bool
    possessive: bool


def split_question(question: str) -> list[QuestionWord]:
    """The words of a question; the "s" of a possessive belongs to the word before it."""
    words: list[QuestionWord] = []
    first = True
    for match in TOKEN.finditer(question):
        text, start = match[0], match.start()
        if text.lower() == "s" and start and question[start - 1] in "'’" and words and words[-1].end == start - 1:
            words[-1] = replace(words[-1], possessive=True)
            continue
        first = first or bool(re.search(r"[.!?。！？]\s+$|[:：]\s*$", question[max(0, start - 4) : start]))
        capital = any(char.isupper() or char.isdigit() for char in text) or is_unspaced(text)
        words.append(QuestionWord(text, start, match.end(), capital, first, possessive=False))
        first = False
    return words


def find_names(question: str) -> tuple[str, ...]:
    """The names in a question, each once: quoted ones first, then capitalised runs in order.

    Words that ask, times and numbers are no names, nor is the first word of a sentence, unless more capitals follow. In
    German, where each noun has a capital, a name is two words or more, or all capitals ("Nordwind AG", "BMW").
    """
    quoted_names = [
        next(group for group in match.groups() if group).strip() for match in _QUOTED_NAME.finditer(question)
    ]
    unquoted_text = _QUOTED_NAME.sub(lambda match: " " * len(match[0]), question)
    runs = list(_iter_capitalised_runs(unquoted_text))
    if detect_question_language(question) == "de":
        parts = [part for run in runs for part in _split_german_nouns(question, run)]
        runs = [part for part in parts if _is_german_name(part, is_first=question.lstrip().startswith(part))]
    return tuple(dict.fromkeys([*quoted_names, *runs]))


_ARTICLES = r"\b(?:de[rmns]|die|das|eine?[rmns]?|welche[rmns]?|(?:ih|sein)e?[rmns]?) "


def _split_german_nouns(question: str, run: str) -> list[str]:
    """The noun and the name that "von" joins: "der Umsatz von Crane Tools"; a person's name has no article."""
    head, _, name = run.rpartition(" von ")
    is_noun = head and re.search(_ARTICLES + re.escape(run), question, re.IGNORECASE)
    return [head, name] if is_noun else [run]


def _is_german_name(run: str, *, is_first: bool) -> bool:
    """Whether a run is more than one noun; the first word of a question does not count: "Welchen Umsatz"."""
    words = run.split()
    return len(words) > 1 + is_first or any(word[1:2].isupper() for word in words)


def is_asking_word(word: str) -> bool:
    """Whether a capitalised word is no name: a word that asks, or a time."""
    return word.lower() in _NON_NAME_WORDS or is_interrogative(word) or bool(_PERIOD_CODE.fullmatch(word))


def _iter_capitalised_runs(question: str) -> Iterator[str]:
    run: list[QuestionWord] = []
    for word in [*split_question(question), None]:
        if word is not None and run and _continues_name(question, run[-1], word):
            run.append(word)
            continue
        yield from _iter_run_names(question, run)
        begins_run = word is not None and word.capital and not is_unspaced(word.text) and not is_asking_word(word.text)
        run = [word] if word is not None and begins_run else []


def _continues_name(question: str, previous_word: QuestionWord, word: QuestionWord) -> bool:
    text_between = question[previous_word.end : word.start]
    is_joined = (
        not previous_word.possessive and bool(_NAME_JOINTS.fullmatch(text_between)) and not is_unspaced(word.text)
    )
    return is_joined and ((word.capital and not is_asking_word(word.text)) or word.text in _NAME_PARTICLES)


def _iter_run_names(question: str, run: list[QuestionWord]) -> Iterator[str]:
    while run and run[-1].text in _NAME_PARTICLES:
        run = run[:-1]
    is_lone_capital = len(run) == 1 and run[0].first and not run[0].possessive and run[0].text[1:].islower()
    if run and not is_lone_capital and any(char.isalpha() for word in run for char in word.text):
        yield question[run[0].start : run[-1].end]


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CHINESE = tuple("一二三四五六七八九十")
_LESSON = re.compile(
    rf"\b(?:lesson|lecture)s? (?:no\.? ?|number |#)?(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})\b"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}) (?:lesson|lecture)\b"
    rf"|第 ?(?P<chinese>\d{{1,3}}|{'|'.join(_CHINESE)}) ?[课課讲講]",
    re.IGNORECASE,
)


def find_lesson(question: str) -> int | None:
    """The number of the lesson of a course that a question names, None without one."""
    match = _LESSON.search(question)
    if not match:
        return None
    word = next(group for group in match.groups() if group).lower()
    if word.isdecimal():
        return int(word)
    return next(names.index(word) + 1 for names in (_NUMBERS, _ORDINALS, _CHINESE) if word in names)


def fold_literal_terms(request: SearchRequest) -> frozenset[str]:
    """The terms of a request that are read as words only, in lower case."""
    return frozenset(" ".join(words.split()).lower() for words in request.literal_terms)
