"""Japanese times that Chinese does not have: 午前9時30分, 先週の土曜日, 昨年度, 2024年3月期第1四半期, 毎週木曜日.

The rest is written as in Chinese, and read by its rules. Words are in the characters of `PLAIN`: 時 is 时, 週 is 周.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from tasks.temporal import readings
from tasks.temporal.chinese.dates import ERA_YEAR, parse_era_year, to_narrated
from tasks.temporal.chinese.lexicon import COUNT, MONTH, YEAR, S, match_any, parse_number
from tasks.temporal.chinese.signals import DATED
from tasks.temporal.chinese.times import HANDS, join_clocks, join_timed_and_clock, read_clock
from tasks.temporal.english.date_ranges import join_range
from tasks.temporal.english.sets import join_set_and_clock
from tasks.temporal.grammar import (
    CHINESE_NUMBER,
    LONG_NUMBER,
    MIDDLE_NUMBER,
    SHORT_NUMBER,
    GrammarRule,
    JoinRule,
    make_rule,
)
from tasks.temporal.meanings import recurrences
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, TimeOnDay
from tasks.temporal.meanings.company import Period, PeriodUntil
from tasks.temporal.meanings.offsets import Origin, SamePeriod, Shift
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.spans import Duration, TimeSet
from tasks.temporal.readings import Context, Meaning, MentionFields
from warehouse.records import Calendar, Grain
from warehouse.records.calendars import DAY, add_months

_WEEKDAYS = "月火水木金土日"
_WEEKDAY = rf"(?P<weekday>[{_WEEKDAYS}])曜日?"
_UNITS = {"月": Grain.MONTH, "周": Grain.WEEK}
_STEPS = {"先": -1, "先々": -2, "今": 0, "来": 1, "再来": 2}
_DAYS = {"一昨日": -2, "昨晩": -1, "明后日": 2}
_YEARS = {"昨": -1, "一昨": -2, "再来": 2}
_LENGTHS = {"周间": Grain.WEEK, "日间": Grain.DAY, "时间": Grain.HOUR, "分间": Grain.MINUTE}
_LENGTHS |= {f"{counter}月{end}": Grain.MONTH for counter in "かカヶケヵ" for end in ("", "间")} | {
    "个月间": Grain.MONTH
}
_NUMBERS = {SHORT_NUMBER, MIDDLE_NUMBER, CHINESE_NUMBER}
_NO_WORD = "(?<![马以之早晚应相适未将近原本从往到再历])"
_PERIODS = {"上": 0, "下": 6}
_YEAR_AND_MONTH = rf"(?:{ERA_YEAR}|(?P<year>{YEAR})){S}年{S}(?P<month>{MONTH}){S}月期(?!间)"
_PART_OF_YEAR = (
    rf"(?:{S}の?{S}(?:第?(?P<quarter>[1-4一二三四])四半期|(?P<half>[上下])半?期|(?P<middle>第2四半期累[计計]|中间期)))?"
)


def _read_fiscal_year(match: re.Match[str]) -> Meaning:
    """The year that ends with that month, or a quarter or half of it: 2024年3月期第1四半期."""
    year = parse_era_year(match).year if match["era"] else parse_number(match["year"])
    first = add_months(date(year, parse_number(match["month"]), 1), -11)
    if match["quarter"]:
        return readings.make_months_until(add_months(first, 3 * parse_number(match["quarter"])) - DAY, 3)
    if match["half"] or match["middle"]:
        return readings.make_months_until(add_months(first, _PERIODS[match["half"] or "上"] + 6) - DAY, 6)
    return PeriodUntil(add_months(first, 12) - DAY, 12, fiscal=True)


@dataclass(frozen=True, slots=True)
class JapaneseFiscalYear(Period):
    """2022年度, which begins in that year: with April, unless the company's calendar is known."""

    def resolve(self, context: Context) -> MentionFields:
        """See `Meaning`."""
        days, basis = readings.make_months_interval(self.year, 4, 12), "a Japanese fiscal year begins with April"
        if context.fiscal is not None:
            days = context.fiscal.find_months(context.fiscal.find_year(date(self.year, 12, 31)), 1, 12)
            basis = context.fiscal.basis
        return MentionFields(f"FY{self.year:04}", days, Grain.YEAR, calendar=Calendar.FISCAL, basis=basis)


def _read_decade(match: re.Match[str]) -> MentionFields:
    """The ten years from 昭和40年 on."""
    first = parse_era_year(match).year
    return MentionFields(f"{first:04}/{first + 9:04}", readings.make_years_interval(first, 10), Grain.DECADE)


def _read_weekday(match: re.Match[str]) -> Recurring:
    return recurrences.make_weekday(_WEEKDAYS.index(match["weekday"]))


