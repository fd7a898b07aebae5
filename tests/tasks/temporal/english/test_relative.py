"""Times that the day of writing or the text before them dates, as news and reports write them."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag
from warehouse.records import Modifier, TimexType

# A Friday.
ANCHOR = date(2013, 3, 22)


def read(text: str) -> list[tuple[str, str]]:
    return [(mention.text, mention.value) for mention in tag(text, ANCHOR, "en")]


@pytest.mark.parametrize(
    ("text", "extent", "value"),
    [
        ("It fell the day before yesterday.", "the day before yesterday", "2013-03-20"),
        ("We meet next Friday.", "next Friday", "2013-03-29"),
        ("It rained this past Sunday.", "this past Sunday", "2013-03-17"),
        ("Last March was cold.", "Last March", "2012-03"),
        ("It began three weeks ago.", "three weeks ago", "2013-W09"),
        ("We met two years back.", "two years back", "2011"),
        ("Three months back we moved.", "Three months back", "2012-12"),
        ("Sales rose in the quarter just ended.", "the quarter just ended", "2012-Q4"),
        ("The month that has just closed was wet.", "The month that has just closed", "2013-02"),
        ("Our just-completed fiscal year was good.", "just-completed fiscal year", "FY2012"),
        ("It fell in the most recently completed quarter.", "the most recently completed quarter", "2012-Q4"),
        ("He just completed week 3.", "week 3", "2013-W03"),
        ("We finished March with more staff.", "March", "2013-03"),
        ("Our May sales were low.", "May", "2012-05"),
        ("It rained throughout May.", "May", "2012-05"),
        ("It is cheap on a trailing twelve-month basis.", "trailing twelve-month", "P12M"),
        ("It had no debt as of year-end.", "year-end", "2013"),
        ("It is due by month-end.", "month-end", "2013-03"),
        ("Cash rose by quarter-end.", "quarter-end", "2013-Q1"),
        ("A year from now we will know.", "A year from now", "2014"),
        ("It closed at the end of last year.", "the end of last year", "2012"),
        ("Profit rose in the third quarter of last year.", "the third quarter of last year", "2012-Q3"),
        ("In March last year it fell.", "March last year", "2012-03"),
        ("It ends the last week of April.", "the last week of April", "2013-W17"),
        ("It grew over the past decade.", "the past decade", "P10Y"),
        ("It grew in the past five trading days.", "the past five trading days", "P5D"),
        ("It was the worst of the last decade.", "the last decade", "P10Y"),
        ("A week from Friday we will know.", "A week from Friday", "2013-03-29"),
        ("It will be done in two weeks from now.", "two weeks from now", "2013-04-05"),
        ("It had $5 million at year-end 2011.", "year-end 2011", "2011"),
        ("It arrived only minutes before.", "minutes", "PTXM"),
        ("Last fiscal year was poor.", "Last fiscal year", "FY2012"),
        ("It began 3 weeks ago today.", "3 weeks ago today", "2013-03-01"),
        ("He left a year ago yesterday.", "a year ago yesterday", "2012-03-21"),
        ("It opens in a month's time.", "a month's time", "2013-04"),
        ("The day after Christmas 2012 was cold.", "The day after Christmas 2012", "2012-12-26"),
        ("On the eve of Christmas 2012 it snowed.", "the eve of Christmas 2012", "2012-12-24"),
        ("We meet the Monday after next.", "the Monday after next", "2013-04-01"),
        ("It rained the week before last.", "the week before last", "2013-W10"),
        ("Back in the late nineties it was new.", "the late nineties", "199"),
        ("It was built in the 1800s.", "the 1800s", "18"),
        ("Vesuvius erupted in AD 79.", "AD 79", "0079"),
        ("He ruled from 69 to 79 AD.", "69 to 79 AD", "0069/0079"),
        ("He ruled AD 69–79.", "AD 69–79", "0069/0079"),
        ("He died on 15 March 44 BC.", "15 March 44 BC", "BC0044-03-15"),
        ("On March 15, 44 BC he died.", "March 15, 44 BC", "BC0044-03-15"),
        ("Answer within 10 days from 3 May 2024.", "10 days from 3 May 2024", "2024-05-13"),
        ("The wars of 500-300 BC were long.", "500-300 BC", "BC0500/BC0300"),
        ("It lay between 300 and 200 BC.", "300 and 200 BC", "BC0300/BC0200"),
        ("Ice melted by 10,000 BC.", "10,000 BC", "BC10000"),
        ("In the 5th-4th century BC it grew.", "the 5th-4th century BC", "BC04/BC03"),
        ("On POD#2 he walked.", "POD#2", "XXXX-XX-XX"),
        ("Michaelmas Term 2012 began.", "Michaelmas Term 2012", "2012-10/2012-12"),
        ("He was crowned in the year 800.", "the year 800", "0800"),
        ("In the '60s it was small.", "the '60s", "196"),
        ("Prednisone x3 days.", "x3 days", "P3D"),
        ("She was seen at 28w4d.", "28w4d", "P28W4D"),
        ("Fever on hospital day 2 was treated.", "hospital day 2", "XXXX-XX-XX"),
        ("He left on postoperative day 10.", "postoperative day 10", "XXXX-XX-XX"),
        ("It rained all weekend.", "all weekend", "2013-W11-WE"),
        ("Be there at 9 sharp.", "9 sharp", "2013-03-22T09:00"),
        ("I saw him Fri am.", "Fri am", "2013-03-22TMO"),
        ("Let's meet Wed at 10.", "Wed at 10", "2013-03-27T10:00"),
        ("Let's meet Sat @ 5pm.", "Sat @ 5pm", "2013-03-23T17:00"),
        ("The data were cut on 14FEB2012.", "14FEB2012", "2012-02-14"),
        ("Signed on 5 Jan 12.", "5 Jan 12", "2012-01-05"),
        ("It was taught in spring semester 2012.", "spring semester 2012", "2012-SP"),
        ("We meet next Wed at the bank.", "next Wed", "2013-03-27"),
        ("Homework due Tue.", "Tue", "2013-03-26"),
        ("It rained on Weds.", "Weds", "2013-03-20"),
        ("Slides for the week of 3/4.", "the week of 3/4", "2013-W10"),
        ("Open Monday to Friday, 9:00-17:00.", "Monday to Friday, 9:00-17:00", "XXXX-WXX-WDT09:00/XXXX-WXX-WDT17:00"),
        ("Ship it by EOM.", "EOM", "2013-03"),
        ("Ship it by end of quarter.", "end of quarter", "2013-Q1"),
        ("Posted 5-Mar in the ledger.", "5-Mar", "2013-03-05"),
        ("The pre-2008 boom is over.", "pre-2008", "2008"),
        ("From 2009 on, sales rose.", "2009 on", "2009"),
        ("We saw him two Mondays ago.", "two Mondays ago", "2013-03-11"),
        ("It ends three Fridays from now.", "three Fridays from now", "2013-04-12"),
        ("See you Friday week.", "Friday week", "2013-04-05"),
        ("We fly a fortnight on Sunday.", "a fortnight on Sunday", "2013-04-07"),
        ("It rained a week ago Monday.", "a week ago Monday", "2013-03-11"),
        ("From Monday on we will work at home.", "Monday", "2013-03-25"),
        ("The 2012–13 academic year began.", "2012–13", "2012/2013"),
        ("School year 2012-2013 began.", "2012-2013", "2012/2013"),
        (
            "Open Monday through Friday, 8 a.m. to 5 p.m.",
            "Monday through Friday, 8 a.m. to 5 p.m.",
            "XXXX-WXX-WDT08:00/XXXX-WXX-WDT17:00",
        ),
        (
            "Open 8 a.m. to 5 p.m. Monday through Friday.",
            "8 a.m. to 5 p.m. Monday through Friday",
            "XXXX-WXX-WDT08:00/XXXX-WXX-WDT17:00",
        ),
    ],
)
def test_from_the_day_of_writing(text: str, extent: str, value: str) -> None:
    assert read(text) == [(extent, value)]


@pytest.mark.parametrize(
    "text", ["on Sun Microsystems", "last Sun Valley", "He sat by Sat Nam", "a part F-5-Mar", "the sun and mon ami"]
)
def test_no_weekday_and_no_day(text: str) -> None:
    assert read(text) == []


def test_short_weekdays_in_a_row_are_days() -> None:
    assert [extent for extent, _ in read("Gym on Mon, Wed and Fri.")] == ["Mon", "Wed", "Fri"]


@pytest.mark.parametrize(
    ("text", "extent", "value"),
    [
        ("In May 2010 it opened. The following month it closed.", "The following month", "2010-06"),
        ("On March 5, 2010 he died. He was buried three days later.", "three days later", "2010-03-08"),
        ("It began in 1945. In the following decade it grew.", "the following decade", "P10Y"),
        ("In May 2010 it opened. That year was good.", "That year", "2010"),
        ("It made $3 in the second quarter of 2012, up from a year earlier.", "a year earlier", "2011-Q2"),
        ("It sold 3 in May 2010 and 2 in the same period of 2009.", "the same period of 2009", "2009-05"),
        ("It sold 3 in May 2010 and 2 in the year-ago period.", "the year-ago period", "2009-05"),
    ],
)
def test_from_what_the_text_told(text: str, extent: str, value: str) -> None:
    assert read(text)[-1] == (extent, value)


def test_the_following_decade_begins_with_the_year_that_was_told() -> None:
    found = tag("It began in 1945. In the following decade it grew.", ANCHOR, "en")[1]
    assert (found.start_date, found.end_date) == (date(1945, 1, 1), date(1955, 1, 2))


def test_a_comparison_does_not_move_what_the_text_tells() -> None:
    found = read("In 2012 sales rose from the previous year and profit fell from the previous year.")
    assert [value for _, value in found] == ["2012", "2011", "2011"]


def test_a_told_time_vaguer_than_the_unit_leaves_it_to_the_anchor() -> None:
    assert read("It was founded in 1987. The week was calm.")[-1] == ("The week", "2013-W12")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("earlier this month", (date(2013, 3, 1), date(2013, 3, 23))),
        ("later this month", (date(2013, 3, 22), date(2013, 4, 1))),
        ("the rest of the year", (date(2013, 3, 22), date(2014, 1, 1))),
        ("the past two weeks", (date(2013, 3, 8), date(2013, 3, 23))),
        ("the first nine months of 2012", (date(2012, 1, 1), date(2012, 10, 1))),
        ("since last Monday", (date(2013, 3, 18), None)),
        ("no later than next month", (None, date(2013, 5, 1))),
    ],
)
def test_days_covered(text: str, days: tuple[date | None, date | None]) -> None:
    (mention,) = tag(f"It came {text}.", ANCHOR, "en")
    assert (mention.start_date, mention.end_date) == days


def test_more_than_a_year_ago_is_before_it() -> None:
    (mention,) = tag("It began more than a year ago.", ANCHOR, "en")
    assert (mention.text, mention.value, mention.modifier) == ("more than a year ago", "2012", Modifier.BEFORE)


@pytest.mark.parametrize(
    "text",
    [
        "the day of reckoning",
        "the player of the year",
        "the first month in office",
        "the following table",
        "Theresa May was there",
        "April Jones left",
        "we march on",
        "the future of the euro",
        "they walked past it",
        "now that it is over",
    ],
)
def test_no_time(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("For now it holds.", "PRESENT_REF"),
        ("It has recently grown.", "PAST_REF"),
        ("That belongs to the past.", "PAST_REF"),
        ("We look to the future.", "FUTURE_REF"),
        ("It was built years ago.", "PAST_REF"),
        ("It has grown in recent months.", "PAST_REF"),
    ],
)
def test_references(text: str, value: str) -> None:
    assert [found for _, found in read(text)] == [value]


@pytest.mark.parametrize(
    ("text", "value", "start", "end"),
    [
        ("the first half of March 2012", "2012-03", "2012-03-01", "2012-03-16"),
        ("the latter half of May 2011", "2011-05", "2011-05-16", "2011-06-01"),
        ("the second half of the 1990s", "199", "1995-01-01", "2000-01-01"),
        ("mid-to-late 2009", "2009", "2009-05-02", "2010-01-01"),
        ("early to mid 2010", "2010", "2010-01-01", "2010-09-01"),
        ("late 2010", "2010", "2010-09-01", "2011-01-01"),
    ],
)
def test_the_larger_parts_of_a_time(text: str, value: str, start: str, end: str) -> None:
    (found,) = tag(f"It was built in {text}.", ANCHOR, "en")
    assert (found.text, found.value, str(found.start_date), str(found.end_date)) == (text, value, start, end)


@pytest.mark.parametrize("text", ["He worked two days back to back.", "They went three years back to work."])
def test_what_comes_back_is_no_time_ago(text: str) -> None:
    assert [mention.type for mention in tag(text, ANCHOR, "en")] == [TimexType.DURATION]


@pytest.mark.parametrize("text", ["They held their March on Washington.", "Join our March for Science."])
def test_a_march_is_no_month(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "value", "days"),
    [
        ("versus last year's third quarter", "2012-Q3", ("2012-07-01", "2012-10-01")),
        (
            "For the nine months ended September 30, 2012, sales rose; in the same period of 2011 they fell.",
            "2011-01-01/2011-09-30",
            ("2011-01-01", "2011-10-01"),
        ),
        (
            "Year to date, cash was $5 versus $4 in the same period last year.",
            "2012-01-01/2012-03-22",
            ("2012-01-01", "2012-03-23"),
        ),
    ],
)
def test_parts_of_another_year(text: str, value: str, days: tuple[str, str]) -> None:
    *_, last = tag(text, ANCHOR, "en")
    assert (last.value, (str(last.start_date), str(last.end_date))) == (value, days)


def test_the_quarter_of_a_report_is_the_one_it_is_of() -> None:
    reported = date(2012, 10, 1), date(2013, 1, 1)
    text = "In January we opened ten stores. We ended the quarter with less debt than the prior-year quarter."
    found = [each.value for each in tag(text, ANCHOR, "en", reported=reported)]
    assert found == ["2013-01", "2012-Q4", "2011-Q4"]
    named = tag("In the second quarter of 2011 we grew. The quarter was good.", ANCHOR, "en", reported=reported)
    assert named[-1].value == "2011-Q2"
    year = date(2012, 1, 1), date(2013, 1, 1)
    assert tag("The quarter was good.", ANCHOR, "en", reported=year)[0].value == "2013-Q1"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in no event later than June 30, 2013", (None, date(2013, 7, 1))),
        ("for a term commencing on September 1, 2013", (date(2013, 9, 1), None)),
        ("beginning January 1, 2014.", (date(2014, 1, 1), None)),
    ],
)
def test_bounds_of_contracts(text: str, value: tuple[date | None, date | None]) -> None:
    (found,) = tag(text, ANCHOR, "en")
    assert (found.start_date, found.end_date) == value


def test_week_of_a_treatment_is_none_of_the_calendar() -> None:
    assert read("in week 12 of therapy") == []
    assert read("in week 12 of the year, CW 12–13") == [("week 12", "2013-W12"), ("CW 12–13", "2013-W12/2013-W13")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He reports back at the March meeting.", [("March", "2013-03")]),
        ("We rolled it back Thu morning.", [("Thu morning", "2013-03-21TMO")]),
        ("back on the 19th\n* Everyone", [("the 19th", "2013-03-19")]),
        ("On the morning of the 16th we left.", [("the morning of the 16th", "2013-03-16TMO")]),
        ("the evening of 2/12 was calm", [("the evening of 2/12", "2013-02-12TEV")]),
        ("Due: 3/22", [("3/22", "2013-03-22")]),
        ("It became final 90 days later.", [("90 days later", "2013-06-20")]),
        ("Terms: net 30.", [("net 30", "P30D")]),
        ("net 30 million", []),
        ("A 12W 3D lamp", []),
    ],
)
def test_days_of_notes_and_invoices(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("RTC in 6 weeks, f/u labs in 2 wks.", ["2013-05-03", "2013-04-05"]),
        ("Follow up with cardiology in 3 months.", ["2013-06"]),
        ("I'll be back in a week.", ["2013-03-29"]),
        ("The bond is due in two years.", ["2015"]),
        ("It should be ready in 2 weeks.", ["2013-04-05"]),
        ("The house can be built in 6 weeks.", ["P6W"]),
        ("The notes must be paid in 30 days.", ["P30D"]),
        ("She had returned to work in 6 weeks.", ["P6W"]),
        ("We can build it in two weeks.", ["P2W"]),
        ("The follow-up visits in 6 months were short.", ["P6M"]),
    ],
)
def test_lengths_after_in_end_on_a_day_to_come_where_something_waits_for_it(text: str, values: list[str]) -> None:
    assert [value for _, value in read(text)] == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Goals for Q2: ship v2.", ["2013-Q2"]),
        ("- Q2: alpha", ["2013-Q2"]),
        ("Target: end of Q3.", ["2013-Q3"]),
        ("# Roadmap\n\n- Q2 search\n- Q3 chat\n", ["2013-Q2", "2013-Q3"]),
        ("# Results\n\n- Q2 search\n- Q3 chat\n", ["2012-Q2", "2012-Q3"]),
        ("- Q3: revenue grew", ["2012-Q3"]),
        ("Our goals were met in Q2.", ["2012-Q2"]),
        ("Q1: What is your name? Q2: Where do you live?", []),
        ("Q2: revenue rose. Why?", ["2012-Q2"]),
    ],
)
def test_quarters_of_a_plan_are_still_to_come(text: str, values: list[str]) -> None:
    assert [value for _, value in read(text)] == values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He died on June 10 or 11, 323 BC.", ["BC0323-06-10", "BC0323-06-11"]),
        ("It was on 2 or 3 September 31 BC.", ["BC0031-09-02", "BC0031-09-03"]),
        ("It ran 10 days from 3 May 2024 to 12 May 2024.", ["P10D", "2024-05-03/2024-05-12"]),
    ],
)
def test_several_times_in_a_row(text: str, expected: list[str]) -> None:
    assert [value for _, value in read(text)] == expected
