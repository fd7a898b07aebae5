"""Questions in their conversation: the signs of several questions or of a follow-up, and rewriting without a model.

    rewrite_as_standalone("What about Netflix in 2015?", "What was Amazon's revenue in 2014?", …)
    "What was Netflix's revenue in 2015?"

A follow-up replaces what it names: a company in place of the company, a time in place of the time, whatever else it
says in place of what was asked, and keeps the rest. A quarter or month without a year is of the year last mentioned,
also in a question that is otherwise complete.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from dashboards.assistant.sessions import Session
from tasks.parsers.language import detect_language
from tasks.query.question_parser import find_names, is_asking_word
from tasks.query.subjects import find_subjects
from tasks.temporal.question import parse_times
from warehouse.records import Window
from warehouse.search.catalogue import Catalogue
from warehouse.store.words import is_unspaced, parse_words

_ASKED = r"(?:what|how|who|whom|whose|when|where|which|why|did|does|do|is|are|was|were|has|have|can)"
_SEVERAL = re.compile(
    rf"(?:\band\b|;|\balso\b|,)\s+(?:also\s+)?{_ASKED}\b"
    r"|\b(?:compare[ds]?|comparing|comparison|versus|vs|differen(?:ce|ces|t|tly)|differs?|respectively|each of)\b"
    r"|比较|对比|相比|分别|区别|差异|不同",
    re.IGNORECASE,
)
_BACK_REFERENCE = re.compile(
    r"^\W*(?:and|but|or|so|also|then|what about|how about|why|what else|the same)\b"
    r"|\b(?:it|its|they|them|their|theirs|he|him|his|she|her|same|former|latter)\b"
    r"|它|他们|她|呢|上述",
    re.IGNORECASE,
)
# "That" joins clauses and "this year" is a time as often as they point back.
_POINTING = re.compile(r"\b(?:this|that|these|those)\b|其|这|那", re.IGNORECASE)
_WORD = re.compile(r"[\u4e00-\u9fff]|\w+")
MAX_SINGLE_QUESTION_WORDS = 40  # Words above which a question may be several.
MAX_FOLLOW_UP_WORDS = 3  # Words up to which a question may refer to the conversation.


def may_be_several(question: str) -> bool:
    """Whether it may be more than one question."""
    marks = question.count("?") + question.count("？")
    return marks > 1 or bool(_SEVERAL.search(question)) or len(_WORD.findall(question)) > MAX_SINGLE_QUESTION_WORDS


def may_refer_back(question: str) -> bool:
    """Whether it may be incomplete without the conversation before it."""
    return (
        must_refer_back(question)
        or bool(_POINTING.search(question))
        or len(_WORD.findall(question)) <= MAX_FOLLOW_UP_WORDS
    )


def must_refer_back(question: str) -> bool:
    """Whether it is surely incomplete by itself; for rewriting without a model."""
    return bool(_BACK_REFERENCE.search(question))


_HAN = re.compile(r"[\u4e00-\u9fff]")
LOOKBACK = 4  # Earlier questions that a follow-up may refer to.

_LEAD = re.compile(
    r"^\W*(?:(?:and|but|or|so|also|then|what about|how about|what of|the same|same|now)\b[\s,]*)+|^(?:那么?|还有|另外)",
    re.IGNORECASE,
)
_END = re.compile(r"(?:\s*(?:呢|then|as well|too|again))?\s*[?？!.。]*\s*$", re.IGNORECASE)
_KEEPS_ALL = re.compile(
    r"\W*(?:why(?: not)?|how come|how so|what else|more|go on|为什么|为何|还有吗)\W*", re.IGNORECASE
)
_BEFORE_TIME = re.compile(
    r"(?:\b(?:in|for|during|since|before|after|by|as of|at|from|until|through|over|of|on)\s+(?:the\s+(?=year\b))?)$",
    re.IGNORECASE,
)
_BEFORE_NAME = re.compile(r"\b(?:of|for|at|by|from|with|to|in)\s+$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\bFY ?\d\d\b", re.IGNORECASE)
_YEAR_WORDS = re.compile(r"(?:(?:fiscal|financial)(?: year)? |FY ?)?(?:19|20)\d\d|FY ?\d\d", re.IGNORECASE)
_PART_OF_YEAR = re.compile(
    r"\b(?:quarter|half|q[1-4]|h[12]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b|季度?|上半年|下半年|月",
    re.IGNORECASE,
)
_PART_ALONE = re.compile(
    r"\b(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:quarter|half)\b|\b[QH][1-4]\b"
    r"|第[一二三四1-4]季度|[上下]半年",
    re.IGNORECASE,
)
"""A part of a year, which is no time without the year."""
_DEICTIC = re.compile(
    r"\b(?:last|this|next|previous|prior|current|past|recent|latest|ago|today|yesterday|same|before|earlier|following)\b"
    r"|[去今明前本上]年|本季|上个?季|最近",
    re.IGNORECASE,
)
_FIRST_NAME = re.compile(r"[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*", re.ASCII)
_EARLIER = re.compile(
    r"\b(?:(?:previous|prior|preceding) year|year (?:before|earlier|ago))\b|前一年|上一年|上年", re.IGNORECASE
)
_LATER = re.compile(r"\b(?:following year|year (?:after|later)|next year)\b|后一年|次年|下一年", re.IGNORECASE)
_QUARTER_STEP = re.compile(
    r"\b(?:(?P<back>previous|prior|preceding|last) quarter|quarter (?P<before>before|earlier)"
    r"|(?:next|following) quarter|quarter after)\b|(?P<zh>上一?个?季度)",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:its|their)\b|其|它的|他们的", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|he|him|his|she|her|former|latter|this|that|these|those)\b|它|他们|她|这|那", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A name or time in a question: its span, its text, and the preposition directly before it ("in", "of")."""

    start: int
    end: int
    text: str
    before: str
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class _QuestionSlots:
    """A question with its slots for names and times, and the rest of its words."""

    text: str
    names: tuple[_Slot, ...]
    times: tuple[_Slot, ...]
    remaining_text: str

    @property
    def says_more(self) -> bool:
        """Whether it has content words besides names and times."""
        return any(word.is_content for word in parse_words(self.remaining_text))


