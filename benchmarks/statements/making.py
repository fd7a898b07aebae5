"""What an invented statement says: rows, columns with their periods, and where its scale is stated."""

from __future__ import annotations

from calendar import month_name
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

MONTHS = tuple(month_name[1:])
_SCALES = (
    ("in thousands", 3, ""),
    ("in millions", 6, ""),
    ("dollars in millions", 6, "money"),
    ("$ in millions", 6, "money"),
    ("$ millions", 6, "money"),
    ("$000s", 3, "money"),
    ("€m", 6, "money"),
    ("in thousands of euros", 3, "money"),
    ("Rs. crore", 7, "money"),
    ("£’000", 3, "money"),
    ("HK$ million", 6, "money"),
    ("amounts in thousands", 3, ""),
    ("in billions of yen", 9, "money"),
)
_EXCEPT = ("", "", ", except per share amounts", ", except per share data", ", except share and per share data")
PLACES = ("corner", "remark", "remarks", "title", "lead", "head", "general", "below", "column")
"""Where the scale stands: `head` is the head of the page or of the notes, `general` a sentence far above."""
_SECTIONS = (
    ("Net sales", "Membership fees", "Service revenue", "Product revenue", "Other revenue"),
    ("Cost of sales", "Selling, general and administrative", "Research and development", "Depreciation", "Impairment"),
    (
        "Interest expense",
        "Interest income and other, net",
        "Provision for income taxes",
        "Net income",
        "Dividends paid",
    ),
)
_TITLES = (
    "Condensed Consolidated Statements of Income",
    "CONSOLIDATED STATEMENTS OF OPERATIONS",
    "Consolidated Income Statement",
    "Segment Results",
    "Summary of Financial Results",
    "Revenue by Category",
)


@dataclass(frozen=True, slots=True)
class Column:
    """The header texts of a column from the top, and the days it speaks of, half-open."""

    path: tuple[str, ...]
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Row:
    """A label with its figures as printed; without figures it is a section. `power` is that of its values."""

    label: str
    texts: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    power: int | None = 0
    unit: str = ""
    is_money: bool = True


@dataclass(frozen=True, slots=True)
class Statement:
    """A table and the words around it. `scale` is the statement as printed, at `place`, `spanner` the upper header."""

    title: str
    scale: str
    place: str
    spanners: tuple[tuple[str, int], ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = field(default_factory=tuple)


def make(random: Random) -> Statement:
    """One statement."""
    words, power, subject = random.choice(_SCALES)
    place = random.choice(PLACES)
    excepted = random.choice(_EXCEPT) if place != "column" else ""
    spanners, columns = _columns(random)
    shares = None if subject and place not in ("general", "below") else power
    if "share and" in excepted:
        shares = 0
    return Statement(
        random.choice(_TITLES),
        f"{words}{excepted}",
        place,
        spanners,
        columns,
        _rows(random, len(columns), power, shares),
    )


def _columns(random: Random) -> tuple[tuple[tuple[str, int], ...], tuple[Column, ...]]:
    year, form = random.randint(2015, 2024), random.choice(("months", "weeks", "years", "days", "numeric", "bare"))
    if form == "bare":
        count = random.randint(2, 3)
        return (), tuple(_year(year - each, f"{year - each}") for each in range(count))
    if form == "years":
        count = random.randint(2, 3)
        return (("Years Ended December 31,", count),), tuple(
            _year(year - each, "Years Ended December 31,", f"{year - each}") for each in range(count)
        )
    if form == "days":
        days = [date(year, 12, 31), date(year - 1, 12, 31)]
        return (), tuple(Column((_day(day),), day, day + timedelta(1)) for day in days)
    if form == "months":
        last = random.choice((6, 9))
        lengths = [("Three Months Ended", 3), (f"{'Six' if last == 6 else 'Nine'} Months Ended", last)]
        ends = [date(year, last, 30), date(year - 1, last, 30)]
        return tuple((name, 2) for name, _ in lengths), tuple(
            Column((name, _day(end)), date(end.year, last - months + 1, 1), end + timedelta(1))
            for name, months in lengths
            for end in ends
        )
    weeks = random.choice((12, 13, 26))
    end = date(year, random.randint(4, 11), random.randint(1, 28))
    ends = [end, end - timedelta(364)]
    names = [f"{each.month}/{each.day}/{each.year}" if form == "numeric" else _day(each) for each in ends]
    head = f"{weeks} Weeks Ended"
    return ((head, 2),), tuple(
        Column((head, name), each - timedelta(7 * weeks - 1), each + timedelta(1))
        for name, each in zip(names, ends, strict=True)
    )


def _year(year: int, *path: str) -> Column:
    return Column(path, date(year, 1, 1), date(year + 1, 1, 1))


def _day(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def _rows(random: Random, count: int, power: int, shares: int | None) -> tuple[Row, ...]:
    draw = _Draw(random, count)
    found: list[Row] = []
    for section in random.sample(_SECTIONS, random.randint(1, 3)):
        if random.random() < 0.3:
            found.append(Row(f"{random.choice(('Operating', 'Financing', 'Segment'))} items:"))
        labels = random.sample(section, random.randint(2, 4))
        found += [draw.row(label, (100, 99_999, 1), "{:,}", power) for label in labels]
    others: list[tuple[str, tuple[int, int, int], str, int | None, str, bool]] = [
        ("Diluted earnings per share", (10, 999, 100), "{:.2f}", 0, "", True),
        ("Cash dividends declared per common share", (10, 99, 100), "{:.2f}", 0, "", True),
        ("Weighted average shares outstanding - basic", (100, 999, 1), "{:,}", shares, "", False),
        ("Shares used to compute diluted net income per share", (1000, 9999, 10), "{:,.1f}", shares, "", False),
        ("Effective tax rate", (100, 300, 10), "{:.1f}%", 0, "%", False),
        ("Number of stores", (200, 1900, 1), "{:,}", 0, "", False),
        ("Headcount", (1000, 20_000, 1), "{:,}", 0, "", False),
    ]
    found += [draw.row(*other[:-1], is_money=other[-1]) for other in random.sample(others, random.randint(1, 4))]
    return tuple(found)


class _Draw:
    """Draws rows of `count` figures, none of which is printed twice in a statement."""

    def __init__(self, random: Random, count: int) -> None:
        self._random = random
        self._count = count
        self._used: set[str] = set()

    def row(
        self,
        label: str,
        among: tuple[int, int, int],
        form: str,
        power: int | None,
        unit: str = "",
        *,
        is_money: bool = True,
    ) -> Row:
        """A row of figures among (least, most, divisor)."""
        least, most, divisor = among
        texts, values = [], []
        while len(texts) < self._count:
            drawn = self._random.randint(least, most)
            value = drawn / divisor if divisor > 1 else drawn
            text = form.format(value)
            if text in self._used:
                continue
            self._used.add(text)
            negative = is_money and power and self._random.random() < 0.15
            texts.append(f"({text})" if negative else text)
            values.append(-value if negative else value)
        return Row(label, tuple(texts), tuple(values), power, unit, is_money)
