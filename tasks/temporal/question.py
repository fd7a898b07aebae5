"""The times of a question, read with the grammar of documents: its windows, its as-of day, and its other words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from tasks.temporal.course_terms import is_counted_week
from tasks.temporal.readings import format_period
from tasks.temporal.tagger import tag
from warehouse.records import DayOrder, Grain, Mention, Modifier, TimexType, Window
from warehouse.records.calendars import DAY, FiscalCalendar, add_months

RECENT_MONTHS = 12  # The length of the time that "recent" means.
_FEW_UNITS = 3
_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12, Grain.DECADE: 120}
_RECENT = re.compile(
    r"\b(?:(?:the )?(?:(?:most )?recent(?:ly)?|latest|newest)|lately|nowadays|currently|these days|at present"
    r"|current(?! (?:assets|liabilit|ratio|account|portion|tax|maturit|expected|report)))\b"
    r"|最近|近期|最新|目前|当前|當前|现在|現在|如今|近来|近來",
    re.IGNORECASE,
)
_ORDERS = {
    DayOrder.NEWEST: re.compile(
        r"(?P<word>\b(?:(?:for )?the last time|(?:the )?(?:latest|newest|most recent(?:ly)?)|recent(?:ly)?|lately"
        r"|(?<!\bat )(?:the )?last(?= (?!name\b|but\b|resort\b|chapter\b|page\b|of\b)\w))\b"
        r"|\b(?:zuletzt|(?:zum|das) letzten? mal|(?:(?:pour )?la|les) derni[èe]res? fois|en dernier"
        r"|(?:por|la) [úu]ltima vez|(?:per l['’]|l['’])ultima volta|(?:pela|a) [úu]ltima vez|(?:voor het|het) laatst"
        r"|(?:de )?laatste keer)\b"
        r"|最近一次|最近|最新|上一?次|最后一次|最後一次|近期)",
        re.IGNORECASE,
    ),
    DayOrder.OLDEST: re.compile(
        r"(?P<word>^(?:the |my |our )?first(?= \w)|\b(?:the )?first time\b|\b(?:the )?(?:earliest|oldest)\b"
        r"|\b(?:zuerst|(?:zum|das) ersten? mal|(?:pour )?la premi[èe]re fois|(?:por|la) primera vez"
        r"|(?:per )?la prima volta|(?:pela|a) primeira vez|voor het eerst|(?:de )?eerste keer)\b"
        r"|(?<=\bdid )first\b|(?<= i )first(?= \w)|(?<= we )first(?= \w)|第一次|首次|最早)",
        re.IGNORECASE,
    ),
}
"""Words that ask for the newest, or the first, of the answers."""
_PAST_WORDS = re.compile(r"\b(?:last|past|recent|previous)\b|近|过去|過去|最近", re.IGNORECASE)
_EXCLUDED = re.compile(
    r"(?:\b(?:other than|except|excluding|not(?= (?:in|for|during)\b)|apart from|besides|outside(?: of)?)"
    r"(?: (?:in|for|during|from))?|除了?|不是|不在|非)\s*(?:the )?$",
    re.IGNORECASE,
)
_AS_OF = re.compile(r"(?:\bas (?:of|at)|截[至止]到?)\s*(?:the )?$", re.IGNORECASE)
_WORD_REACH = 20  # Characters before a time in which words make it an as-of day or exclude it.
_VALUE = re.compile(r"(?:FY)?(?P<year>[0-9]{4})(?:-(?P<unit>[QH])(?P<number>[1-4]))?")
_ENDED = re.compile(r"\bend(?:ed|ing)\b|[0-9]\s?(?:st|nd|rd|th)?,", re.IGNORECASE)
"""Words that give the days themselves: "the quarter ended June 30, 2023"."""
_CALENDAR = re.compile(r"\bcalendar\b|\bCY", re.IGNORECASE)
_FISCAL = re.compile(
    r"\b(?:fiscal|financial)\b|\bFY|\b(?:[12][0-9])?[0-9]{2}[-/](?:[12][0-9])?[0-9]{2}$"
    r"|财年|財年|财政年|財政年|会计年|會計年",
    re.IGNORECASE,
)
_BEFORE_A_SEASON = ("in", "the", "of", "by", "this", "last", "next", "during", "since", "until")
_NO_SEASON = "".join(rf"(?<!\b{word} )" for word in _BEFORE_A_SEASON)
_FALLS = re.compile(
    rf"(?P<before>\b(?:did|does|do|will|would|could|can|might|may)\s+(?:[\w’'&.$%-]+\s+){{1,8}}?){_NO_SEASON}fall\b",
    re.IGNORECASE,
)
"""A verb, no season: "how much did revenue fall 2022"."""
_COURSE = re.compile(
    r"\b(?:lectures?|courses?|class(?:es)?|homework|assignments?|syllabus|seminars?|modules?|recitations?|tutorials?"
    r"|problem sets?|labs?|trials?|treatment|therapy|dose|pregnancy|gestation)\b",
    re.IGNORECASE,
)
"""If a question names one of these, its week 3 is counted from their beginning, not from that of the year."""
_MAIN_VERB = re.compile(r"\b(?:grow|rise|increase|decrease|decline|drop|change|happen|do|start|begin|open|make|earn)\b")


@dataclass(frozen=True, slots=True)
class QuestionTimes:
    """The times of a question: its windows in order, its as-of day, and its text without them."""

    windows: tuple[Window, ...]
    as_of: date | None
    remaining_text: str
    order: DayOrder | None = None

    def expand_query(self, question: str) -> str:
        """The question and the names of its times as the prefixes of chunks write them: "Q3 2023".

        If a time is excluded, the question without its times, whose words would match the excluded time.
        """
        if any(window.excluded for window in self.windows):
            return self.remaining_text
        names = (window.name for window in self.windows if window.name.lower() not in question.lower())
        return " ".join([question, *dict.fromkeys(names)])


def parse_times(
    question: str,
    today: date,
    language: str,
    fiscal: FiscalCalendar | None = None,
    plain_words: Collection[str] = (),
) -> QuestionTimes:
    """The times of a question asked on the day `today`; `fiscal` is the calendar of the company it asks about.

    Expressions whose text is in `plain_words`, in lower case, do not count as times.

    A time that the question names is required: "in Q1 2023", "before 2020", "over the past three years". Other times
    are only preferred: the last twelve months for "recent", "latest" or "currently", three years for "the last few
    years", a time that is approximate ("around 2020") or bounds what was known ("as of March 2023").
    """
    all_mentions = tag(_FALLS.sub(_replace_fall, question), today, language, fiscal=fiscal)
    course_match = _COURSE.search(question)
    mentions = [
        mention
        for mention in all_mentions
        if mention.text.lower() not in plain_words and not (course_match and is_counted_week(mention.text))
    ]
    recent_spans = [match.span() for match in _RECENT.finditer(question) if match[0].lower() not in plain_words]
    pairs = [
        (mention, window) for mention in mentions if (window := _make_window(mention, question, today, recent_spans))
    ]
    named_spans = [(mention.start, mention.end) for mention, _ in pairs]
    unnamed_recent_spans = [
        span for span in recent_spans if not any(start < span[1] and span[0] < end for start, end in named_spans)
    ]
    windows = [(mention.start, window) for mention, window in pairs]
    windows += [
        (start, replace(_make_recent_window(RECENT_MONTHS, today, question[start:end]), recent=True))
        for start, end in unnamed_recent_spans
    ]
    order_words = [
        (order, match.span("word"))
        for order, pattern in _ORDERS.items()
        for match in pattern.finditer(question)
        if match["word"].lower() not in plain_words and not _overlaps(match.span("word"), named_spans)
    ]
    as_of = [
        mention.end_date - DAY for mention, _ in pairs if mention.end_date and _follows_words(_AS_OF, mention, question)
    ]
    sorted_windows = tuple(window for _, window in sorted(windows, key=lambda pair: pair[0]))
    spans = {
        *named_spans,
        *unnamed_recent_spans,
        *(span for _, span in order_words if not _overlaps(span, unnamed_recent_spans)),
    }
    order = order_words[0][0] if order_words else None
    return QuestionTimes(sorted_windows, max(as_of, default=None), cut_times(question, sorted(spans)), order)


def _overlaps(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in spans)


def _replace_fall(match: re.Match[str]) -> str:
    """The match with "drop" for "fall", unless another verb is before it, as in "did it grow in fall"."""
    text_before = match["before"]
    return match[0] if _MAIN_VERB.search(text_before.partition(" ")[2].lower()) else f"{text_before}drop"


def _make_window(
    mention: Mention, question: str, today: date, recent_spans: Sequence[tuple[int, int]]
) -> Window | None:
    """The window of a mention; None for lengths, times that recur, and times without a date."""
    if mention.type is TimexType.SET:
        return None
    if mention.start_date is None and mention.end_date is None:
        # The last few months, quarters, years or decades.
        months = _MONTHS.get(mention.grain) if mention.grain else None
        is_few = mention.type is TimexType.DURATION and "X" in mention.value and _PAST_WORDS.search(mention.text)
        return _make_recent_window(_FEW_UNITS * months, today, mention.text) if months and is_few else None
    is_recent = any(start < mention.end and mention.start < end for start, end in recent_spans)
    is_about = mention.modifier is Modifier.APPROX or _follows_words(_AS_OF, mention, question)
    return Window(
        mention.start_date,
        mention.end_date,
        mention.other_start,
        mention.other_end,
        required=not (is_recent or is_about),
        text=mention.text,
        name=format_period(mention),
        period=_parse_period(mention),
        fiscal=bool(_FISCAL.search(mention.text)),
        recent=is_recent,
        excluded=_follows_words(_EXCLUDED, mention, question),
    )


_EACH_YEAR = re.compile(r"XXXX-(?:\d\d|Q|H|SP|SU|FA|WI)")


def list_times_without_year(question: str, language: str) -> frozenset[str]:
    """The words for days and parts of any year in a question: "15 July", "March", "Q3"."""
    return frozenset(mention.text for mention in tag(question, None, language) if _EACH_YEAR.match(mention.value))


def _parse_period(mention: Mention) -> tuple[int, int, int] | None:
    """Year, first month and number of months of a whole year, half or quarter; None for other times."""
    if mention.modifier not in (None, Modifier.APPROX):
        return None
    has_days = mention.relative or _ENDED.search(mention.text) or _CALENDAR.search(mention.text)
    match = None if has_days else _VALUE.fullmatch(mention.value)
    if match is None:
        return None
    months = {"": 12, "H": 6, "Q": 3}[match["unit"] or ""]
    return int(match["year"]), (int(match["number"] or 1) - 1) * months + 1, months


def _make_recent_window(months: int, today: date, text: str) -> Window:
    """The window of the `months` up to and including today, limited to the days that `date` can hold."""
    months = min(months, today.year * 12 + today.month - 13)
    end = None if today == date.max else today + DAY
    return Window(add_months(today, -months), end, required=False, text=text)


def _follows_words(words: re.Pattern[str], mention: Mention, question: str) -> bool:
    return bool(words.search(question[max(0, mention.start - _WORD_REACH) : mention.start]))


Span = tuple[int, int]

_PREPOSITION_REACH = 40
_PREPOSITIONS = re.compile(
    r"(?:\b(?:as|at|around|back|before|after|between|by|dated|during|end|ended|ending|for|from|in|of|on|over|prior"
    r"|since|starting|than|the|through|throughout|till|to|until|up|versus|vs\.?|within)[ ]|[在于於从從自截至止到直])+$",
    re.IGNORECASE,
)
_PARTICLES = re.compile(
    r"(?:['’]s?(?![a-z])| ?(?:onwards?|respectively|(?:and|or) (?:later|earlier|after|before))\b"
    r"|以[来來前后後]|之[前后後]|期间|期間|的|[中里裡内內间間])*",
    re.IGNORECASE,
)
_CONJUNCTIONS = re.compile(
    r"(?:\s|[,，、&]|\b(?:and|or|to|with|vs\.?|versus|than|against|compared|through|respectively)\b|[和与與至到跟比])*",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[ \t]{2,}")
_EMPTY = re.compile(r"[(（]\s{0,3}[)）]")
_SUPERFLUOUS = re.compile(r" (?=[?.,;:!)）？。，])|(?<=[(（]) |^(?:[\s,，;、]|of\b)+|(?<=,),")


def cut_times(question: str, spans: Sequence[Span]) -> str:
    """The question without the spans, which are in order, and without the words that introduce them.

    The whole question if nothing else would be left.
    """
    pieces, position = [], 0
    for start, end in _join_spans([_widen_span(question, span) for span in spans], question):
        pieces.append(question[position:start])
        position = max(position, end)
    text = (" " if question.isascii() else "").join([*pieces, question[position:]])
    remaining_text = _SUPERFLUOUS.sub("", _SPACES.sub(" ", _EMPTY.sub("", text))).strip(" ,，")
    return remaining_text if any(character.isalnum() for character in remaining_text) else question


def _widen_span(question: str, span: Span) -> Span:
    """A span with the preposition before it and the particle after it."""
    preposition = _PREPOSITIONS.search(question[max(0, span[0] - _PREPOSITION_REACH) : span[0]])
    particle = _PARTICLES.match(question, span[1])
    return span[0] - (len(preposition[0]) if preposition else 0), particle.end() if particle else span[1]


def _join_spans(spans: Sequence[Span], question: str) -> Iterator[Span]:
    """The spans, those with only joining words between them as one: "2021 and 2022", "FY23 vs FY22"."""
    current: Span | None = None
    for span in spans:
        if current is None:
            current = span
        elif _CONJUNCTIONS.fullmatch(question, current[1], max(current[1], span[0])):
            current = current[0], max(current[1], span[1])
        else:
            yield current
            current = span
    if current is not None:
        yield current