def _read_half(match: re.Match[str]) -> Recurring:
    return to_narrated(recurrences.make_half_of_year(1 if match["half"] == "上" else 2))


RULES: tuple[GrammarRule, ...] = (
    make_rule(
        {"午", "朝", "昼", "夜", "夕", "早"}, rf"(?P<part>午前|早朝|夕方|[朝昼夜])の?{S}{HANDS}(?!间)", read_clock
    ),
    make_rule({"今"}, "今朝(?![有酒醉的风])", TimeOnDay(Shift(Grain.DAY, 0), DayPart("MO", Grain.PART))),
    make_rule(set(_WEEKDAYS), _WEEKDAY, _read_weekday),
    make_rule({"每"}, rf"每周の?{_WEEKDAY}", lambda match: TimeSet(_read_weekday(match).unresolved_value, Grain.DAY)),
    make_rule(
        {step[0] for step in _STEPS},
        rf"{_NO_WORD}(?P<step>{match_any(_STEPS)})(?P<unit>[月周])(?![间刊年岁期])",
        lambda match: Shift(_UNITS[match["unit"]], _STEPS[match["step"]]),
    ),
    make_rule(
        {"昨", "再", CHINESE_NUMBER},
        rf"(?P<step>{match_any(_YEARS)})年(?P<fiscal>度)?",
        lambda match: Shift(Grain.YEAR, _YEARS[match["step"]], fiscal=bool(match["fiscal"])),
    ),
    # In Japanese 前年 is the last year, in Chinese the one before it: these comparisons and kana are Japanese.
    make_rule(
        {"前"}, r"前年(?:同期|同月|同四半期)(?=比|[ぁ-ヶ])", SamePeriod(Shift(Grain.YEAR, -1, Origin.LAST_MENTION))
    ),
    make_rule({"前"}, r"前年(?=比|[ぁ-ヶ])", Shift(Grain.YEAR, -1, Origin.LAST_MENTION)),
    make_rule({"来"}, rf"{_NO_WORD}来年度", Shift(Grain.YEAR, 1, fiscal=True)),
    make_rule({"前"}, rf"{_NO_WORD}前年度", Shift(Grain.YEAR, -1, Origin.LAST_MENTION)),
    make_rule({"明", CHINESE_NUMBER}, "一昨日|明后日", lambda match: Shift(Grain.DAY, _DAYS[match[0]])),
    make_rule({"翌"}, "翌(?P<unit>[月周])(?!间)", lambda match: Shift(_UNITS[match["unit"]], 1, Origin.LAST_MENTION)),
    make_rule(
        _NUMBERS,
        rf"(?<![第每前0-9.])(?!一时)(?P<count>{COUNT}){S}(?P<unit>{match_any(_LENGTHS)})(?![目割])",
        lambda match: Duration(((parse_number(match["count"]), _LENGTHS[match["unit"]]),)),
    ),
    make_rule(
        {"第"},
        r"第(?P<quarter>[1-4一二三四])四半期",
        lambda match: to_narrated(recurrences.make_quarter_of_year(parse_number(match["quarter"]))),
    ),
    make_rule({"上", "下"}, r"(?:(?<=年度)|(?<=年度の)|(?<=期と)|(?<=期、))(?P<half>[上下])半?期", _read_half),
    make_rule({LONG_NUMBER, CHINESE_NUMBER, "平", "令", "昭"}, rf"{_YEAR_AND_MONTH}{_PART_OF_YEAR}", _read_fiscal_year),
    make_rule({"昭", "平", "大", "明"}, rf"{ERA_YEAR}{S}年代", _read_decade),
    make_rule(
        {LONG_NUMBER},
        rf"(?P<year>(?:19|20)[0-9]{{2}}){S}年度(?!{S}の?{S}[第上下])(?=[^\n。]{{0,20}}[\u3041-\u3096])",
        lambda match: JapaneseFiscalYear(Grain.YEAR, int(match["year"]), fiscal=True),
    ),
)

_FROM = re.compile(r"[^\S\n]{0,2}(?:から|より)[^\S\n]{0,2}")
_RANGE_ENDS = (*DATED, TimeOnDay)

HOURS: tuple[JoinRule, ...] = (
    JoinRule((Clock, Clock), join_clocks, _FROM),
    JoinRule((TimeSet, Hours), join_set_and_clock, re.compile("の?")),
)
RANGES: tuple[JoinRule, ...] = (
    JoinRule((TimeOnDay, Clock), join_timed_and_clock, _FROM),
    JoinRule((_RANGE_ENDS, _RANGE_ENDS), join_range, _FROM),
)
