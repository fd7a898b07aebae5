"""Headers of messages, decoded also where they break the standards (RFC 5322, 2047, 2231).

Nothing here raises for what a header holds: encoded words with unknown charsets or broken base64, characters of eight
bits without any encoding, addresses without a host, dates that no calendar has.
"""

from __future__ import annotations

import binascii
import quopri
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email.message import Message
from itertools import groupby

from tasks.parsers.assembly import clean
from tasks.parsers.decoder import decode, decode_as
from tasks.parsers.mail.moments import Moment, read_moment
from tasks.parsers.trees import collapse_spaces

MAX_HEADER_LENGTH = 20_000  # Characters of a header that are looked at: a list of some hundred recipients.
_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_ID = re.compile(r"<([^<>\s]{1,500})>")
_MAX_IDS = 200  # Ids of messages of some headers, the nearest ones.
_MAX_NAME_LENGTH = 200  # Characters of the name of a file.
_ADDRESS_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)|<[^<>]*>|[,;]|[^",;(<]+|.', re.DOTALL)
_ANGLE_ADDRESS = re.compile(r"<\s*([^<>]*?)\s*>")
_BARE_ADDRESS = re.compile(r"[^\s<>()@,;:]+@[^\s<>()@,;:]+")
_COMMENT = re.compile(r"\(([^()]*)\)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_GROUP = re.compile(r'^[^":@<]{0,80}:')
_MAX_CLOCK_ERROR = timedelta(days=2)
"""How much later than its arrival a message may have been sent by its sender's clock."""


@dataclass(frozen=True, slots=True)
class Address:
    """A person in a header: the name, which may be empty, and the address."""

    name: str = ""
    address: str = ""

    @property
    def shown(self) -> str:
        """The name, else the address."""
        return self.name or self.address

    @property
    def full(self) -> str:
        """Name and address."""
        return f"{self.name} <{self.address}>" if self.name and self.address else self.shown


NOBODY = Address()


def get_raw_header(message: Message, name: str) -> str:
    """The first header of a name as it is written, unfolded; characters of eight bits are decoded by what they are."""
    return next(iter_raw_headers(message, name), "")


def iter_raw_headers(message: Message, name: str) -> Iterator[str]:
    """Every header of a name, in order."""
    for key, value in message.raw_items():
        if key.lower() == name:
            yield _unfold_value(value)


def _unfold_value(value: str) -> str:
    """A header's characters: the parser keeps bytes beyond ASCII as surrogates (RFC 6532 has UTF-8)."""
    text = value[:MAX_HEADER_LENGTH]
    if not text.isascii():
        text = decode(text.encode("utf-8", "surrogateescape")) or text.encode("ascii", "replace").decode()
    return re.sub(r"\r?\n(?=[ \t])", "", text).replace("\r", " ").replace("\n", " ")


def decode_words(value: str) -> str:
    """A header's text with its encoded words decoded (RFC 2047), on one line.

    Neighbouring words of one charset are joined before they are decoded: many programs cut characters in two.
    """
    pieces: list[tuple[str, bytes | str]] = []
    position = 0
    for match in _ENCODED_WORD.finditer(value):
        text_between = value[position : match.start()]
        if text_between.strip() or not pieces:
            pieces.append(("", text_between))
        pieces.append((match[1].split("*")[0].lower(), _decode_word(match[2], match[3])))
        position = match.end()
    pieces.append(("", value[position:]))
    return collapse_spaces(clean("".join(_join_pieces(pieces))))


def _join_pieces(pieces: Iterable[tuple[str, bytes | str]]) -> Iterator[str]:
    for charset, group in groupby(pieces, key=lambda piece: piece[0]):
        data = [piece for _, piece in group]
        if charset:
            yield decode_bytes(b"".join(piece for piece in data if isinstance(piece, bytes)), charset)
        else:
            yield "".join(piece for piece in data if isinstance(piece, str))


def _decode_word(encoding: str, text: str) -> bytes:
    if encoding.lower() == "q":
        return quopri.decodestring(text.encode("ascii", "replace"), header=True)
    return decode_base64(text.encode("ascii", "replace"))


def decode_base64(data: bytes) -> bytes:
    """The bytes that base64 stands for, as far as it can be read: other characters are left out (RFC 2045, 6.8)."""
    pieces = []
    # Files put together of several have signs of the end inside.
    for part in data.split(b"="):
        digits = re.sub(rb"[^A-Za-z0-9+/]", b"", part)
        digits = digits[: len(digits) - (len(digits) % 4 == 1)]
        pieces.append(binascii.a2b_base64(digits + b"=" * (-len(digits) % 4)))
    return b"".join(pieces)


def decode_bytes(data: bytes, charset: str) -> str:
    """The text of some bytes that name their charset, which may be unknown, wrong or missing."""
    charset_name = charset.strip("\"' ").lower()
    text = (
        decode_as(data, charset_name)
        if charset_name and charset_name not in ("unknown-8bit", "x-unknown", "default")
        else decode(data)
    )
    return data.decode("latin-1") if text is None else text


def parse_addresses(values: Iterable[str]) -> list[Address]:
    """The people of some headers, each once.

    `email.utils.getaddresses` takes a name with a comma that is not quoted for two people, or, since Python 3.11.10,
    gives nobody at all where a header has one.
    """
    people: dict[Address, None] = {}
    for value in values:
        pending_name = ""
        for piece in _split_addresses(value):
            person = _parse_person(piece)
            # What no address follows is the first half of a name: Weber, Anna <anna@harbour.example>
            name = ", ".join(filter(None, (pending_name, person.name)))
            pending_name = "" if person.address else name
            if person.address:
                people[Address("" if name == person.address else name, person.address)] = None
        if pending_name:
            people[Address(pending_name, "")] = None
    return list(people)


def _parse_person(piece: str) -> Address:
    """One person as written: Anna <a@b>, a@b, a@b (Anna); without an address where there is none."""
    text = _GROUP.sub("", piece).strip()
    if (angles := _ANGLE_ADDRESS.search(text)) is not None:
        name, address = text[: angles.start()], angles[1]
    elif (comment := _COMMENT.search(text)) is not None and "@" in text:
        name, address = comment[1], _COMMENT.sub("", text)
    else:
        name, address = ("", text) if _BARE_ADDRESS.fullmatch(text) else (text, "")
    # Names are decoded after the people are told apart: a decoded name may hold a comma.
    return Address(decode_words(_QUOTED.sub(_unquote, name)).strip("\"' "), collapse_spaces(clean(address)))


def _split_addresses(value: str) -> Iterator[str]:
    """A header cut at the commas between people, and at the semicolons that end groups."""
    start = 0
    for token in _ADDRESS_TOKEN.finditer(value):
        if token[0] in (",", ";"):
            if value[start : token.start()].strip():
                yield value[start : token.start()]
            start = token.end()
    if value[start:].strip():
        yield value[start:]


def _unquote(match: re.Match[str]) -> str:
    return re.sub(r"\\(.)", r"\1", match[1])


def parse_message_ids(values: Iterable[str]) -> list[str]:
    """The ids of messages in some headers, in order, at most 200."""
    return list(dict.fromkeys(match[1] for value in values for match in _ID.finditer(value)))[-_MAX_IDS:]


def find_sent_moment(message: Message, envelope: str = "") -> Moment | None:
    """When a message was sent: by its date, unless it came before that; else when it arrived.

    `envelope` is the date of the line that begins the message in a mailbox.
    """
    sent_moment = next(filter(None, map(read_moment, iter_raw_headers(message, "date"))), None)
    received_dates = [value.rpartition(";")[2] for value in iter_raw_headers(message, "received")]
    arrival = next(filter(None, map(read_moment, (*received_dates, get_raw_header(message, "delivery-date")))), None)
    if sent_moment is None:
        return arrival or read_moment(envelope)
    return arrival if arrival is not None and sent_moment.instant > arrival.instant + _MAX_CLOCK_ERROR else sent_moment


def get_parameter(message: Message, header: str, name: str) -> str:
    """A parameter of a header, such as the charset of the content type; empty where it has none (RFC 2231, 2047)."""
    value = get_raw_header(message, header)
    if name not in value.lower():
        return ""
    probe: Message = Message()
    probe[header] = value
    try:
        parameter = probe.get_param(name, header=header)
    except (ValueError, TypeError, IndexError, LookupError):
        return ""
    if isinstance(parameter, tuple):
        charset, _, text = parameter
        return collapse_spaces(
            clean(decode_bytes(text.encode("utf-8" if not _is_latin(text) else "latin-1"), charset or ""))
        )
    return decode_words(parameter or "")


def _is_latin(text: str) -> bool:
    return all(character < "\u0100" for character in text)


def get_file_name(part: Message) -> str:
    """The name that a part of a message gives its file, without a folder; empty where it gives none."""
    name = get_parameter(part, "content-disposition", "filename") or get_parameter(part, "content-type", "name")
    return re.split(r"[\\/]", name)[-1].strip("\"' .")[:_MAX_NAME_LENGTH]
