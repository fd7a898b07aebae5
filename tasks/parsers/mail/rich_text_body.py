"""Rich Text bodies of Outlook messages: unpacked (LZFu, [MS-OXRTFCP]), then as the page or text inside of them.

Outlook keeps a web page in Rich Text by marking what is markup ([MS-OXRTFEX]); the page is taken out of it as it was.
Of other Rich Text the words are read, a paragraph a line and a row of a table a line.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field, replace

from tasks.parsers import refusals
from tasks.parsers.mail.header_fields import decode_bytes

_HEAD = struct.Struct("<II4sI")
_PACKED, _PLAIN = b"LZFu", b"MELA"
_WINDOW = 4096
_MOST_UNPACKED = 64 * 2**20
_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20"
    b"\\b\\i\\u\\tab\\tx"
)
"""What the window begins with ([MS-OXRTFCP], 2.1.2.1)."""
_TOKEN = re.compile(
    rb"\\(?:'(?P<hex>[0-9a-fA-F]{2})|(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|(?P<sign>[^a-zA-Z']))"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_ASIDE = frozenset({
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl", "headerr", "footerl",
    "footerr", "listtable", "listoverridetable", "revtbl", "generator", "themedata", "datastore", "latentstyles",
    "fldinst", "xmlnstbl", "rsidtbl", "pgdsctbl", "nonshppict", "mhtmltag",
})  # fmt: skip
_SIGNS = {"par": "\n", "line": "\n", "row": "\n", "tab": "\t", "cell": "\t", "emdash": "—", "endash": "–",
          "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
          "emspace": " ", "enspace": " "}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"-": "", b"\r": "\n", b"\n": "\n"}
_CHARSETS = {0: 1252, 2: 42, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254,
             163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250}  # fmt: skip
"""The code page of a font's charset."""
_DEEPEST = 10_000


def unpack_rich_text(data: bytes) -> bytes:
    """The Rich Text that a message keeps packed, as far as it can be read. Raises `UnreadableFile` for over 64 MB."""
    if len(data) < _HEAD.size:
        return b""
    _, size, kind, _ = _HEAD.unpack_from(data)
    if size > _MOST_UNPACKED:
        raise refusals.too_large(f"{_MOST_UNPACKED // 2**20} MB when unpacked")
    if kind == _PLAIN:
        return data[_HEAD.size : _HEAD.size + size]
    return _unpacked(data[_HEAD.size :], size) if kind == _PACKED else b""


def _unpacked(data: bytes, size: int) -> bytes:
    """The text: eight tokens follow each byte of flags, a literal or a place in the window and a length."""
    window = bytearray(_DICTIONARY.ljust(_WINDOW, b" "))
    end, place, text = len(_DICTIONARY), 0, bytearray()
    while place < len(data) and len(text) < size:
        flags = data[place]
        place += 1
        for bit in range(8):
            if flags >> bit & 1:
                if place + 2 > len(data):
                    return bytes(text)
                token = data[place] << 8 | data[place + 1]
                place += 2
                start, length = token >> 4, (token & 15) + 2
                if start == end:
                    return bytes(text)
                for step in range(length):
                    window[end] = window[(start + step) % _WINDOW]
                    text.append(window[end])
                    end = (end + 1) % _WINDOW
            elif place < len(data):
                window[end] = data[place]
                text.append(data[place])
                end, place = (end + 1) % _WINDOW, place + 1
    return bytes(text)


@dataclass(frozen=True, slots=True)
class _State:
    """What holds in a group. `skipped` is how many bytes stand for a Unicode character, for programs without it."""

    font: int = -1
    is_aside: bool = False
    is_hidden: bool = False
    skipped: int = 1


