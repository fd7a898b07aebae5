"""Questions that go on from one, made of itself, what answers it and the collection, without a language model.

The same of another period, of another company, and how a quoted figure changed between two of its columns. Each
was tried before it is offered: the documents answer it, and of the period that it asks about.

    find_follow_ups(context, SearchRequest("How much did Intel revenue fall in 2022?"))
    ("How much did Intel revenue change in 2021?", "How much did Intel's net income change from 2021 to 2022?")
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, zip_longest

from dashboards.assistant.answer_types import Answer, ExtractsStatus
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.query_rewriting import rewrite_as_standalone
from dashboards.assistant.tools.contract import ToolContext
from tasks.parsers.language import detect_language
from tasks.query.question_parser import find_names
from tasks.query.retrieval import without_other_companies
from tasks.query.subjects import find_subjects
from tasks.temporal.question import parse_times
from warehouse.errors import KalendsError
from warehouse.records import SearchRequest, Subject, Window
from warehouse.store.words import is_unspaced

MAX_QUESTIONS = 3  # Questions that are offered.
TRIED = 9
"""The most questions that are tried: each costs as much as an answer without a model, a tenth of a second and more."""
MAX_SYMBOL_LENGTH = 4  # Letters of a name in capitals that stays so: AMD, COST.
SURE = 0.5
"""The least score of the best quotation: higher than for a question that was asked (`tasks.ask.certainty.ANSWERED`)."""
OTHERS = 3  # Other companies that are tried, those with most documents first.
_EARLIER, _LATER = ("and the year before?", "and the following year?")
_UNSETTLED = re.compile(r"\b(?:year before|year after|following year|previous quarter|next quarter)\b", re.IGNORECASE)
_COLUMN_YEAR = re.compile(r"\b(?:Q[1-4] |FY ?)?(?:19|20)\d\d\b")
_LABEL = re.compile(r"[^\W\d_][\w&’'/,.() -]{2,60}")
_VERB = re.compile(r"\b(?:how (?:much|far)|by what percent(?:age)?|what percent(?:age)?)\b", re.IGNORECASE)
_RISES_OR_FALLS = re.compile(r"\b(?:fall|drop|decline|decrease|shrink|rise|grow|increase|climb)\b", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:how|what|which|who|when|did|was|were|is|are)\b|[?？]|多少|几", re.IGNORECASE)


def find_follow_ups(context: ToolContext, request: SearchRequest) -> tuple[str, ...]:
    """At most `MAX_QUESTIONS` follow-ups of a standalone question; none where none can be answered.

    Raises what a search raises.
    """
    if not _ASKS.search(request.text):
        return ()
    answer = _answer_by_extracts(context, request)
    candidates = {request.text.casefold(): ""}
    for question in islice(_iter_candidates(context, request, answer), TRIED):
        candidates.setdefault(question.casefold(), question)
    follow_ups = (
        candidate
        for candidate in candidates.values()
        if candidate and _is_answered(context, replace(request, text=candidate))
    )
    return tuple(islice(follow_ups, MAX_QUESTIONS))


def _iter_candidates(context: ToolContext, request: SearchRequest, answer: Answer) -> Iterator[str]:
    """Candidates of all kinds in turn: one of each kind, then the next of each."""
    catalogue = context.warehouse.pin_generation().catalogue
    subjects = [subject for subject in find_subjects(request.text, catalogue, lambda name: {}) if not subject.described]
    # For another time or company it is unknown whether the figure rose or fell.
    text = _RISES_OR_FALLS.sub("change", request.text) if _VERB.search(request.text) else request.text
    kinds = (
        _iter_period_questions(context, text),
        _iter_company_questions(context, text, subjects),
        _iter_change_questions(text, answer, subjects),
    )
    yield from filter(None, chain.from_iterable(zip_longest(*kinds)))


def _iter_period_questions(context: ToolContext, text: str) -> Iterator[str]:
    if len(_find_times(context, text)) != 1:
        return
    for step in (_EARLIER, _LATER):
        question = rewrite_as_standalone(step, text, context.today, context.warehouse.catalogue)
        if not _UNSETTLED.search(question):
            yield question


def _find_times(context: ToolContext, text: str) -> tuple[Window, ...]:
    return parse_times(text, context.today, detect_language(text)).windows


def _iter_company_questions(context: ToolContext, text: str, subjects: list[Subject]) -> Iterator[str]:
    """The question of the companies with most documents other than those that it names."""
    catalogue = context.warehouse.catalogue
    own_documents = {document for subject in subjects for document in subject.documents}
    companies = {catalogue.owners[own_document] for own_document in own_documents if own_document in catalogue.owners}
    if len(companies) != 1 or any(_find_whole_name(text, subject) != subject.text for subject in subjects):
        return
    counts = Counter(owner for owner in catalogue.owners.values() if owner not in companies)
    for owner, _ in counts.most_common(OTHERS):
        if entry := catalogue.find_entry(owner):
            # Names of files are in capitals: "INTEL_2022_10K".
            name = entry.name.title() if entry.name.isupper() and len(entry.name) > MAX_SYMBOL_LENGTH else entry.name
            yield rewrite_as_standalone(f"What about {name}?", text, context.today, catalogue)


def _find_whole_name(text: str, subject: Subject) -> str:
    """The name in a question that a subject's words are a part of: "Harrow Mills" where Harrow is known."""
    return next((name for name in find_names(text) if subject.text in name), subject.text)


def _iter_change_questions(text: str, answer: Answer, subjects: list[Subject]) -> Iterator[str]:
    """How the rows of the answer changed between the two latest years of their columns."""
    name = _find_whole_name(text, subjects[0]) if len(subjects) == 1 else ""
    owner = f"{name}'{'' if name.endswith('s') else 's'} " if name else ""
    if is_unspaced(text):
        return
    for extract in answer.extracts:
        head, _, row = extract.text.rpartition("\n")
        years = list(dict.fromkeys(_COLUMN_YEAR.findall(head)))
        label = next((cell.strip() for cell in row.strip("| ").split("|")), "")
        if len(years) > 1 and row.startswith("|") and _LABEL.fullmatch(label):
            first, last = sorted(years, key=lambda year: (year[-4:], year))[-2:]
            item = label if label.isupper() or label[1:2].isupper() else label[0].lower() + label[1:]
            yield f"How much did {owner}{item} change from {first} to {last}?"


def _is_answered(context: ToolContext, request: SearchRequest) -> bool:
    """Whether the documents answer a question, and of the period that it asks about."""
    try:
        trial = _answer_by_extracts(context, request)
    except KalendsError:
        return False
    uncovered = any(note.startswith("no report covers") for note in trial.notes)
    if trial.extracts_status is not ExtractsStatus.ANSWER or uncovered:
        return False
    best, features = trial.extracts[0].score, trial.extracts[0].features
    return best >= SURE and features.names == 1 and (features.times > 0 or not _find_times(context, request.text))


def _answer_by_extracts(context: ToolContext, request: SearchRequest) -> Answer:
    return extract_answer(
        context, without_other_companies(context.warehouse.pin_generation(), request), on_event=lambda event: None
    )
