"""Delimited values: one table, no row lost, and no prose taken for one."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tests.tasks.parsers.test_parser_contract import keeps_its_promises
from warehouse.records import Document


def table(text: str, name: str = "a.csv", encoding: str = "utf-8") -> Document:
    raw = Raw(name, text.encode(encoding))
    assert choose_parser(raw) == "delimited"
    return read(raw)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('name,age\nAnn,5\n"B, C",6\n', (("name", "age"), ("Ann", "5"), ("B, C", "6"))),
        ("name;value\nx;1,5\ny;2,5\n", (("name", "value"), ("x", "1,5"), ("y", "2,5"))),
        ("a\tb\n1\t2\n", (("a", "b"), ("1", "2"))),
        ("a|b|c\n1|2|3\n4|5|6\n", (("a", "b", "c"), ("1", "2", "3"), ("4", "5", "6"))),
        ('id,text\r\n1,"one\r\ntwo, ""three"""\r\n', (("id", "text"), ("1", 'one two, "three"'))),
        ("sep=;\na;b\n1;2\n", (("a", "b"), ("1", "2"))),
        ("seed, 0xdead\n0, 0xa475\n1, 0xb2d5\n", (("seed", "0xdead"), ("0", "0xa475"), ("1", "0xb2d5"))),
        ("city, pop\nOslo, 700000\nRome, 2800000\n", (("city", "pop"), ("Oslo", "700000"), ("Rome", "2800000"))),
    ],
)
def test_delimiters_and_quotes(text: str, rows: tuple[tuple[str, ...], ...]) -> None:
    (found,) = table(text).tables
    assert found.rows == rows
    assert found.header_rows == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
def test_encodings(encoding: str) -> None:
    found = table("姓名,年龄,城市\n张三,25,北京\n李四,30,上海\n", encoding=encoding)
    assert found.tables[0].rows[1] == ("张三", "25", "北京")
    assert found.language == "zh"


def test_ragged_rows_are_padded_and_lines_above_the_header_stay() -> None:
    document = table("Report of 2024\n\nMonth,Revenue,Cost\nJan,5,6\nFeb,7,8\nMar,1\nTotal,12,14,late\n")
    (found,) = document.tables
    assert document.text.startswith("Report of 2024\n\n[TABLE 1]\n| Month |")
    assert found.caption == "Report of 2024"
    assert found.rows[-2:] == (("Mar", "1", "", ""), ("Total", "12", "14", "late"))


def test_lines_about_the_file_above_the_table_are_no_rows() -> None:
    front = "Umsatzanzeige;Datei erstellt am: 12.03.2024\n\nIBAN;DE12 5001 0517\nBank;ING\nSaldo;1.203,11;EUR\n\n"
    header = "Buchung;Valuta;Auftraggeber;Zweck;Saldo;Betrag"
    rows = "12.03.2024;12.03.2024;REWE;Einkauf;1.203,11;-25,30\n11.03.2024;11.03.2024;ACME;;1.228,41;2.500,00\n"
    for end in ("", ";;;;"):
        found = table(front.replace("\n", f"{end}\n").replace(f"\n{end}\n", "\n\n") + f"{header}\n{rows}")
        assert found.tables[0].rows[0] == tuple(header.split(";"))
        assert len(found.tables[0].rows) == 3
        assert "IBAN: DE12 5001 0517\nBank: ING\nSaldo 1.203,11 EUR" in found.text


def test_a_header_with_gaps_stays_in_the_table() -> None:
    found = table("year,2023,,2024,,\n,EUR,USD,EUR,USD,all\nJan,1,2,3,4,5\nFeb,2,3,4,5,6\n").tables[0]
    assert found.rows[0][:2] == ("year", "2023")
    assert table(",Revenue,,Cost,\nx,EUR,USD,EUR,USD\nJan,1,2,3,4\n").tables[0].rows[0][1] == "Revenue"


def test_cells_that_are_pieces_of_pages_have_no_tags() -> None:
    found = table('id,body\n1,<p>Tide&nbsp;<b>range</b></p><p>1.2 m</p>\n2,"a < b, <T> c"\n')
    assert found.tables[0].rows[1:] == (("1", "Tide range 1.2 m"), ("2", "a < b, <T> c"))


