"""Mails as documents: the message, what only it quotes, and what is attached to it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.temporal.entries import find_entries
from tests.examples import examples
from tests.tasks.parsers.conftest import SAMPLES
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_mail import answer, attached, headings, mail, mixed, part, people, read_mail, shown, texts
from tests.tasks.parsers.test_parser_contract import attempt
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateClaim, DateOrigin, Kind, Severity

PDF = (SAMPLES / "reports/northlight-fy2025-q3.pdf").read_bytes()
BROKEN = (SAMPLES / "broken.pdf").read_bytes()


def test_a_mail_is_a_document_of_its_day() -> None:
    document = read_mail(mail("The seal is new."))
    assert (document.kind, document.title, document.authors) == (Kind.MESSAGE, "Pump", ("Anna Weber",))
    assert document.dates == (DateClaim(date(2025, 3, 12), DateOrigin.MESSAGE),)
    assert headings(document) == [(1, "Pump"), (2, "2025-03-12 14:05, Anna Weber")]
    assert shown(document) == ["The seal is new."]
    people = "From: Anna Weber <anna@harbour.example>\nTo: Tom Okafor <tom@harbour.example>"
    assert texts(document, BlockKind.FURNITURE) == [people]


def test_what_only_a_mail_quotes_is_a_message_of_its_own_day() -> None:
    document = read_mail(answer("Yes.", "Is pier 4 open?"))
    assert headings(document)[1:] == [(2, "2025-03-13 09:00, Tom Okafor"), (2, "2025-03-12 14:05, Anna Weber (quoted)")]
    assert shown(document) == ["Yes.", "Is pier 4 open?"]
    days = [entry.days[0].isoformat() for entry in find_entries(document) if entry.days]
    assert days == ["2025-03-13", "2025-03-12"]


def test_quotations_without_a_day_stay_in_the_day_of_the_mail() -> None:
    document = read_mail(mail("Yes.\n\nTom wrote:\n> Is pier 4 open?"))
    assert headings(document)[-1] == (3, "Quoted: Tom")
    assert len(find_entries(document)) == 1


def test_dates_inside_of_a_message_begin_no_entry() -> None:
    page = "<h1>2025-01-01</h1><p>2025-02-02: a note</p>"
    document = read_mail(mail(f"<html><body>{page}</body></html>", kind="text/html"))
    assert [entry.days for entry in find_entries(document)] == [(date(2025, 3, 12), date(2025, 3, 13))]
    assert (3, "2025-01-01") in headings(document)


def test_attachments_are_listed_and_read() -> None:
    table, picture = (
        attached("readings.csv", b"day,bar\n2025-03-10,3.1\n", "text/csv"),
        attached("a.png", b"\x89PNG", "image/png"),
    )
    document = read_mail(mixed(part("See the files."), table, attached("q3.pdf", PDF, "application/pdf"), picture))
    assert (
        "Attachments: readings.csv (text/csv, 1 KB); q3.pdf (application/pdf, 4 KB); a.png (image/png, 1 KB)"
        in shown(document)
    )
    sections = {each[2] for block in document.blocks if len(each := block.section) > 2}
    assert sections == {"Attachment: readings.csv", "Attachment: q3.pdf"}
    assert document.tables[0].rows == (("day", "bar"), ("2025-03-10", "3.1"))
    assert any("Total revenue" in row for table in document.tables for row in table.rows)
    assert document.findings == ()
    keeps_its_promises(document)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (attached("offer.pdf", BROKEN, "application/pdf"), "the PDF ends too early"),
        (attached("old.doc", b"\xd0\xcf\x11\xe0" + bytes(600)), "the old Word file is damaged"),
    ],
)
def test_an_attachment_that_cannot_be_read_is_a_finding_that_names_it(file: bytes, why: str) -> None:
    document = read_mail(mixed(part("See the file."), file))
    (finding,) = document.findings
    assert finding.name == "lost-part"
    assert finding.message.startswith("2025-03-12")
    assert why in finding.message
    assert shown(document)[0] == "See the file."


def test_the_messages_inside_of_a_mail_have_their_own_days() -> None:
    inner = mail("Nothing leaked.", subject="Visits", date="Tue, 14 Nov 2023 09:00:00 -0500")
    for holder in (part(inner, "message/rfc822"), attached("visits.eml", inner, "application/octet-stream")):
        document = read_mail(mixed(part("See below."), holder))
        assert headings(document)[-1] == (2, "2023-11-14 09:00, Anna Weber (attached)")
        assert shown(document)[-2:] == ["Subject: Visits", "Nothing leaked."]


def test_messages_in_messages_end() -> None:
    data = mail("innermost")
    for _ in range(20):
        data = mixed(part("outer"), part(data, "message/rfc822")).replace(b"edge", b"e%d" % len(data))
    document = read_mail(data)
    assert any("inside of one another" in finding.message for finding in document.findings)


def test_long_lists_are_cut() -> None:
    names = people([f"Person{number}" for number in range(40)])
    files = (attached(f"{number}.txt", b"Some words.", "text/plain") for number in range(60))
    document = read_mail(mixed(part("x"), *files).replace(b"Tom Okafor <tom@harbour.example>", names.encode()))
    assert "and 30 more" in texts(document, BlockKind.FURNITURE)[-1]
    assert any(text.endswith("; and 30 more") for text in shown(document))
    assert sum("more than 40 files" in finding.message for finding in document.findings) == 20


def test_a_mail_without_anything_says_so() -> None:
    document = read_mail(b"Subject:\nMessage-ID: <a@b>\n\n")
    assert headings(document) == [(1, "(no subject)"), (2, "undated, unknown sender")]
    assert [(entry.start, entry.days) for entry in find_entries(document)] == [(0, None)]


SEALED = (
    mixed(attached("a", b"Version: 1", "application/pgp-encrypted"), kind="encrypted"),
    mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA7wVvK2dS1yq\n=abcd\n-----END PGP MESSAGE-----\n"),
    mixed(attached("smime.p7m", b"\x30\x80", "application/pkcs7-mime")),
)


@pytest.mark.parametrize("data", SEALED)
def test_of_an_encrypted_mail_the_headers_are_read(data: bytes) -> None:
    document = read_mail(data)
    assert shown(document)[0] == "The text of this message is encrypted."
    assert shown(document)[1].startswith("From: ")
    assert find_entries(document)[0].days == (date(2025, 3, 12), date(2025, 3, 13))
    assert [(finding.name, finding.severity) for finding in document.findings] == [("encrypted-file", Severity.WARNING)]


def test_words_around_what_is_encrypted_are_read() -> None:
    sealed = "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n"
    document = read_mail(mail(f"Hello Anna,\n\n{sealed}\nSee you."))
    assert "Hello Anna," in document.text
    assert "hQEM" not in document.text
    assert [finding.name for finding in document.findings] == ["encrypted-file"]


def test_an_encrypted_mail_without_headers_is_refused() -> None:
    data = b"MIME-Version: 1.0\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n"
    with pytest.raises(UnreadableFile, match="encrypted"):
        read(Raw("a.eml", data))


def test_a_long_subject_and_a_long_sender_still_head_the_message() -> None:
    document = read_mail(mail("x", subject="word " * 100, sender=f'"{"name " * 60}" <a@b>'))
    assert [level for level, _ in headings(document)] == [1, 2]
    assert find_entries(document)[0].days == (date(2025, 3, 12), date(2025, 3, 13))


@pytest.mark.parametrize("name", ["a.eml", "a.emlx", "a.txt", "a", "a.md"])
def test_a_mail_is_known_by_its_headers(name: str) -> None:
    assert choose_parser(Raw(name, mail("Hello.", "Message-ID: <a@b>"))) == "eml"
    assert choose_parser(Raw(name, mail("Hello.", "Message-ID: <a@b>").replace(b"\n", b"\r\n"))) == "eml"


@pytest.mark.parametrize(
    "text", ["From: Oslo\nTo: Bergen\nDate: 3 March\n\nThe ferry.", "Title: x\nAuthor: y\n\nWords."]
)
def test_a_note_with_fields_is_no_mail(text: str) -> None:
    assert choose_parser(Raw("a.txt", text.encode())) != "eml"
    assert choose_parser(Raw("a.md", text.encode())) == "markdown"


def test_the_data_file_of_outlook_is_refused_with_the_way_out() -> None:
    with pytest.raises(UnreadableFile, match="Outlook data file") as caught:
        read(Raw("a.pst", b"!BDN" + bytes(range(256))))
    assert "export it from Outlook" in caught.value.cure


PIECES = st.sampled_from(
    [
        "--edge", "--edge--", "Content-Type: multipart/mixed; boundary=edge", "Content-Type: message/rfc822", "", "",
        "Content-Type: text/html", "Content-Type: text/plain; charset=utf-7", "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment; filename=a.pdf", "aGVsbG8=", "=E4=B8", "<p>page<br>two", "> quoted",
        "On 1 Jan 2025 at 10:00, Tom <t@x> wrote:", "-- ", "Date: Wed, 12 Mar 2025 14:05:00 +0100", "From: a <b@c>",
        "Subject: =?utf-8?q?=C3=A4?=", "begin 644 x", "end", "BEGIN:VCALENDAR", "# Heading", "| a | b |", "| - | - |",
        "| 1 | 2 |", "\ufeff", "中文。", "\x00",
    ]
)  # fmt: skip


@examples(2)
@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=30).map("\n".join))
def test_any_lines_keep_the_contract(text: str) -> None:
    document = attempt(lambda: read_mail(b"From: a@b\nMessage-ID: <x@y>\n" + text.encode("utf-8", "replace")))
    if isinstance(document, UnreadableFile):
        assert "parser failed" not in document.problem
        return
    keeps_its_promises(document)
    starts = [entry.start for entry in find_entries(document)]
    assert starts == sorted(starts)
    assert starts[0] == 0


SAVED = """MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

