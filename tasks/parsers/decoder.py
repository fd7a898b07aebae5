"""Decoding of bytes in any encoding; None where bytes are no text.

Among the encodings older than Unicode, the one that gives the likeliest text is chosen. charset-normalizer was
measured on 12 languages in their own encodings, one line each: it mistook half of them, and decoded a curly
apostrophe in an English line as a Chinese character. Characters in their context are better evidence than bytes.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from tasks.parsers import refusals
from tasks.parsers.assembly import clean

HEAD_BYTES = 65_536
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PRACTICAL_ENCODINGS = {
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "x-sjis": "cp932",
    "windows-31j": "cp932", "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "iso-8859-1": "cp1252", "latin1": "cp1252",
    "us-ascii": "cp1252", "ascii": "cp1252", "iso-8859-9": "cp1254", "utf-16": "utf-8", "utf-16le": "utf-8",
}  # fmt: skip
"""Encodings that names stand for in practice (WHATWG Encoding Standard, 4.2); a readable name rules out UTF-16."""
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_CONTROL_CHARACTERS = re.compile(r"\x00+|[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROL_SHARE = 0.05  # Of control characters in a text.
_MAX_CONTROLS = 3
"""Control characters that a short text in UTF-8 may have, if they are less than a quarter of it."""
_MIN_SHOWN_SHARE = 0.9
_MAX_BROKEN_SHARE = 0.01  # Of characters beyond ASCII that cannot be decoded.
_MAX_INVALID_SHARE = 0.1  # The same in UTF-8; of texts in 11 other encodings .74 and more cannot be decoded.
_MIN_PADDING = 4  # Zeros after a text, as after a crash or in the last block of a tape; UTF-32 ends in three.
_MAX_CHARACTER_BYTES = 4  # Bytes of a character of UTF-8.
_MAX_PLANE = 0x10  # The last plane of Unicode.
_CANDIDATES = (
    "cp1252", "gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1251", "koi8-r", "cp1253", "cp1250", "cp850",
    "iso8859_2", "cp866", "cp852", "iso8859_5",
)  # fmt: skip
_UTF_16 = ("utf-16-le", "utf-16-be")
_SAMPLE_BYTES = 8_192
_TRAILING_BYTES = "".join(bytes([number]).decode("cp1252", "ignore") for number in range(0x80, 0xC0))
_DOUBLE_ENCODED_PAIR = re.compile(
    rf"[\xc2-\xdf][\x80-\xbf{_TRAILING_BYTES}]|[\xe0-\xef][\x80-\xbf{_TRAILING_BYTES}]{{2}}|[\xf0-\xf4][\x80-\xbf{_TRAILING_BYTES}]{{3}}"
)
"""The bytes of a character of UTF-8 (RFC 3629), each decoded as Windows-1252 or Latin-1."""
_HALF_PAIR = re.compile(r"Ã |Â(?=[\s:;!?%»]|\Z)")  # "à", or a blank, whose no-break space became another blank.
_MIN_PAIRS = 4  # Pairs of a text without Â and Ã: "CAFÉ’S" and "Å²" are such pairs too.
_MAX_OTHER_SHARE = 0.02  # Of other characters beyond ASCII in a text that was encoded twice.
_MIN_LIKELIHOOD = 0.25
_CERTAIN_LIKELIHOOD = 0.7
_CARON_BYTE = re.compile(rb"[\x8a\x8e\x9a\x9e]")
_COMMON_HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法"
    "所民得经十三之进等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四"
    "日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系者最立代想已通"
    "并提直题程展五果料员位入常文总次品式活设及管特件长求老头基资边流路级少统接知较将组见计别她手角期根论运指几九区强放决西被"
    "做必先回则任取完举科名收入报告目项市时间日期姓号码增长"
    "這個國時來們於對會發動過說產種後經進電裡現實與關點從業應開還與義間樣線內數質氣變條沒結問無總設長頭資邊統將組見計別論運"
    "幾區強決舉報項號碼並學體機當務應議記錄專該資訊"
)
_COMMON_HANGUL = (
    "이다는의을를에가은하고로지기사한시리어인도대자서나해스정수일부라제보전그있것들성원상장과만구주면니러여관동위국년월"
)
_WESTERN_LETTERS = "éèêëàâäáãåæçíìîïñóòôöõøœúùûüßÿÉÈÊÀÂÄÁÅÆÇÍÎÑÓÔÖØŒÚÜ"
_PUNCTUATION = "‘’“”‚„–—…•€£§©®™°±·«»¿¡½¼¾×²³¹µªº\xa0\xad¥¢"
_EASTERN_LETTERS = "ąćęłńóśźżĄĆĘŁŃŚŹŻčďěňřšťůžýČĎĚŇŘŠŤŮŽÝľĺŕôőűŐŰăâîşţŞŢđĐáéíúäöüßÁÉÍÚÄÖÜç"
_LATIN_ENCODINGS = ("cp1252", "cp1250", "iso8859_2", "cp1254")
_ALPHABETS = tuple(map(frozenset, (
    "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "àáâãçéêíóôõúü", "àèéìíòóùú", "äáçëéèêïíóöüú", "æåøéèêóò", "äåöéüá",
    "áðéíóúýþæö", "äöåšž", "äõöüšž", "àçéèíïóòúü", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű",
    "ăâîşţ", "čćđšž", "çğıiöşüâîû",
)))  # fmt: skip
"""The letters beyond ASCII of German, French, Spanish, Portuguese, Italian, Dutch, Danish and Norwegian, Swedish,
Icelandic, Finnish, Estonian, Catalan, Czech, Slovak, Polish, Hungarian, Romanian, Croatian and Slovene, and Turkish."""
_MIN_SHARE, _MAX_GUESS_SHARE = 0.95, 0.9  # The share of letters of one language in its encoding, and in another one.
_MIN_LETTERS = 4  # Letters beyond ASCII, by which the language of a text is recognized.
_CYRILLIC = "оеаинтсрвлкмдпуяы"
_GREEK = "αοιετσνηυρπκμλςάέήίόύώ"


def decode(data: bytes) -> str | None:
    """As `decode_as_written`, and a text that was encoded twice is decoded twice."""
    text = decode_as_written(data)
    return None if text is None else undo_double_encoding(text)


def decode_as_written(data: bytes) -> str | None:
    """The text that the bytes encode, without its byte order mark; None where they are no text."""
    length = len(data.rstrip(b"\0"))
    data = data[: length + -length % _MIN_PADDING]
    encoding = _guess_encoding(data)
    if encoding is None:
        return None
    text = data.decode(encoding, "replace")
    control_count, length = len(_CONTROL_CHARACTERS.findall(text[:HEAD_BYTES])), len(text[:HEAD_BYTES])
    is_short_text = encoding == "utf-8" and control_count <= _MAX_CONTROLS and 4 * control_count < length
    return text if is_short_text or control_count <= _MAX_CONTROL_SHARE * length else None


def decode_text(data: bytes) -> str:
    """The text of a file, tidied (`assembly.clean`). Raises `UnreadableFile` where the bytes are no text."""
    text = decode(data)
    if text is None:
        raise refusals.unknown(data)
    return clean(text)


def decode_as(data: bytes, label: str) -> str | None:
    """As `decode`, for bytes that state their encoding: used unless a byte order mark or the bytes contradict it."""
    if data.startswith(tuple(mark for mark, _ in _BYTE_ORDER_MARKS)):
        return decode(data)
    try:
        text = data.decode(_PRACTICAL_ENCODINGS.get(label.lower(), label), "replace")
    except LookupError:
        return decode(data)
    is_decodable = text.count("\ufffd") <= _MAX_BROKEN_SHARE * _count_beyond_ascii(text)
    return undo_double_encoding(text) if is_decodable else decode(data)


def undo_double_encoding(text: str) -> str:
    """A text whose UTF-8 was decoded as Windows-1252 or Latin-1 and encoded again, repaired: "cafÃ©" is "café".

    In such a text all characters beyond ASCII, except for one in 50, are such pairs, at least one of them one that no
    word has, or several. A text that quotes such pairs among other letters is unchanged.
    """
    if text.isascii() or not _DOUBLE_ENCODED_PAIR.search(text):
        return text
    count = evidence = 0

    def decode_again(match: re.Match[str]) -> str:
        nonlocal count, evidence
        try:
            character = b"".join(map(_encode_western, match[0])).decode()
        except (UnicodeEncodeError, UnicodeDecodeError):
            return match[0]
        count += len(match[0])
        evidence += _MIN_PAIRS if match[0][0] in "ÂÃ" or match[0][2:] else 1
        return character

    repaired_text = _DOUBLE_ENCODED_PAIR.sub(decode_again, text)
    complete_text, half_count = _HALF_PAIR.subn(lambda match: "à" if match[0][0] == "Ã" else "", repaired_text)
    is_doubled = half_count <= count >= (1 - _MAX_OTHER_SHARE) * (_count_beyond_ascii(text) - half_count)
    return complete_text if is_doubled and evidence >= _MIN_PAIRS else text


def _encode_western(character: str) -> bytes:
    """A byte of Windows-1252, which leaves five bytes to Latin-1."""
    return character.encode("latin-1" if character < "\xa0" else "cp1252")


def decode_head(data: bytes) -> str:
    """The beginning of the text, or nothing where the bytes are no text: the part that `choose_parser` uses."""
    return _decode_piece(data[:HEAD_BYTES])


@lru_cache(maxsize=2)  # several signatures ask for the head of the same file
def _decode_piece(piece: bytes) -> str:
    return (decode(piece) or "").removesuffix("\ufffd")


def _guess_encoding(data: bytes) -> str | None:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return name
    trimmed_data = data.rstrip(b"\0")
    return _guess_wide(data[:HEAD_BYTES]) or _guess_utf8(trimmed_data) or guess_codepage(trimmed_data)


def _guess_wide(piece: bytes) -> str | None:
    """UTF-32 without a mark, which hardly any other bytes are; UTF-16 where zeros alternate or words appear."""
    if not any(piece):
        return None
    if len(piece) % 4 == 0:
        for order, highest, high in (("utf-32-le", piece[3::4], piece[2::4]), ("utf-32-be", piece[0::4], piece[1::4])):
            if not any(highest) and max(high) <= _MAX_PLANE and _is_text(piece.decode(order, "replace")):
                return order
    pair_count, even_zeros, odd_zeros = len(piece) // 2, piece[0::2].count(0), piece[1::2].count(0)
    if max(even_zeros, odd_zeros) > 0.4 * pair_count and min(even_zeros, odd_zeros) < 0.05 * pair_count:
        return "utf-16-le" if odd_zeros > even_zeros else "utf-16-be"
    likelihood, encoding = _find_likeliest(piece[:_SAMPLE_BYTES], _UTF_16) if even_zeros + odd_zeros else (0.0, "")
    return encoding if likelihood >= _CERTAIN_LIKELIHOOD else None


def _is_text(text: str) -> bool:
    """Whether nearly all characters are assigned and visible."""
    shown_count = sum(character.isprintable() or character.isspace() for character in text)
    return shown_count >= _MIN_SHOWN_SHARE * len(text)


def _guess_utf8(data: bytes) -> str | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        is_cut = error.reason == "unexpected end of data" and error.start > len(data) - _MAX_CHARACTER_BYTES
        if is_cut and (len(data) == HEAD_BYTES or not data[: error.start].isascii()):
            return "utf-8"
        start = _NON_ASCII.search(data)
        first = start.start() if start else 0
        piece = data[first : first + HEAD_BYTES].decode("utf-8", "replace")
        return "utf-8" if piece.count("\ufffd") <= _MAX_INVALID_SHARE * _count_beyond_ascii(piece) else None
    return "utf-8"


def _count_beyond_ascii(text: str) -> int:
    return 0 if text.isascii() else sum(character > "\x7f" for character in text)


def guess_codepage(data: bytes) -> str | None:
    """The encoding's name; None for bytes that are no text. Reads from the first byte beyond ASCII on."""
    first = _NON_ASCII.search(data)
    if first is None or b"\0" in data[:_SAMPLE_BYTES]:
        return None
    piece = data[max(first.start() - 1, 0) : first.start() + _SAMPLE_BYTES]
    order: tuple[str, ...] = ("mac_roman", *_CANDIDATES) if b"\r" in data and b"\n" not in data else _CANDIDATES
    if len(_CARON_BYTE.findall(piece)) > len(_NON_ASCII.findall(piece)) / 50:
        order = ("cp1250", *order)  # š and ž, which few Western languages have
    likelihood, encoding = max(_find_likeliest(piece, order), _find_likeliest(data[:_SAMPLE_BYTES], _UTF_16))
    if likelihood >= _MIN_LIKELIHOOD:
        return _choose_latin(piece, encoding) if encoding in _LATIN_ENCODINGS else encoding
    return "cp1252" if len(_NON_ASCII.findall(piece)) < len(piece) / 4 else None


