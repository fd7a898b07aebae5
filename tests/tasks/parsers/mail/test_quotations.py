"""A body in its own words, quotations and signature."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tasks.parsers.mail.body_page import read_page_lines
from tasks.parsers.mail.message_reader import read_body_lines
from tasks.parsers.mail.mime_parts import Body
from tasks.parsers.mail.quotations import SplitBody, split_body

DAY = date(2025, 3, 12)
LONG = "The pump on pier 4 loses pressure again, and nobody knows why that is so. " * 9 + "So it is."


def split(text: str, **how: bool) -> SplitBody:
    return split_body(read_body_lines(Body(text=text, **how)), DAY)


def own(body: SplitBody) -> list[str]:
    return [block.text for block in body.own]


def quoted(body: SplitBody) -> list[tuple[str, str, list[str]]]:
    return [(said.sender, str(said.day or ""), [each.text for each in blocks]) for said, blocks in body.quotations]


def test_what_stands_below_is_taken_apart() -> None:
    found = split("Yes.\n\nOn 10 Mar 2025, at 14:05, Tom <t@x.example> wrote:\n> Can you?\n>\n> Please.\n")
    assert own(found) == ["Yes."]
    assert quoted(found) == [("Tom", "2025-03-10", ["Can you?", "Please."])]


def test_a_short_question_stays_with_its_answer() -> None:
    found = split("> Can we ship on Friday?\n\nNo, on Monday.\n\n> And the price?\n\n900 EUR.\n")
    assert own(found) == ["> Can we ship on Friday?", "No, on Monday.", "> And the price?", "900 EUR."]
    assert not found.quotations


def test_a_long_quotation_above_the_answer_is_taken_apart() -> None:
    found = split(f"Tom wrote:\n> {LONG}\n\nI will look at it.\n")
    assert own(found) == ["I will look at it."]
    assert quoted(found) == [("Tom", "", [LONG])]


def test_each_depth_is_another_message() -> None:
    text = (
        "Fine.\n\nOn 10 Mar 2025, at 14:05, Tom <t@x.example> wrote:\n> It is closed.\n>\n"
        "> On 8 Mar 2025, at 09:12, Bob <b@x.example> wrote:\n>> Is pier 4 open?\n> So wait.\n"
    )
    assert quoted(split(text)) == [
        ("Tom", "2025-03-10", ["It is closed.", "So wait."]),
        ("Bob", "2025-03-08", ["Is pier 4 open?"]),
    ]


def test_messages_below_their_headers_are_taken_apart() -> None:
    headers = "From: {0}\nSent: {1} March 2025 10:00\nTo: x\nSubject: Pump\n\n"
    second, first = headers.format("Tom", 10), headers.format("Bob", 8)
    found = split(f"See below.\n\n-----Original Message-----\n{second}Second.\n\n{first}First.")
    assert own(found) == ["See below."]
    assert quoted(found) == [("Tom", "2025-03-10", ["Second."]), ("Bob", "2025-03-08", ["First."])]


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        ("Hello.\n\n-- \nAnna\n+49 40", "Anna\n+49 40"),
        ("Hello.\n\nSent from my iPhone", "Sent from my iPhone"),
        ("Hello.\n\n发自我的iPhone", "发自我的iPhone"),
        (f"Hello.\n\n{'_' * 40}\nTide mailing list\nhttp://x", f"{'_' * 40}\nTide mailing list\nhttp://x"),
    ],
)
def test_signatures_are_taken_apart(body: str, signature: str) -> None:
    found = split(body)
    assert (own(found), found.signature) == (["Hello."], signature)


def test_a_signature_above_a_quotation_leaves_its_lead() -> None:
    found = split("Yes.\n\n-- \nAnna\n\nOn 10 Mar 2025, at 14:05, Tom <t@x.example> wrote:\n> Can you?\n")
    assert found.signature == "Anna"
    assert quoted(found) == [("Tom", "2025-03-10", ["Can you?"])]


def test_flowed_lines_are_joined() -> None:
    assert own(split("One line \ngoes on.\n\n> quoted \n> too\n\n No from\nhere.", is_flowed=True)) == [
        "One line goes on.",
        "> quoted too",
        "No from\nhere.",
    ]
    assert own(split("一行 \n接着。", is_flowed=True, deletes_space=True)) == ["一行接着。"]


GMAIL = (
    '<div dir="ltr">Yes.</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Mar 10, 2025 at 2:05 PM Tom '
    "&lt;t@x.example&gt; wrote:<br></div><blockquote class=gmail_quote><div>Can you?</div></blockquote></div>"
)
APPLE = (
    "<div>Yes.</div><div><br><blockquote type=cite><div>On 10 Mar 2025, at 14:05, Tom &lt;t@x.example&gt; wrote:</div>"
    "</blockquote></div><blockquote type=cite><div>Can you?</div></blockquote>"
)
THUNDERBIRD = (
    '<p>Yes.</p><div class="moz-cite-prefix">Am 10.03.25 um 14:05 schrieb Tom:<br></div><blockquote type="cite"><p>Can '
    "you?</p></blockquote>"
)
OUTLOOK = (
    "<p>Yes.</p><div style='border-top:solid'><p><b>From:</b> Tom &lt;t@x.example&gt;<br><b>Sent:</b> Monday, "
    "March 10, 2025 2:05 PM<br><b>To:</b> Anna<br><b>Subject:</b> Pump</p></div><p>Can you?</p>"
)


@pytest.mark.parametrize("page", [GMAIL, THUNDERBIRD, OUTLOOK], ids=["gmail", "thunderbird", "outlook"])
def test_pages_mark_what_they_quote(page: str) -> None:
    found = split_body(read_page_lines(f"<html><body>{page}</body></html>".encode()), DAY)
    assert own(found) == ["Yes."]
    assert quoted(found) == [("Tom", "2025-03-10", ["Can you?"])]


def test_apple_mail_quotes_its_own_lead() -> None:
    found = split_body(read_page_lines(APPLE.encode()), DAY)
    assert own(found) == ["Yes."]
    assert [blocks[-1] for _, _, blocks in quoted(found)] == ["Can you?"]


def test_a_table_and_the_signature_of_a_page() -> None:
    page = (
        "<div>Prices:<table border=1><tr><th>a<th>b<tr><td>1<td>2</table></div>"
        '<div><div class="gmail_signature">Anna<br>+49</div></div>'
    )
    found = split_body(read_page_lines(page.encode()), DAY)
    assert [block.kind for block in found.own] == ["paragraph", "table"]
    assert found.signature == "Anna\n+49"


def test_characters_that_xml_has_not_cost_nothing() -> None:
    page = "a&#31;b<div>c&#x1f;d<blockquote type=cite>e&#65535;f</blockquote>&#1;g</div>"
    found = split_body(read_page_lines(page.encode()), DAY)
    assert own(found)[0] == "a b"


LINES = st.sampled_from(
    [
        "> quoted {}", ">> deeper {}", "own words {}", "", ">", "-- ",
        "On 10 Mar 2025, at 14:05, Tom {} <t@x.example> wrote:",
        "> On 10 Mar 2025, at 14:05, Tom {} <t@x.example> wrote:", "From: Tom {}", "> From: Tom {}",
        "Sent: 10 March 2025 {}", "> Sent: 10 March 2025 {}", "Subject: {}", "> Subject: {}", "a: {}", "to: {}",
        "-----Original Message-----", "> -----Original Message-----", "Sent from my iPhone {}", "____________________",
        "The mail is confidential, for the addressee only; delete what came in error {}",
    ]
)  # fmt: skip


@example(["From: Tom {}", "Sent: 10 March 2025 {}", "a: {}"])
@example(["Subject: {}", "From: Tom {}", "Sent: 10 March 2025 {}", "Subject: {}", "From: Tom {}", "to: {}", "own {}"])
@example(["On 10 Mar 2025, at 14:05, Tom {} <t@x.example> wrote:", "From: Tom {}", "Subject: {}", "to: {}", "own {}"])
@example(["> Tom {} wrote:", ">> On 10 Mar 2025, at 14:05, Tom {} <t@x.example> wrote:", ">>> deeper {}"])
@example(["> From: Tom {}", "> Subject: {}", "> to: {}", "", "own words {}"])
@given(st.lists(st.one_of(LINES, st.text(alphabet="abc >-:", max_size=12).map("{} {{}}".format)), max_size=30))
def test_no_word_of_a_body_is_lost(lines: list[str]) -> None:
    found = split("\n".join(line.format(f"w{number}q") for number, line in enumerate(lines)))
    quotations = (
        text for source, blocks in found.quotations for text in (source.words, *(each.text for each in blocks))
    )
    words = " ".join([*own(found), *quotations, found.signature, found.notice])
    assert [number for number, line in enumerate(lines) if "{}" in line and f"w{number}q" not in words] == []
