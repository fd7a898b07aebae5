"""The parts of a message: its bodies, what is attached, and the messages inside of it (RFC 2045 to 2049, 2183, 2387).

Among alternatives the web page is read, unless the plain text has far more. Pictures that a page shows are no
attachments, nor is a signature of the whole message (RFC 1847). Content that is signed in one part is read.

Messages are parsed with the policy that keeps headers as they are written (compat32, the parser's own): newer ones
decode each by the letter, and some not at all.
"""

from __future__ import annotations

import binascii
import quopri
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message

from tasks.parsers.mail.header_fields import decode_base64, decode_bytes, get_file_name, get_parameter, get_raw_header
from tasks.parsers.mail.signed_data import find_signed_content
from tasks.parsers.mail.tnef_file import SIGNATURE, unpack_files

Part = Message
PAGE, PLAIN = "text/html", "text/plain"
ENCRYPTED = "encrypted"
_MAX_DEPTH = 30  # Parts inside each other.
_SIGNATURES = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})
_ENVELOPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_IGNORED_ALTERNATIVES = frozenset({"text/x-amp-html", "text/watch-html"})
_MIN_WORD_RATIO = 3
"""How many times as many words the plain text must have: pages that only say "view this in your browser"."""
_STYLES = re.compile(rb"</?(?:style|script)\b", re.IGNORECASE)
_TAG = re.compile(rb"<[^<>]*>")
_PGP_MESSAGE = re.compile(
    rb"^-----BEGIN PGP MESSAGE-----(?:(?!\n-----).)*\n-----END PGP MESSAGE-----", re.MULTILINE | re.DOTALL
)
"""What is encrypted within a plain text (RFC 4880, 6.2)."""
_UU_BEGIN = re.compile(rb"^begin(?:-base64)? [0-7]{3,4} ([^\r\n]{1,200})\r?\n", re.MULTILINE)
_UU_END = re.compile(rb"^end[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Body:
    """A text to read: a page as bytes that name or mark their own encoding, or plain text.

    `is_flowed` says that its lines may be joined, and `deletes_space` that a blank at their end is none (RFC 3676).
    """

    page: bytes = b""
    text: str = ""
    is_flowed: bool = False
    deletes_space: bool = False

    @property
    def words(self) -> int:
        """About how many words it has."""
        if not self.page:
            return len(self.text.split())
        content = b" ".join(_STYLES.split(self.page)[::2])
        return len(_TAG.sub(b" ", content).split())


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file inside of a message. `name` is empty where the message gives it none."""

    name: str
    media_type: str
    data: bytes


@dataclass(slots=True)
class MessageParts:
    """What a message consists of; `problem` is why nothing else of it can be read, if that is so."""

    bodies: list[Body] = field(default_factory=list)
    files: list[AttachedFile] = field(default_factory=list)
    messages: list[Part] = field(default_factory=list)
    problem: str = ""


def collect_parts(message: Part) -> MessageParts:
    """The parts in order."""
    parts = MessageParts()
    _walk_part(message, parts, 0)
    return parts


def find_saved_page(data: bytes) -> bytes | None:
    """The page in a message as browsers save one (MHTML, RFC 2557), without those of its frames.

    Nothing where the message has something else to read, None where it has nothing at all.
    """
    parts = collect_parts(message_from_bytes(data))
    has_content = parts.files or parts.messages or any(body.words for body in parts.bodies)
    return next((body.page for body in parts.bodies if body.page), b"") if has_content else None


def get_content_type(part: Part) -> str:
    """The media type of a part in lower case."""
    try:
        return part.get_content_type()
    except (ValueError, TypeError, AttributeError):
        return PLAIN


def _walk_part(part: Part, parts: MessageParts, depth: int) -> None:
    kind, inner = get_content_type(part), part.get_payload()
    children = [child for child in inner if isinstance(child, Message)] if isinstance(inner, list) else []
    if kind.startswith("message/") and children:
        if kind in ("message/rfc822", "message/global", "message/news"):
            parts.messages += children
        elif kind == "message/delivery-status":
            lines = ["\n".join(f"{name}: {value}" for name, value in child.raw_items()) for child in children]
            parts.bodies.append(Body(text="\n\n".join(filter(None, lines))))
        return
    if not children:
        _add_leaf(part, kind, parts, depth)
    elif depth >= _MAX_DEPTH:
        parts.problem = f"its parts are nested more than {_MAX_DEPTH} deep"
    elif kind == "multipart/encrypted":
        parts.problem = ENCRYPTED
    elif kind == "multipart/alternative":
        _add_alternative(children, parts, depth)
    else:
        for child in children:
            _walk_part(child, parts, depth + 1)


def _add_alternative(children: Sequence[Part], parts: MessageParts, depth: int) -> None:
    """The page if there is one, else the plain text; both may be deeper. Other parts are kept as well."""
    versions = []
    for child in children:
        if get_content_type(child) not in _IGNORED_ALTERNATIVES:
            version = MessageParts()
            _walk_part(child, version, depth + 1)
            versions.append(version)
    pages = [version for version in versions if any(body.page for body in version.bodies)]
    plain_versions = [version for version in versions if version.bodies and version not in pages]
    chosen_versions = (pages or plain_versions)[-1:]
    if pages and plain_versions and _count_words(plain_versions[-1]) > _MIN_WORD_RATIO * _count_words(pages[-1]):
        chosen_versions = plain_versions[-1:]
    for version in versions:
        parts.bodies += version.bodies if version in chosen_versions else ()
        parts.files += version.files
        parts.messages += version.messages
        parts.problem = parts.problem or version.problem


def _count_words(parts: MessageParts) -> int:
    return sum(body.words for body in parts.bodies)


def _add_leaf(part: Part, kind: str, parts: MessageParts, depth: int) -> None:
    name, is_attached = get_file_name(part), _get_disposition(part) == "attachment"
    if kind in _ENVELOPES and get_parameter(part, "content-type", "smime-type") != "certs-only":
        signed_content = find_signed_content(decode_payload(part)) if depth < _MAX_DEPTH else None
        if signed_content is None:
            parts.problem = ENCRYPTED
        else:
            _walk_part(message_from_bytes(signed_content), parts, depth + 1)
        return
    if kind in _SIGNATURES:
        return
    if kind.startswith(("multipart/", "message/")):
        # Its content type announces parts, and it has none.
        kind = PLAIN
    data = decode_payload(part)
    if kind == PLAIN and _PGP_MESSAGE.search(data):
        parts.problem, data = ENCRYPTED, _PGP_MESSAGE.sub(b"", data)
    if kind in (PLAIN, PAGE, "text/enriched", "text/richtext") and not is_attached and not name:
        parts.bodies += _read_body(part, kind, data, parts.files)
    elif data.startswith(SIGNATURE) and (packed := unpack_files(data))[1]:
        # The body of the packed message usually is another part.
        parts.bodies += [Body(text=packed[0])] if packed[0] and not parts.bodies else []
        parts.files += (AttachedFile(name, "application/octet-stream", content) for name, content in packed[1])
    elif (data or name) and (is_attached or not _is_shown_in_page(part, kind)):
        parts.files.append(AttachedFile(name, kind, data))


def _get_disposition(part: Part) -> str:
    return get_raw_header(part, "content-disposition").partition(";")[0].strip().lower()


def _is_shown_in_page(part: Part, kind: str) -> bool:
    """Whether a part is a picture that a page shows, or some style of it."""
    return bool(get_raw_header(part, "content-id")) and kind.startswith(("image/", "text/css", "font/"))


def decode_payload(part: Part) -> bytes:
    """The bytes of a part without its transfer encoding, as far as they can be read."""
    encoding = get_raw_header(part, "content-transfer-encoding").split(";")[0].strip().lower()
    # Without that header the bytes come as they are: with it, damaged ones would come undecoded.
    del part["content-transfer-encoding"]
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return b""
    if encoding == "base64":
        return decode_base64(data)
    if encoding == "quoted-printable":
        return quopri.decodestring(data)
    if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        return b"".join(file.data for file in _extract_uuencoded(data)[1]) or data
    return data


def _read_body(part: Part, kind: str, data: bytes, files: list[AttachedFile]) -> Iterator[Body]:
    charset = get_parameter(part, "content-type", "charset")
    if kind == PAGE:
        # With a byte order mark nothing that the page says of its encoding counts: programs change the bytes alone.
        yield Body(b"\xef\xbb\xbf" + decode_bytes(data, charset).encode("utf-8", "replace") if charset else data)
        return
    text_data, uuencoded = _extract_uuencoded(data)
    files += uuencoded
    text = decode_bytes(text_data, charset)
    if kind != PLAIN:
        text = re.sub(r"<[^<>\n]{1,40}>", "", text)
    flowed = get_parameter(part, "content-type", "format").lower() == "flowed"
    yield Body(text=text, is_flowed=flowed, deletes_space=get_parameter(part, "content-type", "delsp").lower() == "yes")


def _extract_uuencoded(data: bytes) -> tuple[bytes, list[AttachedFile]]:
    """A text without the files that stand uuencoded in it, as before MIME, and these files."""
    pieces: list[bytes] = []
    files: list[AttachedFile] = []
    place = 0
    while (begin := _UU_BEGIN.search(data, place)) is not None:
        end = _UU_END.search(data, begin.end())
        if end is None:
            break
        lines = data[begin.end() : end.start()].splitlines()
        content = decode_base64(b"".join(lines)) if begin[0].startswith(b"begin-base64") else _decode_uu(lines)
        pieces.append(data[place : end.end() if content is None else begin.start()])
        if content is not None:
            name = re.split(r"[\\/]", decode_bytes(begin[1].strip(), ""))[-1]
            files.append(AttachedFile(name, "application/octet-stream", content))
        place = end.end()
    return b"".join([*pieces, data[place:]]), files


def _decode_uu(lines: Sequence[bytes]) -> bytes | None:
    """The bytes of uuencoded lines; None where one of them is no such line."""
    pieces = []
    for line in lines:
        size = (((line[0] - 32) & 63) * 4 + 5) // 3 if line else 0
        try:
            # Some programs write a line longer than it says.
            pieces.append(binascii.a2b_uu(line[:size] if size else b" "))
        except binascii.Error:
            return None
    return b"".join(pieces)