--b
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

<html><head><title>Caf=E9</title><meta name=3D"author" content=3D"Ann"></head>
<body><nav>Home</nav><h1>Caf=E9</h1><p>Words.</p></body></html>
--b
Content-Type: text/html
Content-Location: https://ads.example/frame

<html><body>Buy this</body></html>
--b--
"""


@pytest.mark.parametrize(
    ("name", "head"),
    [
        (
            "a.mhtml",
            "From: <Saved by Blink>\nSnapshot-Content-Location: https://x\nDate: Fri, 2 Oct 2026 10:00:00 -0000\n",
        ),
        ("a", 'From: "Saved by Internet Explorer 11"\nSubject: A\nDate: Fri, 2 Oct 2026 10:00:00 -0000\n'),
        ("a.mht", ""),
    ],
    ids=["Chromium", "another browser", "Word"],
)
def test_a_page_saved_in_one_file_is_a_page(name: str, head: str) -> None:
    document = read(Raw(name, f"{head}{SAVED}".encode()))
    assert (document.kind, document.title, document.authors, document.dates) == (Kind.TEXT, "Café", ("Ann",), ())
    assert document.text == "Café\n\nWords."


def test_a_saved_page_that_ends_before_its_words_is_refused() -> None:
    whole = f"From: <Saved by Blink>\nSnapshot-Content-Location: https://x\n{SAVED}"
    for cut in (whole[:60], whole[: whole.index("text/html")], whole[: whole.index("<html>")]):
        with pytest.raises(UnreadableFile, match=r"ends too early|is damaged"):
            read(Raw("a.mhtml", cut.encode()))
    mail = "From: ann@example.org\nSubject: Saved by Outlook\nMIME-Version: 1.0\n\nWords of a mail.\n"
    assert "Words of a mail." in read(Raw("a.mht", mail.encode())).text


NOTICES = (
    "This e-mail is confidential. If you are not the intended recipient, notify the sender and delete it.",
    "Diese E-Mail ist vertraulich. Wenn Sie nicht der Adressat sind, informieren Sie\nden Absender.",
    "Ce message est confidentiel. Si vous l'avez reçu par erreur, merci d'en avertir l'expéditeur et de le détruire.",
    "Este mensaje es confidencial y va dirigido a su destinatario. Si lo recibe por error, elimínelo.",
    "Questo messaggio è riservato ai destinatari indicati. Se ricevuto per errore, avvisare il mittente.",
    "Esta mensagem é confidencial. Se a recebeu por engano, avise o remetente e apague-a.",
    "Dit bericht is vertrouwelijk en bestemd voor de geadresseerde. Ten onrechte ontvangen? Verwijder het.",
    "本邮件内容保密，仅供指定收件人阅读。如误收请立即删除。",
    "Please consider the environment before printing this e-mail.",
    "CAUTION: This email originated from outside of the organization. Do not click links unless you know the sender.",
)


@pytest.mark.parametrize("notice", NOTICES)
@pytest.mark.parametrize("is_page", [False, True])
def test_the_notice_of_a_business_is_a_passage_of_its_own(notice: str, is_page: bool) -> None:
    words = ["The seal is new.", "Anna"]
    for paragraphs in ([*words, notice], [notice, *words]):
        body = "".join(f"<p>{each}</p>" for each in paragraphs) if is_page else "\n\n".join(paragraphs)
        document = read_mail(mail(body, kind=f"text/{'html' if is_page else 'plain'}; charset=utf-8"))
        *own, furniture, last = document.blocks
        assert [document.text[block.start : block.end] for block in own[2:]] == words
        assert furniture.kind is BlockKind.FURNITURE
        assert document.text[last.start : last.end].split() == notice.split()
        assert last.kind is BlockKind.PARAGRAPH


def test_a_notice_comes_once_in_a_thread_and_is_never_all_that_a_mail_says() -> None:
    alone = read_mail(mail(NOTICES[0]))
    assert shown(alone) == [NOTICES[0]]
    box = b"".join(b"From a Mon Jan 1 00:00:00 2025\n" + mail(f"Word {n}.\n\n{NOTICES[0]}") + b"\n" for n in range(3))
    assert shown(read(Raw("a.mbox", box))).count(NOTICES[0]) == 1
