"""Chinese times of day, alone and with their day: 下午3点半, 15时30分, 晚上, 今早8点十五分, 昨天下午两点到四点."""

from __future__ import annotations

import re

from tasks.temporal.chinese.lexicon import DIGIT, WEEKDAY_IN_BRACKETS, S, match_any, parse_number
from tasks.temporal.chinese.signals import DASHED, DATED, NEXT, OF
from tasks.temporal.grammar import CHINESE_NUMBER, SHORT_NUMBER, GrammarRule, JoinRule, SignalRole, make_rule
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, TimeOnDay, make_clock, make_hours
from tasks.temporal.meanings.offsets import Origin, Shift
from tasks.temporal.readings import Meaning
from warehouse.records import Grain

# The TIMEX3 part of the day of each word.
_PARTS = {
    "凌晨": "MO", "清晨": "MO", "早晨": "MO", "早上": "MO", "早间": "MO", "上午": "MO", "清早": "MO", "大清早": "MO",
    "中午": "MI", "正午": "MI", "晌午": "MI",
    "下午": "AF", "午后": "AF", "午间": "MI",
    "午前": "MO", "早朝": "MO",
    "夕方": "EV", "傍晚": "EV", "晚上": "EV", "晚间": "EV", "黄昏": "EV",
    "夜里": "NI", "夜间": "NI", "夜晚": "NI", "深夜": "NI", "半夜": "NI", "午夜": "NI",
}  # fmt: skip
_SHORT_PARTS = {"早": "MO", "晨": "MO", "晚": "EV", "夜": "NI", "朝": "MO", "昼": "AF"}
_ALL_PARTS = _PARTS | _SHORT_PARTS
_DAYS = {word: Shift(Grain.DAY, count) for word, count in {"前": -2, "昨": -1, "今": 0, "明": 1}.items()}
_DAYS |= {word: Shift(Grain.DAY, count, Origin.LAST_MENTION) for word, count in {"当": 0, "次": 1, "翌": 1}.items()}
_NOON = 12
_NIGHT_ENDS = 5

_HOUR = rf"(?P<hour>[0-9]{{1,2}}|二十[一二三四]?|十{DIGIT}?|{DIGIT}|[零〇两])"
_TENS = rf"[0-5]?[0-9]|[二三四五]?十{DIGIT}?|[零〇]?{DIGIT}"
_SECOND = rf"(?:{S}(?P<second>{_TENS}){S}秒)?"
_MINUTES = (
    rf"{S}(?:(?P<quarters>[一三])刻|(?P<half>半)|过?{S}(?P<minute>{_TENS}){S}分(?!之|钟){_SECOND}"
    r"|(?P<bare>[0-5][0-9](?![0-9.%点])|[二三四五]?十[一二三四五六七八九]?(?![多几年月天个名])))"
)
_PART = rf"(?P<part>{match_any(_PARTS)}|(?<=[日号天])[早晚夜])"
_OF_DAY = rf"(?P<day>[{''.join(_DAYS)}])(?P<part>(?:早|晚|夜)(?:[上间里])?|晨)"
HANDS = rf"{_HOUR}{S}(?:[点时]{_MINUTES}|点(?:钟|整)?|时整?)"
_COLON = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?(?![0-9])"
# Text after a number of hours that is a time: no noun follows.
_NO_NOUN_AFTER = r"(?=$|[\s，。、；,;.!?！？)）\-—–~至到之以前后左许整开起出在和与去来就才])"


def read_clock(match: re.Match[str]) -> Clock:
    """The time of a match of `HANDS`, in the half of the day that the group `part` names."""
    groups = match.groupdict()
    hour, part = parse_number(match["hour"]), groups.get("part")
    second = groups.get("second")
    quarters, text = groups.get("quarters"), groups.get("minute") or groups.get("bare")
    minute = (
        15 * parse_number(quarters) if quarters else 30 if groups.get("half") else parse_number(text) if text else 0
    )
    half_unknown = part is None and 0 < hour < _NOON
    return make_clock(
        _to_full_hour(hour, part), minute, parse_number(second) if second else None, half_unknown=half_unknown
    )


def _to_full_hour(hour: int, part: str | None) -> int:
    """The hour from 0 to 24, by the part of the day."""
    half = _ALL_PARTS[part] if part in _ALL_PARTS else _SHORT_PARTS[part[0]] if part else ""
    if half == "MI":
        return hour + _NOON if hour < _NIGHT_ENDS else hour
    if part == "凌晨":
        return hour % _NOON
    if half == "NI" and hour <= _NIGHT_ENDS:
        return hour
    return hour + _NOON if half in ("AF", "EV", "NI") and (hour < _NOON or (hour == _NOON and half != "AF")) else hour


_HEADS = {word[0] for word in _PARTS} | set(_SHORT_PARTS)
_NUMBERS = {SHORT_NUMBER, CHINESE_NUMBER}
_NO_DATE_BEFORE = "(?<![前之以年月相应])"

