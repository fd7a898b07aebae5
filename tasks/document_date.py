"""Date and title of a document, where content and file name disagree or are silent.

A document that nothing dates is undated: files are copied and checked out, so the time of a file says nothing of what
it holds. Notes, courses, books and messages speak of any time, so the first date in their text dates none; reports,
which give the date of their period on the cover, and other texts are dated by it where nothing else says more. A log
whose headings, or rows of a table, are days is of the newest of them that has begun: it is as new as its last entry. So
is a mailbox.

A claim that cannot be true is set aside: years before 1000 (programs write an unset date as year 1), years after the
next but one, days after tomorrow that a program or the running text gives, and properties that a program filled in by
default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePosixPath

from tasks.faults import DISPUTED_DATE
from tasks.parsers.written_dates import parse_entry_date
from tasks.temporal.tagger import tag
from warehouse.records import DateClaim, DateOrigin, Finding, Grain, Kind, Mention, TimexType
from warehouse.records.fiscal import DAY, WEEK, Interval

_TRUST = tuple(DateOrigin)
_FINEST = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF, Grain.YEAR)
_STRONG = frozenset(DateOrigin) - {DateOrigin.FILE_TIME, DateOrigin.ROWS, DateOrigin.TEXT}
"""What says of which day a document is itself; rows and texts speak of other days as well."""
_WILD = timedelta(days=730)
_FIRST_YEAR = 1000
_YEARS_AHEAD = 2
"""Issues and calendars bear a date up to the year after next; what lies further ahead is a slip or a subject."""
_PAST_ONLY = frozenset({DateOrigin.MESSAGE, DateOrigin.PROPERTIES, DateOrigin.TEXT})
"""A program stamps the moment of writing, and a text that speaks of a day to come was not written on it."""
_OF_ENTRIES = frozenset({DateOrigin.HEADING, DateOrigin.MESSAGE})
"""What a document may claim many days by, each of which is a part of it."""
_OF_ANY_TIME = frozenset({Kind.NOTE, Kind.COURSE, Kind.MESSAGE, Kind.BOOK})
_FIRST_PROPERTIES = 1985
_DEFAULTS = frozenset({date(2000, 1, 1), date(2013, 12, 23)})
"""What reportlab and python-docx write where nobody says otherwise."""
_HOUR_IN_NAME = r"(?:(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?)"
_COMPACT = re.compile(
    rf"(?<![0-9])((?:19|20)[0-9]{{2}})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?:T?{_HOUR_IN_NAME})?(?![0-9])"
)
_DAY_IN_NAME = r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_STAMPED = re.compile(rf"\A{_DAY_IN_NAME}T?{_HOUR_IN_NAME}[\s_-]+(?P<title>\S.*?)(?:__[^\W_]\w*)?\Z")
_HASHED = re.compile(r"(?<=\S)\s[0-9a-f]{32}\Z")
"""What programs put into the names of notes: a moment that is their id, tags behind `__`, 32 hexadecimal digits."""
_JOINED = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})([_ .])(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_JOINTS = re.compile(r"[_\s]+")
_WORD_JOINTS = re.compile(r"(?<=[^\W\d_])-|-(?=[^\W\d_])|_+|\s+")


def choose_date(
    claims: Iterable[DateClaim],
    name: str,
    kind: Kind,
    named: Interval | None = None,
    today: date | None = None,
    folder: str = "",
) -> DateClaim | None:
    """The most trusted claim that can be true, in the order of `DateOrigin`; the first among equals; None if undated.

    To the claims of the content is added a date in the file's name: the last day of a year, quarter or month, unless
    the text has a day of that period ("10k-2023", "for the fiscal year ended June 30, 2023"). A note whose name is a
    date is of the first of those days, which are `named`. Where there is no claim, the name of the `folder` may begin
    with the day. `today` (UTC, by default) bounds what can be true.
    """
    day = today or datetime.now(UTC).date()
    every = [*claims, *find_name_claims(name, before=date(day.year, 12, 31)), *_iter_note_name_claims(kind, named)]
    believed = (claim for claim in every if claim.origin is not DateOrigin.TEXT or kind not in _OF_ANY_TIME)
    possible = sorted((claim for claim in believed if _is_possible(claim, day)), key=_rank)
    possible = possible or [claim for claim in _iter_folder_claims(folder) if _is_possible(claim, day)]
    if not possible:
        return None
    chosen, period = possible[0], _find_mention(name)
    if chosen.origin is DateOrigin.HEADING:
        of_name = (claim for claim in possible if claim.origin is DateOrigin.FILE_NAME)
        is_day = period is not None and _get_grain(period) is Grain.DAY
        return next(of_name, chosen) if is_day else _find_newest_entry(possible, chosen.origin, day)
    if chosen.origin is DateOrigin.FILE_NAME and period and period.start_date and period.end_date:
        within = [claim for claim in possible[1:] if period.start_date <= claim.date < period.end_date]
        chosen = next(iter(within), chosen)
        possible = within or possible
    return _find_newest_entry(possible, chosen.origin, day) if chosen.origin is DateOrigin.ROWS else chosen


def select_named_days(kind: Kind, named: Interval | None) -> Interval | None:
    """The days in a name, where a document of this kind is of them: a note, or a text that is named by a day or week.

    A text that is named by a month or a quarter is more often about it.
    """
    is_own = kind is Kind.NOTE or (kind is Kind.TEXT and named is not None and named[1] - named[0] <= WEEK)
    return named if is_own else None


def _iter_note_name_claims(kind: Kind, named: Interval | None) -> Iterator[DateClaim]:
    if days := select_named_days(kind, named):
        yield DateClaim(days[0], DateOrigin.NOTE_NAME)


def _iter_folder_claims(folder: str) -> Iterator[DateClaim]:
    """The day that the name of a folder begins with: programs make one for each meeting."""
    if day := parse_entry_date(_COMPACT.sub(r"\1-\2-\3 ", folder)):
        yield DateClaim(day, DateOrigin.FILE_NAME)


def _find_newest_entry(claims: Iterable[DateClaim], origin: DateOrigin, today: date) -> DateClaim:
    """The last day of an entry or row that is not after tomorrow, else the first day: all of them are plans then."""
    entries = sorted(claim.date for claim in claims if claim.origin is origin)
    begun = [each for each in entries if each <= today + DAY]
    return DateClaim(begun[-1] if begun else entries[0], origin)


def _is_possible(claim: DateClaim, today: date) -> bool:
    """Whether a document that is read today can be of that date. It may be tomorrow elsewhere."""
    last = today + DAY if claim.origin in _PAST_ONLY else date(today.year + _YEARS_AHEAD, 12, 31)
    return claim.date.year >= _FIRST_YEAR and claim.date <= last and not _is_default(claim)


def find_date_disputes(claims: Iterable[DateClaim], name: str, chosen: DateClaim | None) -> tuple[Finding, ...]:
    """DOC015 where the date chosen for a document and another trustworthy claim lie more than two years apart.

    One finding for each such source, with its claim nearest to the chosen date; also for claims that were set aside,
    be it that none was left. Dates in the text say nothing here: texts speak of other times. Nor do properties of a
    later day than a more trusted date: they say when the file was made, and files are made anew; nor the headings of a
    log or a daily note, which are days of entries. Nor is disputed what a person corrected.
    """
    claims = tuple(claims)
    if chosen is not None and chosen.origin is DateOrigin.CORRECTED:
        return ()
    if chosen is None:
        refused = {claim.origin: claim for claim in (*claims, *find_name_claims(name, before=date.min))}
        strong = (claim for claim in refused.values() if claim.origin in _STRONG and not _is_default(claim))
        message = "the document is undated: {} cannot be its own"
        return tuple(
            DISPUTED_DATE.make_finding(message.format(_format_claim(claim))) for claim in sorted(strong, key=_rank)
        )
    nearest: dict[DateOrigin, DateClaim] = {}
    headed = {claim.date for claim in claims if claim.origin is DateOrigin.HEADING}
    is_log = len(headed) > 1 or chosen.origin is DateOrigin.NOTE_NAME
    entry_days = {claim.date for claim in claims if claim.origin is chosen.origin in _OF_ENTRIES} or {chosen.date}
    for claim in (*claims, *find_name_claims(name, before=chosen.date)):
        is_entry = is_log and claim.origin is DateOrigin.HEADING
        is_other = claim.origin in _STRONG and claim.origin is not chosen.origin and not is_entry
        is_later = claim.date > chosen.date and _rank(chosen) < _rank(claim)
        is_made_anew = claim.origin is DateOrigin.PROPERTIES and is_later
        if is_other and not _is_default(claim) and not is_made_anew:
            known = nearest.get(claim.origin, claim)
            nearest[claim.origin] = min(known, claim, key=lambda either: abs(either.date - chosen.date))
    found = []
    for claim in sorted(nearest.values(), key=_rank):
        contrast = (
            f"since {_format_claim(claim)}, which cannot be its own"
            if _rank(claim) < _rank(chosen)
            else f"but {_format_claim(claim)}"
        )
        if min(abs(claim.date - day) for day in entry_days) > _WILD:
            found.append(DISPUTED_DATE.make_finding(f"{_format_claim(chosen)} is taken, {contrast}"))
    return tuple(found)


def _format_claim(claim: DateClaim) -> str:
    return f"{claim.date.isoformat()} ({claim.origin})"


def _rank(claim: DateClaim) -> int:
    return _TRUST.index(claim.origin)


def _is_default(claim: DateClaim) -> bool:
    """Whether a program, and no person, chose it: a default, or a day before there were such files."""
    unset = claim.date.year < _FIRST_PROPERTIES or claim.date in _DEFAULTS
    return claim.origin is DateOrigin.PROPERTIES and unset


def _find_mention(name: str) -> Mention | None:
    stem = PurePosixPath(name).stem
    spaced = _JOINTS.sub(" ", _JOINED.sub(r" \1-\3-\4 ", _COMPACT.sub(r" \1-\2-\3 ", stem)))
    dated = [mention for mention in tag(spaced, None, "und") if mention.end_date and not mention.relative]
    ranked = [(_FINEST.index(grain), mention) for mention in dated if (grain := _get_grain(mention)) in _FINEST]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _get_grain(mention: Mention) -> Grain | None:
    """The grain of a mention; a time of day counts as its day."""
    return Grain.DAY if mention.type is TimexType.TIME else mention.grain


def choose_title(own_title: str, name: str) -> str:
    """The content's own title, else the file's name without its suffix, its joints made spaces."""
    stem = PurePosixPath(name).stem
    named = _HASHED.sub("", _STAMPED.sub(r"\g<title>", stem))
    return " ".join(own_title.split()) or _WORD_JOINTS.sub(" ", named).strip() or stem


def find_name_claims(name: str, before: date = date.max) -> Iterator[DateClaim]:
    """The date in a file's name, if any; a bare year after `before` may be a subject (Agenda 2030) and is none."""
    found = _find_mention(name)
    if found is None or found.end_date is None:
        return
    day = found.start_date if _get_grain(found) is Grain.DAY else found.end_date - DAY
    if day is not None and (day <= before or found.grain is not Grain.YEAR):
        yield DateClaim(day, DateOrigin.FILE_NAME)
