"""What a Chinese text says about the end of its fiscal years: 截至2023年3月31日止财政年度, 财年于每年9月30日结束."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tasks.temporal.chinese.lexicon import DAY, MONTH, PLAIN, YEAR, number
from warehouse.records.fiscal import MONTH_END, PLAIN_YEAR, QUARTER, ROLLING, STATED, TO_DATE, WHOLE_YEAR, YearEnd

_FISCAL = "(?:财年|财政年度|会计年度)"
_DAY = rf"(?:每年|(?P<year>{YEAR}) ?年)? ?(?P<month>{MONTH}) ?月(?: ?(?P<day>{DAY}) ?[日号號]|底|末)"
_UNTIL = re.compile("截|[结結]束|[终終]了|止")
_ORDINAL = "(?P<quarter>[1-4一二三四])"

_AFTER_YEAR = re.compile(
    rf"{_FISCAL}(?:第?{_ORDINAL}(?:季度|财季))?"
    rf"(?P<before>[^。；;\n0-9]{{0,12}}?){_DAY}(?P<after>[^。；;\n0-9]{{0,5}})"
)
_NAME = re.compile(r"([12][0-9]{3}) ?$")
_UNTIL_DAY = re.compile(
    rf"截[至止] ?{_DAY} ?(?:止|的|为止){{0,2}}"
    rf"(?P<unit>{_FISCAL}|年度|(?:12|十二)个月|全年|(?:6|六)个月|半年|(?:9|九)个月)"
)
_YEAR_LONG = re.compile(
    rf"{_FISCAL}[^。；;\n]{{0,12}}{MONTH} ?月 ?{DAY} ?日(?:起)?(?:至|到)(?:次年|翌年|来年|第二年) ?"
    rf"(?P<month>{MONTH}) ?月 ?(?P<day>{DAY}) ?日"
)
_QUARTERS = {"6": 2, "六": 2, "半": 2, "9": 3, "九": 3}


def year_ends(text: str) -> Iterator[YearEnd]:
    """The evidence of a Chinese text, by kind."""
    plain = text.translate(PLAIN)
    for pattern, read in ((_AFTER_YEAR, _after_year), (_UNTIL_DAY, _until_day), (_YEAR_LONG, _year_long)):
        for match in pattern.finditer(plain):
            found = read(match)
            if found is not None:
                yield replace(found, text=text[match.start() : match.end()])


def _after_year(match: re.Match[str]) -> YearEnd | None:
    if not _UNTIL.search(match["before"] + match["after"]):
        return None
    quarter = number(match["quarter"]) if match["quarter"] else 4
    weight = QUARTER if match["quarter"] else WHOLE_YEAR if match["year"] else STATED
    name = _NAME.search(match.string[max(0, match.start() - 5) : match.start()])
    return _made(match, weight, quarter, int(name[1]) if name else None)


def _until_day(match: re.Match[str]) -> YearEnd | None:
    unit = match["unit"]
    if unit[0] in _QUARTERS:
        return _made(match, TO_DATE, _QUARTERS[unit[0]])
    if unit[0] in "1十":
        return _made(match, ROLLING)
    return _made(match, WHOLE_YEAR if re.match(_FISCAL, unit) else PLAIN_YEAR)


def _year_long(match: re.Match[str]) -> YearEnd | None:
    return _made(match, STATED)


def _made(match: re.Match[str], weight: int, quarter: int = 4, name: int | None = None) -> YearEnd | None:
    groups = match.groupdict()
    day = number(groups["day"]) if groups["day"] else MONTH_END
    year = number(groups["year"]) if groups.get("year") and day != MONTH_END else None
    found = YearEnd(number(groups["month"]), day, weight, "", year, quarter, name)
    try:
        return found if found.year_end(None) else None
    except ValueError:
        return None