@dataclass(slots=True)
class _RichText:
    """Reads Rich Text token by token."""

    data: bytes
    codepage: int = 1252
    is_page: bool = False
    pieces: list[str] = field(default_factory=list)
    _bytes: bytearray = field(default_factory=bytearray)
    _charsets: dict[int, int] = field(default_factory=dict)
    _state: _State = field(default_factory=_State)
    _stack: list[_State] = field(default_factory=list)
    _skip: int = 0
    _in_fonts: int = 0
    _font: int = -1
    _is_starred: bool = False

    def read(self) -> str:
        """The page, or the words."""
        place = 0
        while (match := _TOKEN.search(self.data, place)) is not None:
            place = match.end()
            kind = match.lastgroup
            if kind == "brace":
                self._brace(match[0])
            elif match["hex"]:
                self._add(bytes([int(match["hex"], 16)]))
            elif match["word"]:
                name = match["word"].decode("ascii")
                number = None if match["number"] is None else int(match["number"])
                if name == "bin" and number and number > 0:
                    place += number
                else:
                    self._word(name, number)
            elif match["sign"]:
                self._sign(match["sign"])
            else:
                self._add(match["text"])
            if match["brace"] != b"{" and match["sign"] != b"*":
                self._is_starred = False
        self._flush()
        return "".join(self.pieces)

    def _brace(self, brace: bytes) -> None:
        self._flush()
        if brace == b"{":
            if len(self._stack) >= _DEEPEST:
                raise refusals.too_deep()
            self._stack.append(self._state)
        elif self._stack:
            self._state = self._stack.pop()
            if len(self._stack) < self._in_fonts:
                self._in_fonts = 0
        self._skip = 0

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._is_starred = True
        elif sign in _SYMBOLS:
            self._put(_SYMBOLS[sign])
        elif sign in (b"\\", b"{", b"}"):
            self._add(sign)

    def _word(self, name: str, number: int | None) -> None:
        if self._is_starred:
            is_markup = name == "htmltag"
            self._state = replace(self._state, is_aside=self._state.is_aside or not is_markup)
        elif name in _ASIDE:
            if name == "fonttbl":
                self._in_fonts = len(self._stack)
            self._state = replace(self._state, is_aside=True)
        elif name == "htmlrtf":
            self._flush()
            self._state = replace(self._state, is_hidden=number != 0)
        elif name in ("fromhtml", "fromtext"):
            self.is_page = name == "fromhtml"
        elif name == "plain":
            self._flush()
            self._state = replace(self._state, font=-1)
        elif name in _SIGNS:
            self._put(_SIGNS[name])
        elif number is not None:
            self._numbered_word(name, number)

    def _numbered_word(self, name: str, number: int) -> None:
        """A word that says nothing without its number."""
        if name == "ansicpg":
            self.codepage = number
        elif name == "f":
            self._flush()
            self._font = number
            self._state = replace(self._state, font=number)
        elif name == "fcharset" and self._in_fonts:
            self._charsets[self._font] = number
        elif name == "uc":
            self._state = replace(self._state, skipped=max(0, min(number, 100)))
        elif name == "u":
            self._put(chr(number % 65536))
            self._skip = self._state.skipped

    def _add(self, data: bytes) -> None:
        """Bytes of text, but for those that stand for the Unicode character before them."""
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        if not (self._state.is_aside or self._state.is_hidden):
            self._bytes += data

    def _put(self, text: str) -> None:
        self._flush()
        if not (self._state.is_aside or self._state.is_hidden):
            self.pieces.append(text)

    def _flush(self) -> None:
        """Bytes that stand together are decoded together: characters of two bytes come one by one."""
        if self._bytes:
            codepage = _CHARSETS.get(self._charsets.get(self._state.font, -1), self.codepage)
            data = bytes(self._bytes)
            self.pieces.append(data.decode("ascii") if data.isascii() else decode_bytes(data, codepage_name(codepage)))
            self._bytes.clear()


_NAMES = {65001: "utf-8", 1200: "utf-16-le", 20127: "ascii", 10000: "mac_roman", 20866: "koi8-r", 21866: "koi8-u",
          50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp", 51949: "euc-kr",
          936: "gb18030", 52936: "hz", 54936: "gb18030", 42: "cp1252", 1361: "johab", 51936: "gb2312"}  # fmt: skip


def codepage_name(number: int) -> str:
    """The name of a Windows code page; nothing where there is none."""
    if 28591 <= number <= 28605:
        return f"iso-8859-{number - 28590}"
    return _NAMES.get(number, f"cp{number}" if number > 0 else "")


def rich_text_body(data: bytes) -> tuple[bool, str]:
    """Whether Rich Text holds a web page, and that page, or the words. Raises `UnreadableFile` for deep nesting."""
    if not data.lstrip().startswith(b"{\\rtf"):
        return False, ""
    reader = _RichText(data)
    text = reader.read()
    # Characters beyond the first plane are written as two.
    return reader.is_page, text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
