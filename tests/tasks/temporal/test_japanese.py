"""Japanese temporal expressions: what each means, and what is none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal.tagger import tag

ANCHOR = date(2021, 6, 16)


def values(text: str) -> list[str]:
    return [found.value for found in tag(text, ANCHOR, "und")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会議は6月8日（火）午前9時30分に始まり、午後5時に終わった。", ["2021-06-08T09:30", "2021-06-08T17:00"]),
        ("令和6年5月1日から令和7年4月30日まで", ["2024-05-01/2025-04-30"]),
        ("令和三年八月十四日（土曜日）午後三時より披露宴", ["2021-08-14T15:00"]),
        ("午前10時から午後6時", ["2021-06-16T10:00/2021-06-16T18:00"]),
        ("朝6時に起きて、夜11時半に寝た", ["2021-06-16T06:00", "2021-06-16T23:30"]),
        ("先週の土曜日、来週の水曜日、再来週", ["2021-06-12", "2021-06-23", "2021-W26"]),
        ("一昨日から明後日まで旅行、先月と来月は東京", ["2021-06-14/2021-06-18", "2021-05", "2021-07"]),
        ("5月は前年同月比8％増、前年比5％増、前年の実績", ["2021-05", "2020-05", "2020", "2020"]),
        ("今月25日締め、翌月10日払い", ["2021-06-25", "2021-07-10"]),
        ("昨年度と来年度、昨年、一昨年", ["FY2020", "FY2022", "2020", "2019"]),
        ("2024年3月期の決算、2024年3月期第1四半期", ["FY2024", "2023-Q2"]),
        ("令和5年3月期上期", ["2022-04-01/2022-09-30"]),
        ("2022年度は3千人が走った。2022年度预算", ["FY2022", "2022"]),
        ("2025年3月期 第2四半期、2025年3月期の 中間期", ["2024-Q3", "2024-04-01/2024-09-30"]),
        ("3か月前から咳、10日間投与、3週間休む、2時間", ["2021-03", "P10D", "P3W", "PT2H"]),
        ("1日3回内服、毎週木曜日の14時から16時まで", ["P1D", "XXXX-WXX-4T14:00/XXXX-WXX-4T16:00"]),
        ("半年後に再診", ["2021-12"]),
        ("紀元前221年、紀元前5世紀、紀元前58年から紀元前50年", ["BC0221", "BC04", "BC0058/BC0050"]),
        ("昭和63年生まれ、昭和40年代の建物", ["1988", "1965/1974"]),
        ("今年1月から3月まで", ["2021-01/2021-03"]),
        ("プジョー2008に乗り、Windows 2000を使い、2010号室に住む。価格は1999円、定員2000名。", []),
    ],
)
def test_expressions(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@given(st.dates(date(2019, 5, 1), date(2090, 12, 31)), st.integers(0, 11), st.integers(1, 59))
def test_every_day_of_reiwa_with_its_hour(day: date, hour: int, minute: int) -> None:
    for half, hours in (("午前", 0), ("午後", 12)):
        text = f"令和{day.year - 2018}年{day.month}月{day.day}日{half}{hour}時{minute}分"
        if hour or not hours:
            assert values(text) == [f"{day.isoformat()}T{hour + hours:02}:{minute:02}"]


@given(st.integers(1990, 2060), st.integers(1, 4))
def test_quarters_of_a_year_that_ends_with_march(year: int, quarter: int) -> None:
    expected = f"{year - 1}-Q{quarter + 1}" if quarter < 4 else f"{year}-Q1"
    assert values(f"{year}年3月期第{quarter}四半期の売上高") == [expected]
