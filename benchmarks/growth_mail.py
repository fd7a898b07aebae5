"""Mails, mailboxes and books that are made to be slow: one repeated thing each, of any size."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

Maker = Callable[[int], bytes]
_HEAD = "From: a@b\nMessage-ID: <1@x>\nDate: Wed, 12 Mar 2025 14:05:00 +0100\nMIME-Version: 1.0\n"
_PLAIN = "Content-Type: text/plain; charset=utf-8\n\n"
_PAGE = "Content-Type: text/html; charset=utf-8\n\n<html><body>"
_MIXED = "Content-Type: multipart/mixed; boundary=e\n\n"
_LINE = "From x@y Wed Mar 12 13:05:00 2025\n"
_OPF = (
    '<package><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="n" href="n.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    '<spine toc="n"><itemref idref="a"/></spine></package>'
)


def _mail(piece: str, before: str = _PLAIN, after: str = "") -> Maker:
    return lambda size: (_HEAD + before + piece * (size // len(piece) + 1) + after).encode()


def _numbered(piece: str, before: str = "") -> Maker:
    """Pieces with their number in the place of {0}, that of the piece before in the place of {1}."""

    def make(size: int) -> bytes:
        count = size // len(piece) + 1
        return (before + "".join(piece.format(number, number - 1) for number in range(1, count + 1))).encode()

    return make


def _nested(size: int) -> bytes:
    count = size // 60 + 1
    opened = "".join(f"Content-Type: multipart/mixed; boundary=e{number}\n\n--e{number}\n" for number in range(count))
    return f"{_HEAD}{opened}{_PLAIN}deep".encode()


def _book(piece: str, point: str = "", before: str = "", after: str = "") -> Maker:
    def make(size: int) -> bytes:
        count = size // len(piece + point) + 1
        numbers = range(1, count + 1)
        body = "".join(piece.format(number) for number in numbers)
        parts = {
            "book.opf": _OPF,
            "a.xhtml": f"<html><body>{before}{body}{after}</body></html>",
            "n.ncx": f"<ncx><navMap>{''.join(point.format(number) for number in numbers)}</navMap></ncx>",
        }
        target = BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
            for name, text in parts.items():
                archive.writestr(name, text)
        return target.getvalue()

    return make


_POINT = '<navPoint><navLabel><text>Line {0}</text></navLabel><content src="a.xhtml#p{0}"/></navPoint>'

MAIL_INPUTS: Mapping[str, tuple[str, Maker]] = {
    "eml: quoted lines": (".eml", _mail("> words\n")),
    "eml: quotations": (".eml", _mail("words\n> words\n")),
    "eml: deep quotations": (".eml", _mail(">")),
    "eml: attributions": (".eml", _mail("On 10 Mar 2025, at 14:05, Tom <t@x> wrote:\n> a\n")),
    "eml: headers in the text": (".eml", _mail("From: Tom\nSent: 10 March 2025\nSubject: x\n\nwords\n")),
    "eml: labels": (".eml", _mail("From: Tom\n")),
    "eml: rules": (".eml", _mail("__________\n")),
    "eml: signatures": (".eml", _mail("-- \nAnna\n")),
    "eml: flowed lines": (".eml", _mail("> words \n", "Content-Type: text/plain; format=flowed\n\n")),
    "eml: beginnings of files": (".eml", _mail("begin 644 a\n")),
    "eml: quoted characters": (".eml", _mail("=C3=A4", f"Content-Transfer-Encoding: quoted-printable\n{_PLAIN}")),
    "eml: people": (".eml", _mail("A B <a@b>, ", "To: ", f"\n{_PLAIN}words")),
    "eml: open quotes of people": (".eml", _mail('"', "To: ", f"\n{_PLAIN}words")),
    "eml: words of a subject": (".eml", _mail("=?utf-8?q?a?= ", "Subject: ", f"\n{_PLAIN}words")),
    "eml: headers": (".eml", _mail("X-A: b\n", "", f"{_PLAIN}words")),
    "eml: references": (".eml", _mail("<a@b> ", "References: ", f"\n{_PLAIN}words")),
    "eml: parts": (".eml", _mail(f"--e\n{_PLAIN}a\n", _MIXED, "--e--")),
    "eml: files": (
        ".eml",
        _mail(
            "--e\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nab\n", _MIXED, "--e--"
        ),
    ),
    "eml: messages": (".eml", _mail(f"--e\nContent-Type: message/rfc822\n\nFrom: a@b\n{_PLAIN}a\n", _MIXED, "--e--")),
    "eml: nested parts": (".eml", _nested),
    "eml: page of quotations": (".eml", _mail("<blockquote type=cite>a</blockquote>b", _PAGE)),
    "eml: page of deep quotations": (
        ".eml",
        _mail("<div><blockquote type=cite>a" * 60 + "</blockquote></div>" * 60, _PAGE),
    ),
    "eml: page of signatures": (".eml", _mail('<div class="gmail_signature">a</div>b', _PAGE)),
    "eml: appointments": (
        ".eml",
        _mail("BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n", "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n"),
    ),
    "mbox: messages": (".mbox", _numbered(f"{_LINE}From: a@b\nMessage-ID: <{{0}}@x>\n\nwords {{0}}\n\n")),
    "mbox: answers": (
        ".mbox",
        _numbered(f"{_LINE}From: a@b\nMessage-ID: <{{0}}@x>\nIn-Reply-To: <{{1}}@x>\n\nwords {{0}}\n> words {{1}}\n\n"),
    ),
    "mbox: lines": (".mbox", _numbered("From here\n\n", f"{_LINE}From: a@b\n\n")),
    "epub: paragraphs": (".epub", _book("<p>Some words.</p>")),
    "epub: lines of contents": (".epub", _book('<p id="p{0}">Some words.</p>', _POINT)),
    "epub: lines of contents without words": (".epub", _book('<p id="p{0}"></p>', _POINT)),
    "epub: headings": (".epub", _book('<h2 id="p{0}">Line {0}</h2><p>a</p>', _POINT)),
    "epub: notes": (
        ".epub",
        _book('<p>a<a role="doc-noteref" href="#n{0}">1</a></p><aside role="doc-footnote" id="n{0}">b</aside>'),
    ),
    "epub: notes of a paragraph": (
        ".epub",
        _book(
            '<a role="doc-noteref" href="#n{0}">1</a><i role="doc-footnote" id="n{0}">b</i>', before="<p>", after="</p>"
        ),
    ),
    "epub: pictures": (".epub", _book('<img alt="A map of {0}"/>')),
}