def rewrite_in_context(question: str, session: Session | None, today: date, catalogue: Catalogue | None = None) -> str:
    """The question completed from those before it in the session; itself where it is complete.

    `catalogue` recognises names that are written without a capital, or in Chinese.
    """
    before = [exchange.question for exchange in session.exchanges[-LOOKBACK:]] if session else []
    chain = [*before, question]
    # The question and, where it depends on the one before, those back to one that depends on none.
    first = len(before)
    while first > 0 and _depends_on_previous(chain[first], today, catalogue):
        first -= 1
    standalone_text = ""
    for turn in chain[first:]:
        standalone_text = rewrite_as_standalone(turn, standalone_text, today, catalogue) if standalone_text else turn
    return _with_year_in_force(standalone_text, before, today, catalogue)


def _with_year_in_force(question: str, before: Sequence[str], today: date, catalogue: Catalogue | None) -> str:
    """The question with the year last mentioned added to a part of a year that has none.

    "What drove the decline in the fourth quarter?" is of 2022 once 2022 was asked about, whatever was asked in between.
    """
    if _YEAR.search(question) or not _PART_OF_YEAR.search(question):
        return question
    follow_up = _parse_slots(question, today, catalogue)
    if len(follow_up.times) != 1 or _DEICTIC.search(follow_up.times[0].text):
        return question
    for turn in reversed(before):
        earlier = _parse_slots(turn, today, catalogue) if _YEAR.search(turn) else None
        if earlier and earlier.times:
            slot = follow_up.times[0]
            return f"{question[: slot.start]}{_complete_time(earlier, follow_up)}{question[slot.end :]}"
    return question


