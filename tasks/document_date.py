"""Date and title of a document, if content and file name disagree or give none.

A document without any evidence is undated: files are copied and checked out, so the time of a file says nothing about
its content. Notes, courses, books and messages speak of any time, so the first date in their text does not date them;
reports, which give the date of their period on the cover, and other texts are dated by it if there is no better
evidence. A log whose headings, or rows of a table, are days is dated by the newest of them that is not in the future:
it is as new as its last entry. So is a mailbox.

A claim that cannot be true is ignored: years before 1000 (programs write an unset date as year 1), years after the next
but one, days after tomorrow that a program or the running text gives, and properties that a program filled in by
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

_ORIGINS_BY_TRUST = tuple(DateOrigin)
_GRAINS = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF, Grain.YEAR)
_TRUSTED_ORIGINS = frozenset(DateOrigin) - {DateOrigin.FILE_TIME, DateOrigin.ROWS, DateOrigin.TEXT}
"""The origins of a document's own date; rows and texts have other dates as well."""
_MAX_DISPUTE = timedelta(days=730)
_FIRST_YEAR = 1000
_YEARS_AHEAD = 2
"""Issues and calendars have dates up to the year after next; a later date is an error or a subject."""
_PAST_ONLY = frozenset({DateOrigin.MESSAGE, DateOrigin.PROPERTIES, DateOrigin.TEXT})
"""Programs write the time of writing, and a text that mentions a future day was not written on that day."""
_ENTRY_ORIGINS = frozenset({DateOrigin.HEADING, DateOrigin.MESSAGE})
"""The origins that may give a document many days, one for each of its parts."""
_TIMELESS_KINDS = frozenset({Kind.NOTE, Kind.COURSE, Kind.MESSAGE, Kind.BOOK})
_FIRST_PROPERTIES = 1985
_DEFAULTS = frozenset({date(2000, 1, 1), date(2013, 12, 23)})
"""The defaults of reportlab and python-docx."""
_HOUR_IN_NAME = r"(?:(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?)"
_COMPACT = re.compile(
    rf"(?<![0-9])((?:19|20)[0-9]{{2}})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?:T?{_HOUR_IN_NAME})?(?![0-9])"
)
_DAY_IN_NAME = r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_STAMPED = re.compile(rf"\A{_DAY_IN_NAME}T?{_HOUR_IN_NAME}[\s_-]+(?P<title>\S.*?)(?:__[^\W_]\w*)?\Z")
_HASHED = re.compile(r"(?<=\S)\s[0-9a-f]{32}\Z")
"""Parts of the names of notes that programs add: a time as id, tags after `__`, 32 hexadecimal digits."""
_JOINED = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})([_ .])(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_JOINTS = re.compile(r"[_\s]+")
_WORD_JOINTS = re.compile(r"(?<=[^\W\d_])-|-(?=[^\W\d_])|_+|\s+")


def choose_date(
    claims: Iterable[DateClaim],
    name: str,
    kind: Kind,
    name_days: Interval | None = None,
    today: date | None = None,
    folder: str = "",
) -> DateClaim | None:
    """The most trusted claim that can be true, in the order of `DateOrigin`; the first among equals; None if undated.

    A date in the file's name is added to the claims of the content: the last day of a year, quarter or month, unless
    the text has a day of that period ("10k-2023", "for the fiscal year ended June 30, 2023"). A note whose name is a
    date is of the first of those days, `name_days`. If there is no claim, the name of the `folder` may begin with it.
    `today` (UTC, by default) limits what can be true.
    """
    day = today or datetime.now(UTC).date()
    known = [*claims, *find_name_claims(name, before=date(day.year, 12, 31)), *_iter_note_name_claims(kind, name_days)]
    accepted = (claim for claim in known if claim.origin is not DateOrigin.TEXT or kind not in _TIMELESS_KINDS)
    candidates = sorted((claim for claim in accepted if _is_possible(claim, day)), key=_rank)
    candidates = candidates or [claim for claim in _iter_folder_claims(folder) if _is_possible(claim, day)]
    if not candidates:
        return None
    choice, period = candidates[0], _find_mention(name)
    if choice.origin is DateOrigin.HEADING:
        name_claims = (claim for claim in candidates if claim.origin is DateOrigin.FILE_NAME)
        is_day = period is not None and _get_grain(period) is Grain.DAY
        return next(name_claims, choice) if is_day else _find_newest_entry(candidates, choice.origin, day)
    if choice.origin is DateOrigin.FILE_NAME and period and period.start_date and period.end_date:
        within = [claim for claim in candidates[1:] if period.start_date <= claim.date < period.end_date]
        choice = next(iter(within), choice)
        candidates = within or candidates
    return _find_newest_entry(candidates, choice.origin, day) if choice.origin is DateOrigin.ROWS else choice


def select_named_days(kind: Kind, days: Interval | None) -> Interval | None:
    """The days in a name, if they date a document of this kind: a note, or a text named by a day or week.

    A text named by a month or a quarter is more often about it.
    """
    is_own = kind is Kind.NOTE or (kind is Kind.TEXT and days is not None and days[1] - days[0] <= WEEK)
    return days if is_own else None


def _iter_note_name_claims(kind: Kind, name_days: Interval | None) -> Iterator[DateClaim]:
    if days := select_named_days(kind, name_days):
        yield DateClaim(days[0], DateOrigin.NOTE_NAME)


def _iter_folder_claims(folder: str) -> Iterator[DateClaim]:
    """The day at the start of a folder's name: programs make a folder for each meeting."""
    if day := parse_entry_date(_COMPACT.sub(r"\1-\2-\3 ", folder)):
        yield DateClaim(day, DateOrigin.FILE_NAME)


def _find_newest_entry(claims: Iterable[DateClaim], origin: DateOrigin, today: date) -> DateClaim:
    """The last day of an entry or row that is not after tomorrow, else the first day, as all of them are then plans."""
    entries = sorted(claim.date for claim in claims if claim.origin is origin)
    past = [day for day in entries if day <= today + DAY]
    return DateClaim(past[-1] if past else entries[0], origin)


def _is_possible(claim: DateClaim, today: date) -> bool:
    """Whether a document that is read today can have that date. In other time zones it may be tomorrow."""
    last = today + DAY if claim.origin in _PAST_ONLY else date(today.year + _YEARS_AHEAD, 12, 31)
    return claim.date.year >= _FIRST_YEAR and claim.date <= last and not _is_default(claim)


def find_date_disputes(claims: Iterable[DateClaim], name: str, choice: DateClaim | None) -> tuple[Finding, ...]:
    """DOC015 if the date chosen for a document and another trustworthy claim are more than two years apart.

    One finding for each such source, with its claim nearest to the chosen date; also for claims that were ignored,
    even if none was left. Dates in the text do not count, as texts speak of other times; nor do properties with a later
    day than a more trusted date, as they date the file, and files are made again; nor the headings of a log or a daily
    note, which are days of entries; nor is there a finding for a date that a person corrected.
    """
    claims = tuple(claims)
    if choice is not None and choice.origin is DateOrigin.CORRECTED:
        return ()
    if choice is None:
        refusals = {claim.origin: claim for claim in (*claims, *find_name_claims(name, before=date.min))}
        strong = (claim for claim in refusals.values() if claim.origin in _TRUSTED_ORIGINS and not _is_default(claim))
        message = "the document is undated: {} cannot be its own"
        return tuple(
            DISPUTED_DATE.make_finding(message.format(_format_claim(claim))) for claim in sorted(strong, key=_rank)
        )
    nearest: dict[DateOrigin, DateClaim] = {}
    headings = {claim.date for claim in claims if claim.origin is DateOrigin.HEADING}
    is_log = len(headings) > 1 or choice.origin is DateOrigin.NOTE_NAME
    entry_days = {claim.date for claim in claims if claim.origin is choice.origin in _ENTRY_ORIGINS} or {choice.date}
    for claim in (*claims, *find_name_claims(name, before=choice.date)):
        is_entry = is_log and claim.origin is DateOrigin.HEADING
        is_other = claim.origin in _TRUSTED_ORIGINS and claim.origin is not choice.origin and not is_entry
        is_later = claim.date > choice.date and _rank(choice) < _rank(claim)
        is_made_anew = claim.origin is DateOrigin.PROPERTIES and is_later
        if is_other and not _is_default(claim) and not is_made_anew:
            previous = nearest.get(claim.origin, claim)
            nearest[claim.origin] = min(previous, claim, key=lambda either: abs(either.date - choice.date))
    findings = []
    for claim in sorted(nearest.values(), key=_rank):
        contrast = (
            f"since {_format_claim(claim)}, which cannot be its own"
            if _rank(claim) < _rank(choice)
            else f"but {_format_claim(claim)}"
        )
        if min(abs(claim.date - day) for day in entry_days) > _MAX_DISPUTE:
            findings.append(DISPUTED_DATE.make_finding(f"{_format_claim(choice)} is taken, {contrast}"))
    return tuple(findings)


def _format_claim(claim: DateClaim) -> str:
    return f"{claim.date.isoformat()} ({claim.origin})"


def _rank(claim: DateClaim) -> int:
    return _ORIGINS_BY_TRUST.index(claim.origin)


def _is_default(claim: DateClaim) -> bool:
    """Whether a program chose it and no person: a default, or a day before such files existed."""
    is_unset = claim.date.year < _FIRST_PROPERTIES or claim.date in _DEFAULTS
    return claim.origin is DateOrigin.PROPERTIES and is_unset


def _find_mention(name: str) -> Mention | None:
    stem = PurePosixPath(name).stem
    spaced = _JOINTS.sub(" ", _JOINED.sub(r" \1-\3-\4 ", _COMPACT.sub(r" \1-\2-\3 ", stem)))
    dates = [mention for mention in tag(spaced, None, "und") if mention.end_date and not mention.relative]
    ranked = [(_GRAINS.index(grain), mention) for mention in dates if (grain := _get_grain(mention)) in _GRAINS]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _get_grain(mention: Mention) -> Grain | None:
    """The grain of a mention; a time of day counts as its day."""
    return Grain.DAY if mention.type is TimexType.TIME else mention.grain


def choose_title(own_title: str, name: str) -> str:
    """The content's own title, else the file's name without its suffix, with spaces for its joints."""
    stem = PurePosixPath(name).stem
    clean_name = _HASHED.sub("", _STAMPED.sub(r"\g<title>", stem))
    return " ".join(own_title.split()) or _WORD_JOINTS.sub(" ", clean_name).strip() or stem


def find_name_claims(name: str, before: date = date.max) -> Iterator[DateClaim]:
    """The date in a file's name, if any; a bare year after `before` may be a subject (Agenda 2030) and is none."""
    mention = _find_mention(name)
    if mention is None or mention.end_date is None:
        return
    day = mention.start_date if _get_grain(mention) is Grain.DAY else mention.end_date - DAY
    if day is not None and (day <= before or mention.grain is not Grain.YEAR):
        yield DateClaim(day, DateOrigin.FILE_NAME)
