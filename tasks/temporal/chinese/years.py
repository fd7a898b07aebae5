"""Years: 2023年, 二〇二三年, 07年, 公元前221年, 民国112年, 康熙三年, 2023财年, 去年, 翌年."""

from __future__ import annotations

import re

from tasks.temporal.chinese.eras import ERAS, REPUBLIC
from tasks.temporal.chinese.lexicon import ANY_DIGIT, COUNT, DASH, DIGIT, MONTH, NUMERAL, YEAR, S, any_of, number
from tasks.temporal.grammar import CHINESE_NUMBER, LONG_NUMBER, MIDDLE_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Origin, Shift
from tasks.temporal.meanings.spans import Between
from tasks.temporal.meanings.units import EraYear
from tasks.temporal.readings import FixedDate, Meaning, MentionFields, full_year
from warehouse.records import Grain

_FISCAL = "(?:财年|财政年度|会计年度)"
_NOT_A_YEAR = "(?![轻龄纪级代均薪货糕画夜利营检审租假制生长资鉴]|期(?!间))"
_END = rf"{S}年度?{_NOT_A_YEAR}"
_MONTH_FOLLOWS = rf"(?={S}年{S}{MONTH}{S}月(?![薪刊票]))"
# What a number of years is followed by: 2000年的历史, 65年前, 98年来.
_LENGTH_FOLLOWS = "(?!(?:的?历史|之|前|来|后|内|间|里|中|多|余|以[前后来内上下]|左右|[时期]))"
# Before a year of few digits: a word that says when, or nothing of the sentence.
_WHEN = r"(?<![^\s，。、；:;,.()《「『\[—–~\-在于自从至到由及和与])"

_STEPS = {"大前": -3, "前": -2, "去": -1, "上": -1, "上一": -1, "上个": -1, "今": 0, "本": 0, "明": 1, "来": 1}
_STEPS |= {"下": 1, "下一": 1, "下个": 1, "后": 2, "大后": 3}
_TOLD = {
    "当": 0,
    "同": 0,
    "同一": 0,
    "该": 0,
    "那一": 0,
    "这一": 0,
    "次": 1,
    "翌": 1,
    "隔": 1,
    "第二": 1,
    "前一": -1,
    "后一": 1,
}


def _year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, number(match["year"]), 1)


def _short(match: re.Match[str]) -> Period:
    digits = "".join(str(number(character)) for character in match["year"])
    return Period(Grain.YEAR, full_year(digits), 1)


def _republican(match: re.Match[str]) -> EraYear:
    """A year of three digits before what a report's year goes with."""
    year = number(match["year"])
    return EraYear(ERAS[REPUBLIC] - 1 + year, "a year of the Republic of China, as reports there are dated")


def _counted(match: re.Match[str]) -> Meaning:
    year = number(match["year"].replace(",", ""))
    if not match["before"]:
        return Period(Grain.YEAR, year, 1)
    return FixedDate(MentionFields(f"BC{year:04}", None, Grain.YEAR))


def _era(match: re.Match[str]) -> EraYear:
    year = 1 if match["year"] == "元" else number(match["year"])
    return EraYear(ERAS[match["era"]] + year - 1, f"year {year} of {match['era']}")


def _fiscal(match: re.Match[str]) -> Period:
    first, last = number(match["year"]), match["last"]
    year = full_year(last) if last else first
    if last and year not in (first, first + 1):
        raise ValueError(f"no fiscal year {match[0]}")
    return Period(Grain.YEAR, year, 1, fiscal=True)


def _spanned(match: re.Match[str]) -> Between:
    """1995-1997年; the last side may leave out the century."""
    first, last = number(match["year"]), number(match["last"])
    last += first // 100 * 100 if len(match["last"]) == 2 else 0
    if not first < last <= first + 200:
        raise ValueError(f"no years {match[0]}")
    return Between(Period(Grain.YEAR, first, 1), Period(Grain.YEAR, last, 1))


def _stepped(match: re.Match[str]) -> Meaning:
    step = match["step"]
    if step in _TOLD:
        return Shift(Grain.YEAR, _TOLD[step], Origin.TOLD)
    return Shift(Grain.YEAR, _STEPS[step], fiscal=bool(match["fiscal"]))