def _choose_latin(piece: bytes, guess: str) -> str:
    """The encoding of Latin letters in which a text has those of one language; the guess unless another is certain.

    The weights of letters distinguish scripts, but not "õ" of Estonian from "ő" of Hungarian.
    """
    shares = {name: _measure_language_share(piece.decode(name, "replace")) for name in _LATIN_ENCODINGS}
    best = max(_LATIN_ENCODINGS, key=lambda name: (shares[name], name == guess))
    return best if shares[guess] < _MAX_GUESS_SHARE and shares[best] >= _MIN_SHARE else guess


def _measure_language_share(text: str) -> float:
    """The largest share of letters beyond ASCII, and signs before letters, that are of one language."""
    letters = [
        character.replace("İ", "i").lower()
        for place, character in enumerate(text)
        if character > "\x7f" and (character.isalpha() or character < "\xa0" or text[place + 1 : place + 2].isalpha())
    ]
    if len(letters) < _MIN_LETTERS:
        return 1.0
    return max(sum(letter in alphabet for letter in letters) for alphabet in _ALPHABETS) / len(letters)


def _find_likeliest(piece: bytes, names: tuple[str, ...]) -> tuple[float, str]:
    """The first of the likeliest encodings with its likelihood."""
    encoding = max(names, key=lambda name: _measure_likelihood(piece, name))
    return _measure_likelihood(piece, encoding), encoding


