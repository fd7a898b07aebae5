"""What a question is about, of all that the catalogue knows: its companies, papers, courses and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tasks.ask.described import Match, Nearness, described
from tasks.ask.names import QuestionWord, is_asking, names_in, words_of
from tasks.temporal.question import Times
from warehouse.records import Subject
from warehouse.search.catalogue import LONG, LONGEST, Catalogue, CatalogueName, NameKind
from warehouse.search.name_variants import squeezed, tokens
from warehouse.search.subject_fit import settled

SURE = 1.0
LIKELY = 0.8
"""A name without its capitals, or one that only begins like it."""
NEAR = 92
"""The least likeness of a misspelt name, of 100, by rapidfuzz's ratio.

Of 1,500 names of eight letters or more among 6,892 of listed companies, 1.9 % have another so near (4.9 % at 90).
"""
SHORTEST_CHINESE = 3
"""The fewest characters of a Chinese name that is not quoted; of two, most are words as well."""
FAINT = 0.5
"""A Chinese title of so few: it may be a piece of a longer name, and no word ends to tell.

Of 118 of the questions of DRCD that name a title the reciprocal rank is .957 with it, .956 with 1, .957 without names.
"""


def subjects_in(question: str, catalogue: Catalogue, near: Nearness) -> tuple[Subject, ...]:
    """What the question names by a name of the catalogue, the longest names first, in order; nothing that is unsure.

    `near` is asked only where it describes a document.
    """
    words = words_of(question)
    shouted = not any(char.islower() for char in question)
    matches = list(described(question, catalogue, near))
    told = [_told(match, catalogue) for match in matches]
    known, authors = {each.documents for each in told}, {match.by for match in matches}
    named = _named(question, words, catalogue, shouted=shouted)
    found = [each for each in named if each.text not in authors and each.documents not in known]
    covered = "\n".join(each.text for each in found)
    others = [name for name in names_in(question) if name not in covered and name not in authors]
    return (*found, *told, *_misspelt(others, catalogue))


def looked_for_inside(question: str, times: Times, subjects: Sequence[Subject]) -> str:
    """What a question looks for inside the documents of its subjects; empty where all its words tell passages apart.

    Each passage of a company's report is about that company and most are about its year: those words are left out
    where the documents are chosen by them. A time stays that none of the documents reports on as a whole.
    """
    spacious = [each for each in subjects if each.spacious]
    text = times.rest if settled(times.windows, subjects) else times.query(question)
    for name in sorted({each.text for each in spacious}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", text)
    bare = " ".join(text.split())
    return bare if spacious and any(char.isalpha() for char in bare) else ""


def _named(question: str, words: Sequence[QuestionWord], catalogue: Catalogue, *, shouted: bool) -> Iterator[Subject]:
    plain = not any(char.isupper() for char in question)
    keys = [squeezed([word.text]) for word in words]
    place = 0
    while place < len(words):
        for count in range(min(LONGEST, len(words) - place), 0, -1):
            run = words[place : place + count]
            # What only joins others has no key, and begins and ends no name.
            whole = keys[place] and keys[place + count - 1]
            entry = catalogue.entry("".join(keys[place : place + count])) if whole else None
            likeness = _likeness(entry, run, plain=plain, shouted=shouted) if entry else 0.0
            if entry and likeness and not _is_cut(question, words, place, count, entry):
                yield _subject(question[run[0].start : run[-1].end], entry, likeness, catalogue)
                place += count
                break
        else:
            place += 1


def _is_cut(question: str, words: Sequence[QuestionWord], place: int, count: int, entry: CatalogueName) -> bool:
    """Whether a name is but a piece of a longer one: Corning of Owens Corning, Johnson of Johnson Controls."""
    last = place + count - 1
    ends = count == 1 and place > 0 and _go_together(question, words[place - 1], words[place])
    begins = (
        entry.sort is NameKind.BEGINNING and last + 1 < len(words) and _go_together(question, *words[last : last + 2])
    )
    return ends or begins


def _go_together(question: str, one: QuestionWord, other: QuestionWord) -> bool:
    """Whether two words with capitals stand side by side."""
    capitals = one.text[0].isupper() and other.text[0].isupper() and not is_asking(one.text)
    return capitals and question[one.end : other.start] == " " and not is_asking(other.text)


def _likeness(entry: CatalogueName, run: Sequence[QuestionWord], *, plain: bool, shouted: bool) -> float:
    """How surely a run of words means an entry, 0 where it is not to be assumed.

    A symbol must be written as one; a name of one word needs its capital, and not one that only begins the sentence.
    """
    text = "".join(word.text for word in run)
    if not text.isascii():
        short = len(text) == SHORTEST_CHINESE and entry.sort is NameKind.TITLE
        return (FAINT if short else SURE) if len(text) >= SHORTEST_CHINESE else 0.0
    capital = any(word.capital and any(char.isalpha() for char in word.text) for word in run)
    begins = len(run) == 1 and run[0].first and not run[0].possessive and text[1:].islower()
    if entry.sort is NameKind.SYMBOL:
        return SURE if len(text) > 1 and _is_symbol(text) and not shouted else 0.0
    if len(run) == 1 and is_asking(text):
        return 0.0
    if entry.sort is NameKind.TITLE:
        return _likeness_of_title(run, capital=capital, begins=begins)
    if capital and not begins:
        return SURE if entry.sort is NameKind.COMPANY else LIKELY
    return LIKELY if entry.sort is NameKind.COMPANY and (begins or plain) and len(text) > 3 else 0.0


def _is_symbol(text: str) -> bool:
    """AMD, or JnJ."""
    return not is_asking(text) and (text.isupper() or bool(re.fullmatch("[A-Z]n[A-Z]", text)))


def _likeness_of_title(run: Sequence[QuestionWord], *, capital: bool, begins: bool) -> float:
    letters = sum(len(word.text) for word in run)
    if len(run) == 1:
        return SURE if capital and not begins and letters > 3 else 0.0
    if capital:
        return SURE if letters > 3 else 0.0
    return LIKELY if len([word for word in run if not is_asking(word.text)]) > 2 else 0.0


def _misspelt(names: Sequence[str], catalogue: Catalogue) -> Iterator[Subject]:
    from rapidfuzz import fuzz, process

    for name in names:
        key = squeezed(tokens(name))
        if len(key) >= LONG:
            best = process.extractOne(key, catalogue.long_names, scorer=fuzz.ratio, score_cutoff=NEAR)
            entry = catalogue.entry(best[0]) if best else None
            if entry:
                yield _subject(name, entry, LIKELY, catalogue)


def _told(match: Match, catalogue: Catalogue) -> Subject:
    entry = CatalogueName(match.document.title, NameKind.TITLE, (match.document.document_id,))
    return replace(_subject(match.text, entry, LIKELY, catalogue), described=True)


def _subject(text: str, entry: CatalogueName, likeness: float, catalogue: Catalogue) -> Subject:
    documents = [catalogue.documents[each] for each in entry.documents]
    return Subject(
        text=text,
        name=entry.name,
        documents=entry.documents,
        likeness=likeness,
        passages=sum(each.chunk_count for each in documents),
        periods=tuple(dict.fromkeys(each.period for each in documents if each.period)),
    )