def test_what_anki_writes_of_the_file_is_no_row() -> None:
    cards = "capital of Norway\tOslo\tgeo\ncapital of Iceland\tReykjavik\tgeo\ntide\tmoon\tsea\n"
    found = table(f"#separator:tab\n#html:true\n#tags column:3\n{cards}", "cards.txt").tables[0]
    assert (found.header_rows, found.rows[0]) == (0, ("capital of Norway", "Oslo", "geo"))
    found = table(f"#separator:tab\n#columns:Front\tBack\tTags\n{cards}", "cards.txt").tables[0]
    assert (found.header_rows, found.rows[0]) == (1, ("Front", "Back", "Tags"))


def test_a_quote_that_is_never_closed_swallows_no_row() -> None:
    rows = "".join(f"{number},x,5\n" for number in range(1_000))
    document = table(f'id,name,size\n1,"5 inch,5\n{rows}')
    assert len(document.tables[0].rows) == 1_002
    assert document.tables[0].rows[1] == ("1", '"5 inch', "5")


@pytest.mark.parametrize("delimiter", [",", ";", "|"])
def test_quotes_count_however_many_records_hold_the_delimiter_in_them(delimiter: str) -> None:
    rows = [("Day", "Sum"), *((f"{number % 28 + 1}.01.2024", f"{number}{delimiter}50") for number in range(600))]
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter).writerows(rows)
    assert table(target.getvalue()).tables[0].rows == tuple(rows)


def test_quotes_behind_a_backslash_end_no_field() -> None:
    rows = [("Id", "Note"), ("1", '5" pipe, new'), ("2", 'a "rare" one'), ("3", "C:\\parts\\")]
    target = io.StringIO()
    csv.writer(target, quoting=csv.QUOTE_ALL, doublequote=False, escapechar="\\").writerows(rows)
    assert table(target.getvalue()).tables[0].rows == tuple(rows)
    assert table('name\tyear\nG{\\"o}del, \\alpha\t1931\nX\t1889\n').tables[0].rows[1][0] == 'G{\\"o}del, \\alpha'
    assert table('folder,files\n"C:\\parts\\",5\n"C:\\new\\",6\n').tables[0].rows[1] == ("C:\\parts\\", "5")


def test_one_broken_row_does_not_widen_all_others() -> None:
    document = table("a,b\n" + "1,2\n" * 3_000 + "x," * 5_000 + "end\n")
    assert max(map(len, document.tables[0].rows)) < 100
    assert document.text.count("x") == 5_000
    assert "end" in document.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Dear Ann, I write to you.\nIt was fine, thanks.\nBye, Bob.\n"),
        ("a.csv", "just one column\nfoo\nbar\n"),
        ("a.txt", "Hello, world, this is fine.\nAnd, so, it goes.\nWell, yes, no.\n"),
        ("a.txt", "Apples, pears, plums\nTea, milk, water\nBread, jam, salt\n"),
        ("a.log", "2024-01-01 10:00:00,123 INFO started\n" * 6),
        ("a.txt", "int a;\nint b;\nreturn c;\nfoo();\n"),
    ],
)
def test_what_is_no_table_is_text(name: str, text: str) -> None:
    assert choose_parser(Raw(name, text.encode())) == "text"


def test_a_table_of_markdown_is_markdowns() -> None:
    assert choose_parser(Raw("a.md", b"# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")) == "markdown"
    assert choose_parser(Raw("a.md", b"a | b\n--- | ---\n1 | 2\n")) == "markdown"
    wide = b"| | Q4 2022 | Q4 2021 | Change |\n|---|---|---|:--|\n| Revenue | 14.0 | 20.5 | down 32% |\n"
    assert choose_parser(Raw("a.md", b"# Results\n\nRevenue fell.\n\n" + wide)) == "markdown"
    assert choose_parser(Raw("a.md", b"# Results\n\n- Revenue fell.\n\n" + wide + b"\n" + wide)) == "markdown"
    assert choose_parser(Raw("a.md", wide)) == "markdown"


@pytest.mark.parametrize(
    "text",
    [
        "# Sales\n## by **region**\nregion,2020,2021\nNorth,1,2\nSouth,3,4\n",
        "# Sales\n## by region\nregion,sum\nNorth,1\nSouth,3\n",
        "## id,name\n## 1,x\n## 2,y\n",
        "## sums\na,b\n1,2\n",
    ],
)
def test_remarks_behind_hashes_do_not_make_a_table_markdown(text: str) -> None:
    assert choose_parser(Raw("a.csv", text.encode())) == "delimited"