@lru_cache(maxsize=32)
def _measure_likelihood(piece: bytes, name: str) -> float:
    """The mean weight of the characters beyond ASCII; 0 where the bytes cannot be of this encoding."""
    try:
        text = piece.decode(name)
    except UnicodeDecodeError as error:
        if error.start < len(piece) - 4:
            return 0.0
        text = piece[: error.start].decode(name)
    places = [place for place, character in enumerate(text) if character > "\x7f"]
    return sum(_compute_weight_at(text, place) for place in places) / len(places) if places else 0.0


def _compute_weight_at(text: str, place: int) -> float:
    """The weight of a character in its context: Western letters hardly follow each other, capitals begin words."""
    character = text[place]
    previous = text[place - 1 : place] or " "
    following = text[place + 1 : place + 2] or " "
    if character in _WESTERN_LETTERS or character in _EASTERN_LETTERS:
        if previous > "\x7f" and following > "\x7f" and previous.isalpha() and following.isalpha():
            return 0.2
        return 0.5 if character.isupper() and previous.islower() else 1.0
    if character in _PUNCTUATION:
        is_inner = previous.isalpha() and following.isalpha() and character not in "’·–—\xad"
        return 0.1 if is_inner or (previous > "\x7f" and following > "\x7f") else 1.0
    if character.isupper() and "Ͱ" <= character <= "ӿ":
        return 0.8 if not previous.isalpha() or previous.isupper() else 0.0
    return _compute_weight(character)


@lru_cache(maxsize=8_192)
def _compute_weight(character: str) -> float:
    if "\u3041" <= character <= "\u3096" or "\u30a1" <= character <= "\u30fc":
        return 1.2
    if "\u4e00" <= character <= "\u9fff":
        return 1.4 if character in _COMMON_HAN else 0.6 if _is_common(character) else 0.1
    if "\uac00" <= character <= "\ud7a3":
        return 1.4 if character in _COMMON_HANGUL else 0.5
    if "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e":
        return 0.9
    if "\u0370" <= character <= "\u04ff":
        return 1.0 if character in _CYRILLIC or character in _GREEK else 0.6
    return 0.2 if character.isalpha() and character < "\u2000" else 0.05


def _is_common(character: str) -> bool:
    """Whether it is of the first level of GB 2312 or of Big5, which have the characters in daily use."""
    for name, first, last in (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6)):
        try:
            if first <= character.encode(name)[0] <= last:
                return True
        except UnicodeEncodeError:
            continue
    return False
