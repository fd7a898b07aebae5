"""Numbers, dates and times as Excel shows them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.sheets.number_formats import BUILT_IN, ValueKind, get_number_format

DAY = (date(2025, 3, 4) - date(1899, 12, 30)).days
ACCOUNTS = BUILT_IN[44]
PIECES = st.sampled_from(
    [
        *"0#?.,%@/;_*\\!\"-+() $€", "General", "yyyy", "mm", "dd", "mmm", "hh", "ss", "[h]", "AM/PM", "E+00",
        "[$€-407]", "[Red]", "[<100]", "[$-804]", '"kg"', "0.00", "#,##0", "年", "[", "]",
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 4_006_381_333_931, "4006381333931"),
        ("General", 1 / 3, "0.3333333333"),
        ("General", 1e20, "1E+20"),
        ("General", -0.0, "0"),
        ("", 3, "3"),
        ("0", 2.5, "3"),
        ("0.00", 1.005, "1.01"),
        ("0.0##", 1.5, "1.5"),
        ("#", 0, ""),
        (".00", 0.5, ".50"),
        ("00000", 123, "00123"),
        ("#,##0", 1_234_567.5, "1,234,568"),
        ("#,##0.0;(#,##0.0)", -1234.56, "(1,234.6)"),
        ("#,##0.00_);[Red](#,##0.00)", -3.456, "(3.46)"),
        ("#,##0,", 1_234_567, "1,235"),
        ('0.0,,"M"', 12_345_678, "12.3M"),
        ("0.0%", 0.12345, "12.3%"),
        ("0.00%;[Red]-0.00%", -0.05, "-5.00%"),
        (ACCOUNTS, 1234.5, "$ 1,234.50"),
        (ACCOUNTS, -1234.5, "$ (1,234.50)"),
        (ACCOUNTS, 0, "$ -"),
        ("#,##0.00 [$€-407]", -1234.5, "-1,234.50 €"),
        ("[$USD] #,##0", 1234, "USD 1,234"),
        ('#,##0"元"', 1234, "1,234元"),
        ("000-00-0000", 123_456_789, "123-45-6789"),
        ("(000) 000-0000", 5_551_234_567, "(555) 123-4567"),
        ("# ?/?", 1.25, "1 1/4"),
        ("# ??/??", 3.14159, "3 14/99"),
        ("# ?/8", 2.5, "2 4/8"),
        ("?/?", 0.5, "1/2"),
        ("# ?/?;[Red]\\-# #/#####", -1.25, "-1 1/4"),
        ("0.00_", 1443.98, "1443.98"),
        ('0.000" "000', 1.5, "1.500 000"),
        ('0.0#" "#', 1.5, "1.5"),
        ("0.00E+00", 12345.678, "1.23E+04"),
        ("##0.0E+0", 12345.678, "12.3E+3"),
        ("0E+0", 0.00012, "1E-4"),
        ('[<1000]0;[>=1000]#,##0.0,"K"', 12345, "12.3K"),
        ('[<1000]0;[>=1000]#,##0.0,"K"', 5, "5"),
        ("[<0]-0.0;0.0", -2, "-2.0"),
        ("0;-0;;@", 0, ""),
        (";;;", 5, ""),
        ("0.0 kg", 3, "3.0 kg"),
        ('"unclosed', 3, "unclosed"),
    ],
)
def test_numbers_are_shown_as_excel_shows_them(code: str, value: float, shown: str) -> None:
    assert get_number_format(code).format_value(value) == (shown, ValueKind.NUMBER)


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("m/d/yyyy", DAY, "2025-03-04"),
        ("dd.mm.yy", DAY, "2025-03-04"),
        ("mm/yyyy", DAY, "2025-03"),
        ("yyyy", DAY, "2025"),
        ("mmm-yy", DAY, "Mar-2025"),
        ("d-mmm", DAY, "4-Mar-2025"),
        ("mmm d", DAY, "Mar 4, 2025"),
        ("mmm", DAY, "Mar 2025"),
        ("[$-409]mmmm d, yyyy;@", DAY, "March 4, 2025"),
        ("[$-F800]dddd, mmmm dd, yyyy", DAY, "Tuesday, March 04, 2025"),
        ("[$-407]d. mmmm yyyy", DAY, "2025-03-04"),
        ('yyyy"年"m"月"d"日"', DAY, "2025年3月4日"),
        ('m"月"d"日"', DAY, "2025年3月4日"),
        ('[$-411]ggge"年"m"月"d"日"', DAY, "2025年3月4日"),
        ("ddd dd/mm/yyyy", DAY, "Tue 2025-03-04"),
        ("dddd", DAY, "Tuesday"),
        ("m/d/yy h:mm", DAY + 0.5, "2025-03-04 12:00"),
        ("yyyy-mm-dd hh:mm:ss", DAY + 0.75, "2025-03-04 18:00:00"),
        ("yyyy-mm-dd", 60, "1900-02-28"),
        ("yyyy-mm-dd", 61, "1900-03-01"),
    ],
)
def test_dates_are_unambiguous_and_have_their_year(code: str, value: float, shown: str) -> None:
    assert get_number_format(code).format_value(value) == (shown, ValueKind.DATE)


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("h:mm AM/PM", 0.75, "6:00 PM"),
        ("hh:mm", 0.5, "12:00"),
        ("[h]:mm", 1.75, "42:00"),
        ("[mm]:ss", 0.05, "72:00"),
        ("[h]:mm:ss", 30.5, "732:00:00"),
        ("mm:ss.0", 0.0001, "00:08.6"),
    ],
)
def test_times_and_lengths_of_time(code: str, value: float, shown: str) -> None:
    assert get_number_format(code).format_value(value) == (shown, ValueKind.TIME)


def test_dates_are_counted_from_1904_where_the_file_says_so() -> None:
    assert get_number_format("yyyy-mm-dd").format_value(0, date1904=True) == ("1904-01-01", ValueKind.DATE)
    assert get_number_format("yyyy-mm-dd").format_value(DAY - 1462, date1904=True) == ("2025-03-04", ValueKind.DATE)


@pytest.mark.parametrize("value", [-1.0, 3e6, 1e300])
def test_what_is_no_day_is_a_number(value: float) -> None:
    assert get_number_format("yyyy-mm-dd").format_value(value)[1] is ValueKind.NUMBER


@pytest.mark.parametrize(("code", "shown"), [("General", "x"), ("@", "x"), ('0;0;0;"<"@">"', "<x>"), ("0.00", "x")])
def test_texts_are_shown_in_their_section(code: str, shown: str) -> None:
    assert get_number_format(code).format_text("x") == shown


@given(code=st.lists(PIECES, max_size=12).map("".join), value=st.floats(allow_nan=False, allow_infinity=False))
def test_any_format_shows_any_number(code: str, value: float) -> None:
    text, kind = get_number_format(code).format_value(value)
    assert isinstance(text, str)
    assert kind in ValueKind
    assert isinstance(get_number_format(code).format_text("x"), str)


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_a_shown_number_is_within_half_of_its_last_digit(value: float, decimals: int) -> None:
    code = f"#,##0.{'0' * decimals}" if decimals else "#,##0"
    shown = float(get_number_format(code).format_value(value)[0].replace(",", ""))
    assert abs(shown - value) <= 0.5 * 10**-decimals + abs(value) * 1e-14