def test_headings_between_blank_lines_are_markdowns() -> None:
    assert choose_parser(Raw("a.md", b"# Sales\n\n## by region\n\nregion,sum\nNorth,1\nSouth,3\n")) == "markdown"


def test_content_alone_makes_a_regular_table() -> None:
    assert choose_parser(Raw("export", b"day,sold,left\n2024-01-01,5,6\n2024-01-02,7,8\n")) == "delimited"


def test_a_long_file_is_one_table_in_time_that_grows_with_it() -> None:
    rows = "".join(f"{number},Customer {number},{number * 1.5}\n" for number in range(20_000))
    document = table(f"id,name,amount\n{rows}")
    (found,) = document.tables
    assert len(found.rows) == 20_001
    assert found.rows[-1] == ("19999", "Customer 19999", "29998.5")


FIELDS = st.text(alphabet="ab1 ,;\"'\n中", max_size=6)
GRIDS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=2, max_size=8)
)


@given(GRIDS, st.sampled_from(",;\t|"))
def test_no_field_of_a_written_file_is_lost(grid: list[list[str]], delimiter: str) -> None:
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter, lineterminator="\n").writerows([["h"] * len(grid[0]), *grid])
    document = parse_as("delimited", Raw("a.csv", target.getvalue().encode()))
    keeps_its_promises(document)
    letters = [document.text.count(letter) >= target.getvalue().count(letter) for letter in "ab1中"]
    assert all(letters)


def test_seconds_in_a_column_of_times_are_moments() -> None:
    (found,) = table("title,timestamp,number\nRoof,1615557911,1615557911\nSoup,1616263200,5\n").tables
    assert found.rows[1:] == (("Roof", "2021-03-12 14:05:11", "1615557911"), ("Soup", "2021-03-20 18:00:00", "5"))


@pytest.mark.parametrize(
    ("text", "header_rows"),
    [
        ("Ada,2013-11-23,12\nBob,2014-05-31,7\nCleo,2015-01-02,9\n", 0),
        ("x1;15.09.2015;closed\nx2;16.09.2015;closed\nx3;17.09.2015;open\n", 0),
        ("9lc,60837,863.35\nhp3,57570,362.10\nwo3,16213,989.13\n", 0),
        ("name,when,count\nAda,2013-11-23,12\nBob,2014-05-31,7\n", 1),
        ("country,2019,2020,2021\nChad,5000,7000,6000\nMali,4000,9000,1000\n", 1),
        ("sensor,0.5,1.5,2.5\na,1.25,3.75,2.25\nb,9.25,8.5,3.25\n", 1),
        ("country,2020-01-22,2020-01-23\nChad,5000,7000\nMali,4000,9000\n", 1),
        ("id,100022,100025\n1,5000,7000\n2,4000,9000\n", 1),
        ("word,other\none,two\nthree,four\n", 1),
    ],
)
def test_a_first_row_of_data_is_no_header(text: str, header_rows: int) -> None:
    table = parse_as("delimited", Raw("a.csv", text.encode())).tables[0]
    assert table.header_rows == header_rows
    assert len(table.rows) == text.count("\n")


@pytest.mark.parametrize(
    "lines",
    [
        ["Net sales        4,120    3,988", "Cost of sales    2,801    2,705", "Gross margin     1,319    1,283"],
        [
            "Umsatz         4.120,10    3.988,00",
            "Aufwand        2.801,55    2.705,40",
            "Ergebnis       1.318,55    1.282,60",
        ],
    ],
    ids=["thousands", "decimals"],
)
def test_commas_inside_the_figures_of_a_printed_table_part_no_fields(lines: list[str]) -> None:
    document = read(Raw("sales.txt", "\n".join(["", *lines, ""]).encode()))
    assert document.media_type == "text/plain"
    assert document.tables[0].rows[-1][0] in ("Gross margin", "Ergebnis")


def test_names_and_remarks_below_the_rows_are_a_paragraph() -> None:
    rows = "Date,Text,Debit,Credit,Balance\n1,a,,5,5\n2,b,2,,3\n3,c,1,,2\nTotal,,3,5,2\n"
    for below in ("Closing Balance:,2.00,,,", "Source: the bank", "* not yet booked"):
        document = table(rows + "\n" + below)
        assert [len(table.rows) for table in document.tables] == [5]
        assert document.text.endswith(below.rstrip(",").replace(":,", ": "))
    for row in ("Closing,2.00,,,", "4,d,1"):
        assert len(table(rows + row).tables[0].rows) == 6