def rewrite_as_standalone(question: str, before: str, today: date, catalogue: Catalogue | None = None) -> str:
    """A follow-up to the question `before`, as a question that is complete by itself."""
    if _KEEPS_ALL.fullmatch(question):
        return f"{before} {question}"
    lead = _LEAD.match(question)
    text = _END.sub("", question[lead.end() :] if lead else question).strip()
    follow_up = _parse_slots(text, today, catalogue, inside=bool(lead))
    earlier = _parse_slots(before, today, catalogue)
    if not follow_up.says_more:
        return _replace_slots(earlier, follow_up) if follow_up.names or follow_up.times else f"{before} {question}"
    return _complete_follow_up(question, earlier, follow_up)


def _replace_slots(earlier: _QuestionSlots, follow_up: _QuestionSlots) -> str:
    """The earlier question with the names and times of its follow-up in place of its own."""
    changes: list[tuple[int, int, str]] = []
    added_text = ""
    if follow_up.names:
        new_text = " and ".join(slot.text for slot in follow_up.names)
        if earlier.names:
            changes.append((earlier.names[0].start, earlier.names[-1].end, new_text))
        else:
            added_text += f" {follow_up.names[0].before or 'of '}{new_text}"
    if follow_up.times:
        new_text = _complete_time(earlier, follow_up)
        if earlier.times:
            first, last = earlier.times[0], earlier.times[-1]
            slot = follow_up.times[0]
            start = first.start - len(first.before) if slot.before else first.start
            changes.append((start, last.end, f"{slot.before}{new_text}"))
        else:
            added_text += f" {follow_up.times[0].before or 'in '}{new_text}"
    text = earlier.text
    for start, end, new_text in sorted(changes, reverse=True):
        text = text[:start] + new_text + text[end:]
    return _END.sub(lambda ending: added_text + ending[0], text, count=1)


def _complete_follow_up(question: str, earlier: _QuestionSlots, follow_up: _QuestionSlots) -> str:
    """A follow-up that asks something else, with the names and times of the earlier question that it leaves out."""
    text = follow_up.text
    names = " and ".join(slot.text for slot in earlier.names)
    if _POSSESSIVE.search(text) and names and not follow_up.names:
        text = _POSSESSIVE.sub(f"{names}的" if is_unspaced(text) else f"{names}'s", text, count=1)
        names = ""
    elif _PRONOUN.search(text):
        # "It" may be anything in the earlier question.
        time_follow_up = replace(follow_up, names=())
        return f"{_replace_slots(earlier, time_follow_up) if time_follow_up.times else earlier.text} {question}"
    times = ""
    if earlier.times and not follow_up.times:
        first, last = earlier.times[0], earlier.times[-1]
        times = earlier.text[first.start - len(first.before) : last.end]
    elif follow_up.times and earlier.times:
        slot, new_text = follow_up.times[0], _complete_time(earlier, follow_up)
        text = text[: slot.start] + new_text + text[slot.end :] if text[slot.start : slot.end] == slot.text else text
    if follow_up.names:
        names = ""
    if _HAN.search(text):
        return f"{names}{times}{'的' if (names or times) and not times.endswith('的') else ''}{text}"
    return " ".join(filter(None, (text, f"of {names}" if names else "", times)))


def _complete_time(earlier: _QuestionSlots, follow_up: _QuestionSlots) -> str:
    """The time of a follow-up in full: with the earlier year where it names none, or a year or quarter from it."""
    text = follow_up.text[follow_up.times[0].start : follow_up.times[-1].end]
    if not earlier.times or _YEAR.search(text):
        return text
    earlier_time = earlier.times[-1]
    years = list(_YEAR_WORDS.finditer(earlier_time.text))
    window = earlier_time.window
    start = window.start if window else None
    step = -1 if _EARLIER.search(text) else 1 if _LATER.search(text) else 0
    if step and years:
        return re.sub(r"(?<!\d)(?:19|20)\d\d(?!\d)", lambda year: str(int(year[0]) + step), earlier_time.text)
    if _QUARTER_STEP.search(text) and window and window.period and window.period[2] == 3:
        return _find_quarter_beside(text, window)
    if _DEICTIC.search(text) or not _PART_OF_YEAR.search(text):
        return text
    year = years[-1][0] if years else str(start.year) if start else ""
    if not year:
        return text
    if _HAN.search(text):
        return f"{year}年{text}"
    return f"{text} {year}" if re.fullmatch(r"[qh]\d|[a-z]+", text, re.IGNORECASE) else f"{text} of {year}"


