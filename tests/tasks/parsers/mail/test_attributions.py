"""Who wrote what is quoted, and when, in the languages and forms of mail programs."""

from __future__ import annotations

from datetime import date, time

import pytest

from tasks.parsers.mail.attributions import may_begin_headers, read_attribution, read_header_block

LATEST = date(2025, 3, 20)


@pytest.mark.parametrize(
    ("line", "sender", "day"),
    [
        ("On Mon, Mar 10, 2025 at 2:05 PM Tom Okafor <tom@x.example> wrote:", "Tom Okafor", "2025-03-10 14:05"),
        ("On 10 Mar 2025, at 14:05, Tom Okafor <tom@x.example> wrote:", "Tom Okafor", "2025-03-10 14:05"),
        ("On 3/10/25, 2:05 PM, Tom Okafor wrote:", "Tom Okafor", "2025-03-10 14:05"),
        ("On 2025-03-10 14:05, Tom Okafor wrote:", "Tom Okafor", "2025-03-10 14:05"),
        ("Am Mo., 10. März 2025 um 14:05 Uhr schrieb Tom Okafor <tom@x.example>:", "Tom Okafor", "2025-03-10 14:05"),
        ("Am 10.03.25 um 14:05 schrieb Tom Okafor:", "Tom Okafor", "2025-03-10 14:05"),
        ("Le lun. 10 mars 2025 à 14:05, Tom Okafor <tom@x.example> a écrit :", "Tom Okafor", "2025-03-10 14:05"),
        ("El lun, 10 mar 2025 a las 14:05, Tom Okafor (<tom@x.example>) escribió:", "Tom Okafor", "2025-03-10 14:05"),
        ("在 2025年3月10日，下午2:05，李娜 <lina@x.example> 写道：", "李娜", "2025-03-10 14:05"),
        ("李娜 <lina@x.example> 于2025年3月10日周一 14:05写道：", "李娜", "2025-03-10 14:05"),
        ("2025-03-10 14:05 GMT+01:00 Tom Okafor <tom@x.example>:", "Tom Okafor", "2025-03-10 14:05"),
        ("Tom Okafor wrote:", "Tom Okafor", ""),
        ("W dniu 2025-03-10 o 14:05, Jan Nowak pisze:", "Jan Nowak", "2025-03-10 14:05"),
        ("10. března 2025 14:05 Jan Novák <jan@x.example> napsal(a):", "Jan Novák", "2025-03-10 14:05"),
        ("пн, 10 мар. 2025 г. в 14:05, Иван <ivan@x.example>:", "Иван", "2025-03-10 14:05"),
        ("Ali Kaya <ali@x.example>, 10 MART 2025 Pzt, 14:05 tarihinde şunu yazdı:", "Ali Kaya", "2025-03-10 14:05"),
        ("Kis Anna <anna@x.example> ezt írta (2025. március 10., 14:05):", "Kis Anna", "2025-03-10 14:05"),
    ],
)
def test_the_line_above_a_quotation_says_who_and_when(line: str, sender: str, day: str) -> None:
    found = read_attribution(line, LATEST)
    assert found is not None
    moment = f"{found.day} {found.hour:%H:%M}" if found.day and found.hour else ""
    assert (found.sender, moment) == (sender, day)


@pytest.mark.parametrize(
    "line",
    ["We met on 10 March 2025.", "Please note:", "", "The prices of 10 March 2025 are these:", "He wrote a book."],
)
def test_other_lines_say_nothing(line: str) -> None:
    assert read_attribution(line, LATEST) is None


OUTLOOK = [
    "From: Tom Okafor [mailto:tom@x.example]",
    "Sent: Monday, March 10, 2025 2:05 PM",
    "To: Anna",
    "Subject: Pump",
]
GERMAN = ["Von: Okafor, Tom <tom@x.example>", "Gesendet: Montag, 10. März 2025 14:05", "An: Anna", "Betreff: Pump"]
CHINESE = ["发件人: Tom Okafor <tom@x.example>", "发送时间: 2025年3月10日 14:05", "收件人: Anna", "主题: Pump"]
POLISH = ["Od: Tom Okafor <tom@x.example>", "Wysłano: 10 marca 2025 14:05", "Do: Anna", "Temat: Pump"]
TURKISH = ["KIMDEN: Tom Okafor <tom@x.example>", "GÖNDERİLDİ: 10 Mart 2025 14:05", "KİME: Anna", "Konu: Pump"]
RUSSIAN = ["От: Tom Okafor <tom@x.example>", "Отправлено: 10 марта 2025 г. 14:05", "Кому: Anna", "Тема: Pump"]
LANGUAGES = [OUTLOOK, GERMAN, CHINESE, POLISH, TURKISH, RUSSIAN]


@pytest.mark.parametrize("lines", [*LANGUAGES, ["-----Original Message-----", *OUTLOOK]])
def test_headers_in_a_text_say_who_and_when(lines: list[str]) -> None:
    found = read_header_block([*lines, "", "Body."], LATEST)
    assert found is not None
    count, said = found
    assert count == len(lines)
    sender = "Okafor, Tom" if lines is GERMAN else "Tom Okafor"
    assert (said.sender, said.day, said.hour, said.subject) == (sender, date(2025, 3, 10), time(14, 5), "Pump")
    assert said.words == "\n".join(lines[-4:])
    assert may_begin_headers(lines[0])


@pytest.mark.parametrize(
    "lines",
    [["From: Oslo", "To: Bergen", "", "Fare: 12"], ["Subject: x", "Date: y", "To: z"], ["--------------", "text"], []],
)
def test_other_lines_are_no_headers(lines: list[str]) -> None:
    assert read_header_block(lines, LATEST) is None


@pytest.mark.parametrize("line", ["ſubject: x", "Tarıh: 10 KASIM 2024", "DATE: 10 aprıl 2024", "Date: 10 auguſt 2024"])
def test_letters_that_a_pattern_takes_for_others_are_read(line: str) -> None:
    found = read_header_block(["From: Tom", line, "To: Anna"], LATEST)
    assert found is not None
    assert found[1].subject == "x" or found[1].day is not None