RULES: tuple[GrammarRule, ...] = (
    make_rule(_HEADS, rf"{_PART}的?{S}{HANDS}", read_clock),
    make_rule(_HEADS, rf"{_PART}的?{S}{_COLON}", read_clock),
    make_rule(
        _HEADS,
        rf"(?P<part>{match_any(_PARTS)})(?![餐饭])",
        lambda match: DayPart(_ALL_PARTS[match["part"]], Grain.PART),
    ),
    # 早 and 晚 alone are times only next to a day.
    make_rule(
        _SHORT_PARTS,
        r"(?<=[日号天期一二三四五六])[早晚夜](?:间)?(?![餐饭报些点年期餐饭会])",
        lambda match: DayPart(_SHORT_PARTS[match[0][0]], Grain.PART, is_standalone=False),
    ),
    make_rule(
        _DAYS,
        rf"{_NO_DATE_BEFORE}{_OF_DAY}(?![餐饭报会些])",
        lambda match: TimeOnDay(_DAYS[match["day"]], DayPart(_SHORT_PARTS[match["part"][0]], Grain.PART)),
    ),
    make_rule(
        _DAYS,
        rf"{_NO_DATE_BEFORE}{_OF_DAY}的?{S}{HANDS}",
        lambda match: TimeOnDay(_DAYS[match["day"]], read_clock(match)),
    ),
    make_rule(
        _DAYS,
        rf"{_NO_DATE_BEFORE}{_OF_DAY}的?{S}{_COLON}",
        lambda match: TimeOnDay(_DAYS[match["day"]], read_clock(match)),
    ),
    make_rule({SHORT_NUMBER}, rf"(?<=:[0-9]{{2}}[-–—~]){_COLON}", read_clock),
    make_rule(_NUMBERS, rf"(?<![第.:/\-]){_HOUR}{S}[点时]{_MINUTES}", read_clock),
    make_rule(_NUMBERS, rf"(?<![第.]){_HOUR}{S}(?:点[钟整]|时整)", read_clock),
    make_rule(
        {SHORT_NUMBER},
        rf"(?<![涨跌升降第达为至近约.:/\-]){_HOUR}{S}(?:时(?![间期代刻而常候值空速区差段薪])|点{_NO_NOUN_AFTER})",
        read_clock,
    ),
    make_rule({SHORT_NUMBER}, rf"(?<=[日号天午上晚到至从])(?P<hour>[0-9]{{1,2}}){S}点", read_clock),
    make_rule(
        {CHINESE_NUMBER},
        rf"(?<=[日号天午上晚到至从在])(?<!以上){_HOUR}{S}(?:点|时(?![间期代刻而常候]))(?![建意要原理内方措结声希启])",
        read_clock,
    ),
    make_rule({CHINESE_NUMBER}, rf"(?P<hour>[零〇]|二?十[一二三四]?){S}点{_NO_NOUN_AFTER}", read_clock),
    make_rule({CHINESE_NUMBER}, rf"(?<![同当何几.])(?P<hour>二?十[一二三四]?){S}时(?![间期代刻而常候])", read_clock),
)

_TO_CLOCK = re.compile(rf"(?:{WEEKDAY_IN_BRACKETS})?[^\S\n]{{0,2}}(?:的|の|，|,)?[^\S\n]{{0,2}}")
_AFTER_NOON = ("AF", "EV", "NI")


def _join_part_and_clock(day: TimeOnDay, clock: Clock) -> Meaning | None:
    """今晚 + 7:30."""
    if isinstance(clock, DayPart) or not isinstance(day.clock, DayPart):
        return None
    return TimeOnDay(day.day, clock.with_half(after_noon=day.clock.value in _AFTER_NOON))


def join_clocks(first: Clock, last: Clock) -> Hours | None:
    """A range of two hours."""
    return None if isinstance(first, DayPart) or isinstance(last, DayPart) else make_hours(first, last)


def join_timed_and_clock(first: TimeOnDay, last: Clock) -> Meaning | None:
    """A range from an hour of a day to another hour."""
    clocks = join_clocks(first.clock, last) if isinstance(first.clock, Clock) else None
    return TimeOnDay(first.day, clocks) if clocks else None


JOINS: tuple[JoinRule, ...] = (
    JoinRule(
        (DATED, (Clock, Hours)), lambda day, clock: TimeOnDay(day, clock) if day.grain is Grain.DAY else None, _TO_CLOCK
    ),
    JoinRule((TimeOnDay, Clock), _join_part_and_clock, OF),
    JoinRule((TimeOnDay, Clock), join_timed_and_clock, DASHED),
    JoinRule((TimeOnDay, SignalRole.TO, Clock), join_timed_and_clock, NEXT),
    JoinRule((Clock, Clock), join_clocks, DASHED),
    JoinRule((Clock, SignalRole.TO, Clock), join_clocks, NEXT),
)