def _find_quarter_beside(text: str, window: Window) -> str:
    """The quarter before or after one: "Q4 of fiscal 2021"."""
    year, month, _ = window.period or (0, 1, 3)
    match = _QUARTER_STEP.search(text)
    back = bool(match and (match["back"] or match["before"] or match["zh"]))
    number = (month - 1) // 3 + (-1 if back else 1)
    year, quarter = year + number // 4, number % 4 + 1
    return f"Q{quarter} of fiscal {year}" if window.fiscal else f"Q{quarter} {year}"


def _parse_slots(text: str, today: date, catalogue: Catalogue | None, *, inside: bool = False) -> _QuestionSlots:
    """The slots of a question; `inside` for the rest of a sentence, where a capital on the first word is a name's."""
    times = _find_time_slots(text, today)
    names = [
        slot
        for slot in _find_name_slots(text, catalogue, inside=inside)
        if not any(slot.start < time.end and time.start < slot.end for time in times)
    ]
    remaining_text = text
    for slot in sorted([*names, *times], key=lambda slot: slot.start, reverse=True):
        after = remaining_text[slot.end :].removeprefix("'s").removeprefix("’s")
        remaining_text = f"{remaining_text[: slot.start - len(slot.before)]} {after}"
    return _QuestionSlots(text, tuple(names), tuple(times), remaining_text)


def _find_time_slots(text: str, today: date) -> list[_Slot]:
    slots: list[_Slot] = []
    place = 0
    for window in parse_times(text, today, detect_language(text)).windows:
        start = text.find(window.text, place)
        if start >= 0 and not window.recent:
            place = start + len(window.text)
            slots.append(_make_slot(text, start, place, _BEFORE_TIME, window))
    if not slots and (part := _PART_ALONE.search(text)):
        slots.append(_make_slot(text, *part.span(), _BEFORE_TIME))
    return slots


def _make_slot(text: str, start: int, end: int, before: re.Pattern[str], window: Window | None = None) -> _Slot:
    preposition = before.search(text[:start])
    return _Slot(start, end, text[start:end], preposition[0] if preposition else "", window)


def _find_name_slots(text: str, catalogue: Catalogue | None, *, inside: bool) -> list[_Slot]:
    """The names of the catalogue, else words with capitals as names have."""
    subjects = find_subjects(text, catalogue, lambda name: {}) if catalogue else ()
    names = [subject.text for subject in subjects if not subject.described] or list(find_names(text))
    first = _FIRST_NAME.match(text)
    if not names and first and (inside or _HAN.search(text)) and not is_asking_word(first[0]):
        names = [first[0]]
    starts = [(text.find(name), len(name)) for name in dict.fromkeys(names)]
    slots = [_make_slot(text, start, start + length, _BEFORE_NAME) for start, length in starts if start >= 0]
    return sorted(slots, key=lambda slot: slot.start)


def _depends_on_previous(question: str, today: date, catalogue: Catalogue | None) -> bool:
    if catalogue:
        follow_up = _parse_slots(_END.sub("", question).strip(), today, catalogue)
        if follow_up.names and not follow_up.says_more:
            return True
    times = parse_times(question, today, detect_language(question))
    # A question of nothing but a time is left as it is.
    is_only_time = times.remaining_text == question or len(_WORD.findall(times.remaining_text)) <= 1
    return must_refer_back(question) or bool(times.windows and is_only_time)
