"""Chinese periods of reports, and evidence for the end of fiscal years: 第一季度, 上半年, 2023财年, 截至…止年度."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from tasks.temporal.chinese.dates import to_narrated
from tasks.temporal.chinese.lexicon import COUNT, DAY, FISCAL_YEAR, MONTH, PLAIN, YEAR, S, parse_number
from tasks.temporal.grammar import CHINESE_NUMBER, LONG_NUMBER, SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings import recurrences
from tasks.temporal.meanings.company import Period, PeriodUntil
from tasks.temporal.meanings.recurrences import Policy, Recurring
from tasks.temporal.readings import expand_year
from warehouse.records import Grain
from warehouse.records.calendars import FULL_YEAR, MONTH_END, OTHER_YEAR, QUARTER, ROLLING, STATED, TO_DATE, YearEnd

_REPORTED = "(?=[营盈净收业财获毛销出经]|GDP)"


def _read_quarter(match: re.Match[str]) -> Recurring:
    number_text = match["number"]
    return to_narrated(
        recurrences.make_quarter_of_year({"首": 1, "末": 4}.get(number_text) or parse_number(number_text))
    )


def _read_half(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_half_of_year(2 if match["half"] in ("下", "后") else 1))


def _read_first_months(match: re.Match[str]) -> Recurring:
    """前三季度 and 前九个月 are both the months from January to September."""
    count = parse_number(match["count"])
    return recurrences.make_months_of_year(1, count * 3 if match["unit"] else count)


def _read_fiscal_year(match: re.Match[str]) -> Period:
    first, last = parse_number(match["year"]), match["last"]
    year = expand_year(last) if last else first
    if last and year not in (first, first + 1):
        raise ValueError(f"no fiscal year {match[0]}")
    return Period(Grain.YEAR, year, fiscal=True)


def _read_months_ended(match: re.Match[str]) -> PeriodUntil | Recurring:
    """Without a year the latest such period that is over."""
    months = parse_number(match["count"]) if match["count"] else 6 if match["half"] else 12
    if not 1 <= months <= 36:
        raise ValueError(f"no period {match[0]}")
    month, day, fiscal = parse_number(match["month"]), parse_number(match["day"]), bool(match["fiscal"])

    def make_period(year: int) -> PeriodUntil:
        return PeriodUntil(date(year, month, day), months, fiscal=fiscal)

    if year := match.groupdict().get("year"):
        return make_period(parse_number(year))
    unresolved_value, grain = f"XXXX-{month:02}-{day:02}", make_period(2000).grain
    return Recurring(grain, Grain.YEAR, lambda first: make_period(first.year), unresolved_value, Policy.ENDED)


def _read_next_months_ended(match: re.Match[str]) -> PeriodUntil | None:
    """The nine months of 截至2023年9月30日止三个月及九个月."""
    list_match = _MONTHS_ENDED.search(match.string[max(0, match.start() - _LIST_REACH) : match.start()])
    if list_match is None:
        return None
    last = date(*(parse_number(list_match[part]) for part in ("year", "month", "day")))
    return PeriodUntil(last, parse_number(match["count"]))


_NUMBERS = {SHORT_NUMBER, CHINESE_NUMBER}
_QUARTER = "[1-4一二三四]"
_OTHER_QUARTERS = rf"(?=(?:{S}[、和及与至到]{S}第?{_QUARTER}){{1,3}}{S}[季财][季度])"
"""After one quarter of a list: 第一、二和三季度."""
_UNTIL = rf"(?:截[至止](?:{S}|于))"
_YEAR_OF = rf"(?P<year>{YEAR}){S}年"
_YEAR_BELOW = rf"(?:{S}(?P<year>{YEAR})(?:{S}年|(?![0-9A-Za-z.,%]|\s?[万亿千百元])))"
_LAST_DAY = rf"{S}(?P<month>{MONTH}){S}月{S}(?P<day>{DAY}){S}日"
_ENDED = rf"{_LAST_DAY}{S}止(?:的|为止)?{S}"
_UNTIL_DAY_OF_YEAR = rf"{_UNTIL}?{_YEAR_OF}{S}{_UNTIL}?{_ENDED}"
_LENGTH = rf"(?P<count>{COUNT}){S}个月(?:期间)?|(?P<half>半年)度?|(?P<fiscal>财政|会计|财务)?年度"
_MONTHS_ENDED = re.compile(rf"{_UNTIL_DAY_OF_YEAR}{COUNT}{S}个月(?:期间)?[及和与、]{S}\Z")
_LIST_REACH = 40

RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {LONG_NUMBER, CHINESE_NUMBER},
        rf"(?P<year>{YEAR})(?:{S}年)?(?:{S}[-–—/]{S}(?P<last>[0-9]{{4}}|[0-9]{{2}}))?{S}(?:年?{FISCAL_YEAR})",
        _read_fiscal_year,
    ),
    make_rule({LONG_NUMBER}, rf"(?P<year>{YEAR})/(?P<last>[0-9]{{4}}|[0-9]{{2}}){S}年度", _read_fiscal_year),
    make_rule({"第"}, rf"第{S}(?P<number>{_QUARTER}){S}(?:个)?[季财][季度](?<!财度)", _read_quarter),
    make_rule({"第"}, rf"第{S}(?P<number>{_QUARTER}){_OTHER_QUARTERS}", _read_quarter),
    make_rule(_NUMBERS, rf"(?<=[、和及与])(?P<number>{_QUARTER}){_OTHER_QUARTERS}", _read_quarter),
    make_rule({"第"}, rf"第{S}(?P<number>{_QUARTER}){S}季(?:(?<=[年度]第.季)|{_REPORTED})", _read_quarter),
    make_rule(
        {*_NUMBERS, "首", "末"},
        rf"(?<!第)(?<!前)(?P<number>{_QUARTER}|首|末){S}季(?:度|(?=[初末底]|{_REPORTED}))",
        _read_quarter,
    ),
    make_rule({"上", "下", "前", "后"}, "(?P<half>[上下前后])个?半年度?", _read_half),
    make_rule({"半"}, "(?<=年)(?P<half>半)年(?:度|(?=报))", _read_half),
    make_rule({"前", "首", "头"}, rf"[前首头]{S}(?P<count>[2-4二三四两]){S}(?:个)?(?P<unit>季)度?", _read_first_months),
    make_rule(
        {"前", "首", "头"}, rf"[前首头]{S}(?P<count>{MONTH}){S}个月(?P<unit>)(?<=年[前首头].个月)", _read_first_months
    ),
    make_rule(
        {"截", LONG_NUMBER, CHINESE_NUMBER},
        rf"{_UNTIL_DAY_OF_YEAR}(?:{_LENGTH})",
        _read_months_ended,
    ),
    # Headers of tables have the year below: 截至6月30日止六个月 and 2023年.
    make_rule({"截"}, rf"{_UNTIL}{_ENDED}(?:{_LENGTH}){_YEAR_BELOW}?", _read_months_ended),
    make_rule(_NUMBERS, rf"(?<=[及和与、])(?P<count>{COUNT}){S}个月(?:期间)?", _read_next_months_ended),
    # The first year of 截至二零二三年及二零二二年六月三十日止六个月.
    make_rule(
        {"截"}, rf"{_UNTIL}{_YEAR_OF}(?=[及和与、]{YEAR}{S}年{_LAST_DAY}{S}止{S}(?:{_LENGTH}))", _read_months_ended
    ),
)

_END_DAY = rf"(?:每年|(?P<year>{YEAR}) ?年)? ?(?P<month>{MONTH}) ?月(?: ?(?P<day>{DAY}) ?[日号號]|底|末)"
_ENDS = re.compile("截|[结結]束|[终終]了|止")
_ORDINAL = "(?P<quarter>[1-4一二三四])"

_AFTER_YEAR = re.compile(
    rf"{FISCAL_YEAR}(?:第?{_ORDINAL}(?:季度|财季))?"
    rf"(?P<before>[^。；;\n0-9]{{0,12}}?){_END_DAY}(?P<after>[^。；;\n0-9]{{0,5}})"
)
_NAME = re.compile(r"([12][0-9]{3}) ?$")
_UNTIL_DAY = re.compile(
    rf"截[至止] ?{_END_DAY} ?(?:止|的|为止){{0,2}}"
    rf"(?P<unit>{FISCAL_YEAR}|年度|(?:12|十二)个月|全年|(?:6|六)个月|半年|(?:9|九)个月)"
)
_YEAR_LONG = re.compile(
    rf"{FISCAL_YEAR}[^。；;\n]{{0,12}}{MONTH} ?月 ?{DAY} ?日(?:起)?(?:至|到)(?:次年|翌年|来年|第二年) ?"
    rf"(?P<month>{MONTH}) ?月 ?(?P<day>{DAY}) ?日"
)
_QUARTERS_TO_DATE = {"6": 2, "六": 2, "半": 2, "9": 3, "九": 3}


def find_year_ends(text: str) -> Iterator[YearEnd]:
    """The evidence of a Chinese text, by kind."""
    simplified_text = text.translate(PLAIN)
    readers = (
        (_AFTER_YEAR, _read_after_year),
        (_UNTIL_DAY, _read_until_day),
        (_YEAR_LONG, lambda match: _make_year_end(match, STATED)),
    )
    for pattern, read_year_end in readers:
        for match in pattern.finditer(simplified_text):
            year_end = read_year_end(match)
            if year_end is not None:
                yield replace(year_end, text=text[match.start() : match.end()])


def _read_after_year(match: re.Match[str]) -> YearEnd | None:
    if not _ENDS.search(match["before"] + match["after"]):
        return None
    quarter = parse_number(match["quarter"]) if match["quarter"] else 4
    weight = QUARTER if match["quarter"] else FULL_YEAR if match["year"] else STATED
    name = _NAME.search(match.string[max(0, match.start() - 5) : match.start()])
    return _make_year_end(match, weight, quarter, int(name[1]) if name else None)


def _read_until_day(match: re.Match[str]) -> YearEnd | None:
    unit = match["unit"]
    if unit[0] in _QUARTERS_TO_DATE:
        return _make_year_end(match, TO_DATE, _QUARTERS_TO_DATE[unit[0]])
    if unit[0] in "1十":
        return _make_year_end(match, ROLLING)
    return _make_year_end(match, FULL_YEAR if re.match(FISCAL_YEAR, unit) else OTHER_YEAR)


def _make_year_end(match: re.Match[str], weight: int, quarter: int = 4, name: int | None = None) -> YearEnd | None:
    groups = match.groupdict()
    day = parse_number(groups["day"]) if groups["day"] else MONTH_END
    year = parse_number(groups["year"]) if groups.get("year") and day != MONTH_END else None
    year_end = YearEnd(parse_number(groups["month"]), day, weight, "", year, quarter, name)
    try:
        return year_end if year_end.estimate_year_end(None) else None
    except ValueError:
        return None