_STEP_WORDS = any_of((*_STEPS, *_TOLD))

RULES: tuple[GrammarRule, ...] = (
    rule({LONG_NUMBER, CHINESE_NUMBER}, rf"(?P<year>{YEAR})(?!(?<=000){S}年(?:多|前|来|历|的历|以前)){_END}", _year),
    rule(
        {CHINESE_NUMBER},
        rf"(?P<year>[两二]千[〇零]{DIGIT}|[两二]千零?十{DIGIT}?|[两二]千{_MONTH_FOLLOWS}){_END}",
        _year,
    ),
    rule({SHORT_NUMBER}, rf"(?P<year>0[0-9]|[0-9]{{2}}{_MONTH_FOLLOWS}){_END}", _short),
    rule({SHORT_NUMBER}, rf"{_WHEN}(?P<year>[7-9][0-9]){_END}{_LENGTH_FOLLOWS}", _short),
    rule(
        {CHINESE_NUMBER},
        rf"(?P<year>[〇零]{DIGIT}|九[一二三四五六七八]|{ANY_DIGIT}{{2}}{_MONTH_FOLLOWS}){_END}",
        _short,
    ),
    rule(
        {MIDDLE_NUMBER, SHORT_NUMBER},
        rf"(?P<year>1[0-9]{{2}}|9[0-9](?={S}年度)){S}年(?:度(?!过)|(?={S}(?:第[一二三四]季|Q[1-4]|{MONTH}{S}月|同期"
        rf"|[及与和、]{S}1[0-9]{{2}}年)))",
        _republican,
    ),
    rule(
        {MIDDLE_NUMBER, CHINESE_NUMBER},
        rf"{_WHEN}(?P<year>[1-9][0-9]{{2}}|{DIGIT}{ANY_DIGIT}{{2}}){_END}{_LENGTH_FOLLOWS}",
        _year,
    ),
    # A number that is not round is no length, unless a word says so: 历时184年.
    rule(
        {MIDDLE_NUMBER},
        rf"(?<![长达历约近共经过了满续第时足整超逾.,-])(?P<year>[1-9][0-9][1-9]){_END}{_LENGTH_FOLLOWS}",
        _year,
    ),
    rule(
        {"公", "西"},
        rf"(?:公元|西元|公历|西历)(?P<before>前)?{S}(?P<year>[0-9]{{1,2}},[0-9]{{3}}|{COUNT}){_END}",
        _counted,
    ),
    rule({"前"}, rf"(?<![之以目年日天月])(?P<before>前)(?P<year>[1-9][0-9]{{2}}){_END}{_LENGTH_FOLLOWS}", _counted),
    rule(
        {era[0] for era in ERAS}, rf"(?P<era>{any_of(ERAS)}){S}(?P<year>元|[0-9]{{1,3}}|[{NUMERAL}]{{1,4}}){_END}", _era
    ),
    rule(
        {LONG_NUMBER, CHINESE_NUMBER},
        rf"(?P<year>{YEAR})(?:{S}年)?(?:{S}[-–—/]{S}(?P<last>[0-9]{{4}}|[0-9]{{2}}))?{S}(?:年?{_FISCAL})",
        _fiscal,
    ),
    rule({LONG_NUMBER}, rf"(?P<year>{YEAR})/(?P<last>[0-9]{{4}}|[0-9]{{2}}){S}年度", _fiscal),
    rule(
        {LONG_NUMBER, CHINESE_NUMBER},
        rf"(?P<year>{YEAR}){S}年?{S}(?:{DASH}|至|到){S}(?P<last>{YEAR}|[0-9]{{2}}){_END}",
        _spanned,
    ),
    rule(
        {step[0] for step in (*_STEPS, *_TOLD)},
        rf"(?<![年月日天以之此最今马应相适])(?P<step>{_STEP_WORDS})(?:年度?{_NOT_A_YEAR}|(?P<fiscal>{_FISCAL}))",
        _stepped,
    ),
)