def test_decimal_commas_tear_no_row_that_semicolons_part() -> None:
    lines = ["Plan 2025 (in EUR)", "Posten;Jan;Feb;Summe", "Einnahmen", "Gehalt;3.100,00;3.100,00;6.200,00"]
    lines += ["Kindergeld;255,00;255,00;510,00", "Ausgaben", "Miete;1.150,00;1.150,00;2.300,00"]
    lines += [f"{name};40,00;40,00;80,00" for name in ("Strom", "Gas", "Wasser", "Bahn", "Telefon")]
    lines += ["Saldo;1.950,00;1.950,00;3.900,00"]
    (found,) = table("\n".join(lines)).tables
    assert found.rows[0] == ("Posten", "Jan", "Feb", "Summe")
    assert found.rows[-1] == ("Saldo", "1.950,00", "1.950,00", "3.900,00")


def test_fields_of_figures_alone_are_fields() -> None:
    assert read(Raw("a.csv", b"1,2,3\n4,5,6\n7,8,9\n")).media_type == "text/csv"


@pytest.mark.parametrize(
    ("above", "header"),
    [
        ("Account,12345\nBill date,05/04/2024\n", ("Reading date", "kWh", "Amount")),
        ("Customer:,Meier\n", ("Item", "Qty", "Price")),
        ("Konto,DE12\nZeitraum,März 2024\n", ("Datum", "Text", "Betrag")),
    ],
)
def test_names_and_values_above_three_columns_are_no_rows(above: str, header: tuple[str, ...]) -> None:
    (found,) = table(f"{above}{','.join(header)}\n31/01/2024,310,92.10\n29/02/2024,280,84.20\n").tables
    assert found.rows[0] == header
    assert (len(found.rows), found.header_rows) == (3, 1)
    assert found.caption == above.strip().replace(":", "").replace(",", ": ").replace("\n", " ")


@pytest.mark.parametrize(
    "text",
    ["Name,Amount\nAnn,5,late\nBob,6,\nCid,7,late\n", "Item,Price\nNut,1\nBolt,2\nPin,3,old\n"],
)
def test_a_header_that_is_short_of_a_column_is_no_line_above(text: str) -> None:
    assert table(text).tables[0].rows[0][:2] == tuple(text.split("\n")[0].split(","))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("rows", [1, 2, 30])
def test_a_file_that_ends_within_quotes_is_a_table(delimiter: str, rows: int) -> None:
    lines = [f'{number}{delimiter}"one{delimiter} two\nthree"{delimiter}{number}' for number in range(rows)]
    text = "\n".join([delimiter.join(("id", "text", "count")), *lines, f'99{delimiter}"cut{delimiter} in\nthe midd'])
    (found,) = table(text).tables
    assert found.rows[:2] == (("id", "text", "count"), ("0", " ".join(f"one{delimiter} two three".split()), "0"))
    assert found.rows[-1][0] == "99"
    assert len(found.rows) == rows + 2


@pytest.mark.parametrize(
    ("above", "remarks", "header"),
    [
        ("# station: Pier\n# made by CTD 88, no. 5521\ntime,temp,salt\n", "station: Pier\nmade by CTD 88, no. 5521",
         ("time", "temp", "salt")),
        ("# units: degC, PSU, m\ntime,temp,salt\n", "units: degC, PSU, m", ("time", "temp", "salt")),
        ("# Pier\n#\n# time,temp,salt\n", "Pier\n#", ("time", "temp", "salt")),
        ("#time,temp,salt\n", "", ("time", "temp", "salt")),
        ("#,temp,salt\n", "", ("#", "temp", "salt")),
    ],
)  # fmt: skip
def test_remarks_behind_hashes_above_a_table_are_no_rows(above: str, remarks: str, header: tuple[str, ...]) -> None:
    rows = "2024-02-01,6.12,33.91\n2024-02-02,6.10,33.92\n2024-02-03,,33.90\n"
    document = read(Raw("a.csv", (above + rows).encode()))
    assert document.tables[0].rows[0] == header
    assert len(document.tables[0].rows) == 4
    assert document.text.split("[TABLE 1]")[0].strip() == remarks
