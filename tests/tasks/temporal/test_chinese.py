"""Chinese temporal expressions: what each means, and what is none."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.holidays import compute_lunar_day, compute_lunar_month, compute_solar_term
from tasks.temporal.tagger import tag

ANCHOR = date(2023, 5, 17)


def read(text: str, anchor: date | None = ANCHOR) -> list[tuple[str, str, str]]:
    return [(found.text, str(found.start_date), str(found.end_date)) for found in tag(text, anchor, "zh")]


def values(text: str) -> list[str]:
    return [found.value for found in tag(text, ANCHOR, "zh")]


DATES = [
    ("2022年第三季度初", "2022-07-01", "2022-07-31"),
    ("2023年3月5日", "2023-03-05", "2023-03-06"),
    ("２０２３年", "2023-01-01", "2024-01-01"),
    ("二〇二三年十二月", "2023-12-01", "2024-01-01"),
    ("二○○八年八月八日", "2008-08-08", "2008-08-09"),
    ("两千零八年", "2008-01-01", "2009-01-01"),
    ("98年10月", "1998-10-01", "1998-11-01"),
    ("公元618年", "0618-01-01", "0619-01-01"),
    ("2023年12月廿五日", "2023-12-25", "2023-12-26"),
    ("民國112年12月31日", "2023-12-31", "2024-01-01"),
    ("112年度", "2023-01-01", "2024-01-01"),
    ("111年12月", "2022-12-01", "2023-01-01"),
    ("昭和50年", "1975-01-01", "1976-01-01"),
    ("光緒元年", "1875-01-01", "1876-01-01"),
    ("2023年第一季度", "2023-01-01", "2023-04-01"),
    ("2023年Q3", "2023-07-01", "2023-10-01"),
    ("2023财年第三季度", "2023-07-01", "2023-10-01"),
    ("2022/23財政年度", "2023-01-01", "2024-01-01"),
    ("2023年前三季度", "2023-01-01", "2023-10-01"),
    ("2023年1-9月", "2023-01-01", "2023-10-01"),
    ("2023年上半年", "2023-01-01", "2023-07-01"),
    ("2023年3月上旬", "2023-03-01", "2023-03-11"),
    ("2023年2月下旬", "2023-02-21", "2023-03-01"),
    ("2022年冬季", "2022-12-01", "2023-03-01"),
    ("截至2023年9月30日止九個月", "2023-01-01", "2023-10-01"),
    ("截至二零二三年三月三十一日止年度", "2022-04-01", "2023-04-01"),
    ("2019-2021年", "2019-01-01", "2022-01-01"),
    ("2019年至2021年", "2019-01-01", "2022-01-01"),
    ("2023年3月5日至8日", "2023-03-05", "2023-03-09"),
    ("2015年和2018年之间", "2015-01-01", "2019-01-01"),
    ("二十世纪九十年代", "1990-01-01", "2000-01-01"),
    ("1990年代", "1990-01-01", "2000-01-01"),
    ("2021年第二周", "2021-01-11", "2021-01-18"),
    ("2019年8月的最后一个星期一", "2019-08-26", "2019-08-27"),
    ("2024年春节", "2024-02-10", "2024-02-11"),
    ("2023年中秋節", "2023-09-29", "2023-09-30"),
    ("2023年除夕", "2023-01-21", "2023-01-22"),
    ("2023年清明", "2023-04-05", "2023-04-06"),
    ("2023年母亲节", "2023-05-14", "2023-05-15"),
    ("农历2015年十月初一", "2015-11-12", "2015-11-13"),
    ("2020年闰四月初五", "2020-05-27", "2020-05-28"),
]
RELATIVE = [
    ("去年", "2022-01-01", "2023-01-01"),
    ("大前年", "2020-01-01", "2021-01-01"),
    ("去年上半年", "2022-01-01", "2022-07-01"),
    ("下半年", "2023-07-01", "2024-01-01"),
    ("三个月前", "2023-02-01", "2023-03-01"),
    ("两年后", "2025-01-01", "2026-01-01"),
    ("昨天", "2023-05-16", "2023-05-17"),
    ("大後天", "2023-05-20", "2023-05-21"),
    ("上个月", "2023-04-01", "2023-05-01"),
    ("下下週", "2023-05-29", "2023-06-05"),
    ("上周五", "2023-05-12", "2023-05-13"),
    ("上上個禮拜三", "2023-05-03", "2023-05-04"),
    ("下周末", "2023-05-27", "2023-05-29"),
    ("本季度末", "2023-05-31", "2023-07-01"),
    ("今明两年", "2023-01-01", "2025-01-01"),
    ("昨今两天", "2023-05-16", "2023-05-18"),
    ("过去三年", "2020-05-17", "2023-05-18"),
    ("未来三天", "2023-05-17", "2023-05-21"),
    ("十一月三日", "2023-11-03", "2023-11-04"),
    ("本月十日", "2023-05-10", "2023-05-11"),
    ("去年本月", "2022-05-01", "2022-06-01"),
    ("今年前三个月", "2023-01-01", "2023-04-01"),
    ("今年的前10天", "2023-01-01", "2023-01-11"),
    ("去年国庆节", "2022-10-01", "2022-10-02"),
    ("今年夏天", "2023-06-01", "2023-09-01"),
    ("上世纪八十年代", "1980-01-01", "1990-01-01"),
    ("8月至2月", "2022-08-01", "2023-03-01"),
    ("今晚7点到9点", "2023-05-17", "2023-05-18"),
    ("前年年底", "2021-09-01", "2022-01-01"),
]


@pytest.mark.parametrize("expected", DATES, ids=lambda case: case[0])
def test_a_date_is_the_same_with_every_anchor(expected: tuple[str, str, str]) -> None:
    assert read(f"公司{expected[0]}收入增长", None) == read(f"公司{expected[0]}收入增长") == [expected]


@pytest.mark.parametrize("expected", RELATIVE, ids=lambda case: case[0])
def test_a_relative_time_is_counted_from_the_anchor(expected: tuple[str, str, str]) -> None:
    assert read(f"公司{expected[0]}，收入增长") == [expected]
    assert read(f"公司{expected[0]}，收入增长", None) == [(expected[0], "None", "None")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下午3点半", "2023-05-17T15:30"),
        ("昨天晚上八點", "2023-05-16T20:00"),
        ("15时30分20秒", "2023-05-17T15:30:20"),
        ("三点一刻", "2023-05-17T03:15"),
        ("3月5日（星期日）下午5：00", "2023-03-05T17:00"),
        ("今早8点十五分", "2023-05-17T08:15"),
        ("7月25日早间", "2023-07-25TMO"),
        ("下午五点到六点", "2023-05-17T17:00/2023-05-17T18:00"),
    ],
)
def test_times_of_day(text: str, expected: str) -> None:
    assert values(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三天", "P3D"),
        ("一年半", "P1.5Y"),
        ("两个半小时", "PT2.5H"),
        ("半个月", "P0.5M"),
        ("数年", "PXY"),
        ("十多年", "P10Y"),
        ("8天又二十个小时", "P8DT20H"),
        ("每天", "P1D"),
        ("每两周", "P2W"),
        ("每周一", "XXXX-WXX-1"),
        ("每年3月", "XXXX-03"),
        ("每天早上", "XXXX-XX-XXTMO"),
        ("每周一9:00-17:00", "XXXX-WXX-1T09:00/XXXX-WXX-1T17:00"),
        ("每天上午9点到11点", "XXXX-XX-XXT09:00/XXXX-XX-XXT11:00"),
        ("目前", "PRESENT_REF"),
        ("近年来", "PAST_REF"),
        ("公元前221年", "BC0221"),
    ],
)
def test_lengths_sets_and_references(text: str, expected: str) -> None:
    assert values(text) == [expected]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("自2019年以来", "2019-01-01", "None"),
        ("2019年至今", "2019-01-01", "None"),
        ("2019年6月以前", "None", "2019-06-01"),
        ("2019年及以前", "None", "2020-01-01"),
        ("2019年之后", "2020-01-01", "None"),
        ("截至2023年12月31日", "2023-12-31", "2024-01-01"),
    ],
)
def test_bounds_leave_a_side_open(text: str, start: str, end: str) -> None:
    assert [found[1:] for found in read(text)] == [(start, end)]


def test_the_same_period_a_year_before_is_that_of_the_period_told() -> None:
    assert read("2023年第一季度收入较上年同期增长")[1] == ("上年同期", "2022-01-01", "2022-04-01")


def test_a_story_goes_on_in_its_year() -> None:
    assert read("1989年11月9日柏林墙倒塌。12月1日议会表决，次年10月3日统一")[1:] == [
        ("12月1日", "1989-12-01", "1989-12-02"),
        ("次年10月3日", "1990-10-03", "1990-10-04"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "售出2000件",
        "海拔1600米",
        "三年级学生",
        "第三名",
        "五点建议",
        "有一点道理",
        "出现在市场",
        "唯一一个",
        "3号线",
        "《明天》",
        "十月革命",
        "周围",
        "电话888-000-9999",
        "2019年2月30日",
        "第三年",
        "相当晚",
        "四周的空气",
        "夏季奥运会",
    ],
)
def test_not_a_date(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (1950, (2, 17)),
        (1985, (2, 20)),
        (2000, (2, 5)),
        (2023, (1, 22)),
        (2033, (1, 31)),
        (2034, (2, 19)),
        (2057, (2, 4)),
    ],
)
def test_spring_festivals_as_published(year: int, expected: tuple[int, int]) -> None:
    assert compute_lunar_day(year, 1, 1) == date(year, *expected)


def test_months_of_imperial_calendars_are_those_that_people_lived_by() -> None:
    """The coup of 1861 came on the 30th of a month that today's astronomy gives 29 days; so for 1856 and 1906."""
    assert compute_lunar_day(1861, 9, 30) == date(1861, 11, 2)
    assert compute_lunar_day(1856, 11, 1) == date(1856, 11, 28)
    assert compute_lunar_day(1906, 4, 1) == date(1906, 4, 24)


def test_leap_months_and_solar_terms_as_published() -> None:
    assert compute_lunar_month(2033, 11, leap=True) == (date(2033, 12, 22), date(2034, 1, 20))
    assert [compute_solar_term(year, 15).day for year in (2016, 2017, 2018, 2023, 2024)] == [4, 4, 5, 5, 4]
    with pytest.raises(ValueError, match="no such month"):
        compute_lunar_month(2023, 3, leap=True)
