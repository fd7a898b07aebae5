"""Whole paragraphs as news, filings, papers and notes write them, with every time that is in them and no other."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

NEWS = [
    (
        "Sales rose 4% in the fourth quarter from a year earlier, it said late Thursday. It will grow 5% this year.",
        ["the fourth quarter=2012-Q4", "a year earlier=2011-Q4", "late Thursday=2013-03-21", "this year=2013"],
    ),
    (
        "Unemployment was 7.7 percent in February, down from 8.3 percent a year ago, when 12 million had no work.",
        ["February=2013-02", "a year ago=2012-02"],
    ),
    (
        "The trial is scheduled to begin April 15 and could last six weeks. A hearing is set for 9 a.m. Monday.",
        ["April 15=2013-04-15", "six weeks=P6W", "9 a.m. Monday=2013-03-25T09:00"],
    ),
    (
        "Her 30-day suspension ends Saturday, two days before the annual meeting.",
        ["30-day=P30D", "Saturday=2013-03-23", "two days=P2D", "annual=P1Y"],
    ),
    (
        "In the early hours of Friday, rebels entered the town. By midday Saturday they hope to hold it.",
        ["the early hours of Friday=2013-03-22TMO", "midday Saturday=2013-03-23T12:00"],
    ),
    (
        "Over the weekend thousands marched. This weekend more will. This winter has been mild.",
        ["the weekend=2013-W11-WE", "This weekend=2013-W12-WE", "This winter=2012-WI"],
    ),
    (
        "Shares have gained 14% so far this year and 30% over the past 12 months.",
        ["so far this year=2013", "the past 12 months=P12M"],
    ),
    (
        "In June 2012 the court ruled. Six months later, they passed another law, which took effect on Jan. 1.",
        ["June 2012=2012-06", "Six months later=2012-12", "Jan. 1=2013-01-01"],
    ),
    (
        "It happened at 3:15 a.m. (0315 GMT). The game starts at noon ET Saturday.",
        ["3:15 a.m.=2013-03-22T03:15", "0315 GMT=2013-03-22T03:15Z", "noon ET Saturday=2013-03-23T12:00"],
    ),
    (
        "Twenty years ago, few knew him. These days he earns $2 million a year, and will through the end of June.",
        ["Twenty years ago=1993", "These days=PRESENT_REF", "a year=P1Y", "the end of June=2013-06"],
    ),
    (
        "Scientists have waited decades for the data. She was sentenced to 12 years in October 2011.",
        ["decades=PXY", "12 years=P12Y", "October 2011=2011-10"],
    ),
    (
        "The process will take between 60 and 90 days, not the last six weeks of the year.",
        ["60=P60D", "90 days=P90D", "the last six weeks of the year=P6W"],
    ),
    (
        "Russian markets to remain closed until Friday\nSeptember 18, 2008",
        ["Friday=2013-03-22", "September 18, 2008=2008-09-18"],
    ),
    ("Steve Jobs gives opening keynote to WWDC 2005\nJune 6, 2005", ["2005=2005", "June 6, 2005=2005-06-06"]),
    (
        "On January 15, 1861, the state voted. On January 28 the governor left; on 12 November he came back.",
        ["January 15, 1861=1861-01-15", "January 28=1861-01-28", "12 November=1861-11-12"],
    ),
]
FILINGS = [
    (
        "As of June 30 and December 31, 2022, we had cash. Interest is due on June 15 and December 15 of each year.",
        [
            "June 30=2022-06-30",
            "December 31, 2022=2022-12-31",
            "June 15=XXXX-06-15",
            "December 15 of each year=XXXX-12-15",
        ],
    ),
    (
        "Net income last year of $5 million was taxed. The last trading day of the period is not yesterday.",
        ["last year=2022", "yesterday=2023-11-01"],
    ),
    (
        "From fiscal 2015 to 2018 revenue grew 8%; in the two most recent fiscal years it fell.",
        ["From fiscal 2015 to 2018=FY2015/FY2018", "the two most recent fiscal years=P2Y"],
    ),
    (
        "Current assets, the current portion of debt and non-current liabilities are those of our 2017 year-end.",
        ["2017=2017"],
    ),
    ("See ASU 2016-20, Accounting Standards Update 2015-17, Section 2023, Note 2012 and Form 2019.", []),
]
PAPERS = [
    (
        "Men aged 65 years enrolled between January 2010 and December 2015, took 10-20 mg twice daily for 12 weeks.",
        ["between January 2010 and December 2015=2010-01/2015-12", "twice daily=P1D", "12 weeks=P12W"],
    ),
    (
        "Cells were kept for 24 h or 30min (Figure 1H), 3-10 hrs after 100 mg 6-hourly, per 1,000 person-years.",
        ["24 h=PT24H", "30min=PT30M", "3-10 hrs=PT10H", "6-hourly=PT6H"],
    ),
    (
        "J Clin Oncol. 2008;26(3):2010-2015. 372 (9643): 1107 – 1119. ZAI 1979-005, 1400-1600 cm; 1:00 versus 0.30.",
        ["2008=2008"],
    ),
]
NOTES = [
    (
        "Mon 3/4: call 555-1212, version 2.0.1, build 20240, room 2014, flight 1807, 1,984 units, more than 1850 men.",
        ["Mon 3/4=2024-03-04"],
    ),
    ("rating: 7\nyear: 1982\nlast: 2023-09-14", ["1982=1982", "2023-09-14=2023-09-14"]),
    (
        "Every summer I walk eight hours a day, soon after that, in my late 30s. Now let us see. It was the 7th.",
        ["Every summer=XXXX-SU", "eight hours=PT8H", "a day=P1D"],
    ),
]
CHINESE = [
    (
        "公司于2023年8月18日披露半年报，公告编号：2023-045。预计全年收入增长10%，未来三到五年更高。",
        ["2023年8月18日=2023-08-18", "全年=2023", "未来三到五年=P5Y"],
    ),
    (
        "三十年前来到上海。冬季寒冷，今年夏季炎热，2022年全年无雪，一天天过去。",
        ["三十年前=1993", "今年夏季=2023-SU", "2022年=2022"],
    ),
]


def read(text: str, anchor: date, language: str = "en") -> list[str]:
    return [f"{mention.text}={mention.value}" for mention in tag(text, anchor, language)]


@pytest.mark.parametrize(("text", "found"), NEWS)
def test_news(text: str, found: list[str]) -> None:
    assert read(text, date(2013, 3, 22)) == found


@pytest.mark.parametrize(("text", "found"), FILINGS)
def test_filings(text: str, found: list[str]) -> None:
    assert read(text, date(2023, 11, 2)) == found


@pytest.mark.parametrize(("text", "found"), PAPERS)
def test_papers(text: str, found: list[str]) -> None:
    assert read(text, date(2019, 5, 1)) == found


@pytest.mark.parametrize(("text", "found"), NOTES)
def test_notes(text: str, found: list[str]) -> None:
    assert read(text, date(2024, 3, 1)) == found


@pytest.mark.parametrize(("text", "found"), CHINESE)
def test_chinese_reports(text: str, found: list[str]) -> None:
    assert read(text, date(2023, 8, 20), "zh") == found


def test_a_story_of_the_past_goes_on_in_its_own_year_but_not_in_the_next_paragraph() -> None:
    text = "On January 15, 1861, the state voted. On January 28 he left.\n\nOn March 3 they met."
    assert read(text, date(2020, 6, 15))[1:] == ["January 28=1861-01-28", "March 3=2020-03-03"]


def test_a_story_needs_no_anchor() -> None:
    (_, mention) = tag("On January 15, 1861, the state voted. In August it fought.", None, "en")
    assert (mention.start_date, mention.relative) == (date(1861, 8, 1), True)


def test_a_year_alone_tells_no_story() -> None:
    assert read("He was convicted in 1998. In March he was freed.", date(2013, 4, 2))[1] == "March=2013-03"


def test_a_weekday_at_the_end_of_a_line_is_not_that_of_the_date_below() -> None:
    (friday, _) = tag("Closed until Friday\nSeptember 18, 2008", date(2008, 9, 18), "en")
    assert (friday.text, friday.end_date) == ("Friday", date(2008, 9, 20))
