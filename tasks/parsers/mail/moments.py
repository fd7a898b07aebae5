"""Days and hours as mail has them: in the headers of messages, and in the lines above what a reply quotes.

Programs write those lines in the language of their users: "Am Mi., 12. März 2025 um 14:05 Uhr schrieb Anna Weber".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_tz

from tasks.parsers.written_dates import make_date

_EARLIEST, _LATEST = 1970, 2100
_DAY = 86_400  # Seconds.
_MONTHS = (
    (
        "jan january januar jänner janvier enero ene gennaio gen januari janeiro"
        " stycznia ledna január januára tammikuuta ianuarie ocak oca января янв січня"
    ),
    (
        "feb february februar février fevrier févr fév febrero febbraio februari fevereiro fev"
        " lutego února február februára helmikuuta februarie şubat şub февраля февр фев лютого"
    ),
    "mar march märz mrz mär mars marzo maart mrt março marca března március maaliskuuta martie mart марта мар березня",
    "apr april avril avr abril abr aprile kwietnia dubna április apríla huhtikuuta aprilie nisan nis апреля апр квітня",
    "may mai mayo maggio mag mei maio maja maj května május mája toukokuuta mayıs мая травня",
    "jun june juni juin junio giugno giu junho czerwca června június júna kesäkuuta iunie haziran haz июня июн червня",
    (
        "jul july juli juillet juil julio luglio lug julho"
        " lipca července július júla heinäkuuta iulie temmuz tem июля июл липня"
    ),
    "aug august août aout agosto ago augustus sierpnia srpna augusztus augusta elokuuta ağustos ağu августа авг серпня",
    (
        "sep sept september septembre septiembre settembre set setembro"
        " września září szeptember septembra syyskuuta septembrie eylül eyl сентября сент сен вересня"
    ),
    (
        "oct october oktober okt octobre octubre ottobre ott outubro out"
        " października října október októbra lokakuuta octombrie ekim eki октября окт жовтня"
    ),
    (
        "nov november novembre noviembre novembro"
        " listopadu novembra marraskuuta noiembrie kasım kas ноября нояб ноя листопада"
    ),
    (
        "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro"
        " grudnia prosince decembra joulukuuta decembrie aralık ara декабря дек грудня"
    ),
)
"""The names of the months in the languages of mail programs, from January."""


def fold_letters(text: str) -> str:
    """A text in small letters, with one letter for those that a pattern takes for the same: "KASIM" and "kasım"."""
    return text.casefold().replace("ı", "i").replace("\u0307", "")


_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_FOLDED_NUMBERS = {fold_letters(name): number for name, number in _NUMBERS.items()}
_MONTH = rf"(?P<name>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b\.?"
_DATES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<y>\d{4})(?:[-/.]|\s*年\s*)(?P<m>\d{1,2})(?:[-/.]|\s*月\s*)(?P<d>\d{1,2})(?!\d)",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th|er|º)?\s*(?:de\s+)?{_MONTH},?\s*(?:de\s+)?(?P<y>\d{{4}})",
        rf"(?<!\d)(?P<y>\d{{4}})\.?\s+{_MONTH}\s+(?P<d>\d{{1,2}})(?!\d)",
        rf"\b{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})",
        r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4}|\d{2})(?!\d)",
        r"(?<![\d/-])(?P<a>\d{1,2})([/-])(?P<b>\d{1,2})\2(?P<y>\d{4}|\d{2})(?!\d)",
    )
)
_HOUR = re.compile(
    r"(?P<before>上午|早上|下午|晚上|中午)?\s*(?<![\d:.])(?P<h>\d{1,2})[:h](?P<m>\d{2})(?::\d{2})?(?!\d)"
    r"(?:\s*(?P<after>[ap])\.?\s?m\b)?",
    re.IGNORECASE,
)
_NOON = 12


@dataclass(frozen=True, slots=True)
class Moment:
    """When a message was sent: the sender's local time, and its offset from UTC in minutes, if known."""

    local: datetime
    utc_offset: int | None = None

    @property
    def instant(self) -> datetime:
        """The same moment in UTC, to compare messages of several zones by."""
        return (self.local - timedelta(minutes=self.utc_offset or 0)).replace(tzinfo=UTC)

    @property
    def day(self) -> date:
        """The sender's own day."""
        return self.local.date()


def read_moment(value: str) -> Moment | None:
    """The moment of a date as headers have it (RFC 5322, 3.3, and what is written instead); None for none."""
    try:
        parts = parsedate_tz(value)
        if parts is None:
            moment = datetime.fromisoformat(value.strip())
            local, zone = moment.replace(tzinfo=None), moment.utcoffset()
            seconds_ahead = None if zone is None else zone.total_seconds()
        else:
            local, seconds_ahead = datetime(*parts[:6]), parts[9]  # noqa: DTZ001  (the sender's own clock)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if not _EARLIEST <= local.year <= _LATEST:
        return None
    is_zone = seconds_ahead is not None and abs(seconds_ahead) < _DAY
    return Moment(local, int(seconds_ahead or 0) // 60 if is_zone else None)


def find_day(text: str, latest: date | None = None) -> tuple[date | None, time | None]:
    """The day and hour that a line of any language has, None for what it has not.

    Where day and month may be exchanged ("3/10/25"), it is the reading that is nearest to `latest` and not after it;
    none without that.
    """
    for form in _DATES:
        match = form.search(text)
        days = sorted(_iter_readings(match, latest)) if match else []
        if match and days:
            return days[-1], _find_hour(f"{text[: match.start()]} {text[match.end() :]}")
    return None, None


def _iter_readings(match: re.Match[str], latest: date | None) -> Iterator[date]:
    parts = match.groupdict()
    year = int(parts["y"]) + 2000 * (len(parts["y"]) == 2)
    if parts.get("a"):
        first, second = int(parts["a"]), int(parts["b"])
        days = {day for day in (make_date(year, second, first), make_date(year, first, second)) if day}
        yield from days if len(days) == 1 else (day for day in days if latest and day <= latest)
        return
    month = _FOLDED_NUMBERS[fold_letters(parts["name"])] if parts.get("name") else int(parts["m"])
    day = make_date(year, month, int(parts["d"]))
    if day and _EARLIEST <= year <= _LATEST:
        yield day


def _find_hour(text: str) -> time | None:
    match = _HOUR.search(text)
    if match is None:
        return None
    hour, minute = int(match["h"]), int(match["m"])
    is_late = (match["after"] or "").lower() == "p" or match["before"] in ("下午", "晚上")
    if is_late and hour < _NOON:
        hour += _NOON
    if (match["after"] or "").lower() == "a" and hour == _NOON:
        hour = 0
    return time(hour, minute) if hour < 2 * _NOON and minute < 60 else None
