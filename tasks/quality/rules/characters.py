"""Rules of the characters of a text: lost, read in the wrong encoding, mostly no letters, of two languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import methodcaller

from tasks.chunkers.parts.document_spans import select_blocks
from tasks.parsers.decoder import undo_double_encoding
from tasks.parsers.language import detect_language
from tasks.quality.checked_document import CheckedDocument, is_back_matter
from tasks.quality.phrases import format_count, shorten_text
from tasks.quality.rule import Scope, Violation, index_by_name, make_chunk_violation, make_document_rule
from warehouse.records import Block, BlockKind, Severity

_GLYPH_CODE, _PRIVATE_CHARACTER = r"\(cid:\d{1,6}\)", "[\ue000-\uf8ff\U000f0000-\U0010ffff]"
_LOST_CHARACTER = re.compile(
    rf"\ufffd|{_GLYPH_CODE}(?=\s?{_GLYPH_CODE}|[^\W\d_])|(?<=\)){_GLYPH_CODE}|(?<=\)\s){_GLYPH_CODE}|(?<=[^\W\d_]){_GLYPH_CODE}"
    rf"|{_PRIVATE_CHARACTER}(?=[^\W\d_]|{_PRIVATE_CHARACTER})|(?<=[^\W\d_]){_PRIVATE_CHARACTER}|(?<={_PRIVATE_CHARACTER}){_PRIVATE_CHARACTER}"
)
"""A private character by itself is an icon; a code in brackets by itself is the subject of the text."""
_POSSIBLY_LOST = re.compile(rf"\ufffd|\(cid:|{_PRIVATE_CHARACTER}")
_CONTEXT_LENGTH = 20
_PENALTY_FACTOR, _MIN_PENALTY, _MAX_PENALTY = 2.0, 0.05, 0.5
"""The penalty is twice the share of damaged words, limited by the other two: one word in ten costs .2."""


def lost_characters(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK013: a passage in which characters are missing that the page shows.

    What: `�`, `(cid:12)` or private characters among letters, where the file does not say what its fonts show, most
    often the ligatures fi, fl and ff. What follows from the font program or the other words of the document is
    corrected and is no finding.
    Why it hurts retrieval: the damaged words match no question and blur the vector; a figure may be lost altogether.
    Example: `the �rst quarter of �scal 2023`
    Cure: save the file again from its program with another PDF writer, or read its pages as pictures (extra `ocr`).
    """
    # One finding for each chunk and page, at its first place. The first one of a chunk has the penalty of all.
    for chunk in subject.chunks:
        if not _POSSIBLY_LOST.search(chunk.text):
            continue
        spans = [match.span() for match in _LOST_CHARACTER.finditer(chunk.text)]
        words = [match.span() for match in re.finditer(r"\S+", chunk.text)]
        damaged_count = sum(any(start <= span < end for span, _ in spans) for start, end in words)
        penalty = round(min(max(_PENALTY_FACTOR * damaged_count / max(len(words), 1), _MIN_PENALTY), _MAX_PENALTY), 2)
        for page, places_on_page in groupby(spans, key=lambda span: subject.find_page(chunk.start + span[0])):
            (start, end), *other_places = places_on_page
            context = shorten_text(chunk.text[max(0, start - _CONTEXT_LENGTH) : end + _CONTEXT_LENGTH])
            page_text = "" if page is None else f" of page {page}"
            message = (
                f"{format_count(1 + len(other_places), 'character')}{page_text} cannot be read, first near '{context}'"
            )
            yield Violation(message, chunk.start + start, chunk.start + end, chunk, page=page, penalty=penalty)
            penalty = 0.0


_MIN_LETTER_SHARE = 0.5
_MIN_PARAGRAPH_LENGTH = 100
_NUMBERS_PENALTY = 0.05
"""It is small: paragraphs of figures took no rank that an answer needed, and hid no answer next to them."""


def low_alphabetic_share(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK005: a passage, or a paragraph of it, of mostly digits and signs, neither a table nor code.

    What: fewer than half of the visible characters are letters of words without digits. A paragraph costs its share of
    the passage.
    Why it hurts retrieval: an embedding model reads words; numbers alone, as of a table read as text, blur the vector.
    Example: `12 345 11 202 9.2 % 8 114 7 903 2.7 %`
    Cure: have the table recognised as a table, or leave lists of numbers out of the source.
    """
    # Chunks without a table or code, or else the first such paragraph; the properties of notes are not examined.
    message_form = "only {:.0%} of the visible characters are letters of words"
    for chunk in subject.chunks:
        if subject.is_properties(chunk.start, chunk.end):
            continue
        share = _measure_letter_share(chunk.text)
        blocks = select_blocks(subject.document, chunk.start, chunk.end)
        if (
            share < _MIN_LETTER_SHARE
            and not chunk.has_table
            and all(block.kind is not BlockKind.CODE for block in blocks)
        ):
            yield make_chunk_violation(chunk, f"{message_form.format(share)}: '{shorten_text(chunk.text)}'")
            continue
        for start, end in subject.iter_prose_spans(chunk):
            text = subject.document.text[start:end]
            share = _measure_letter_share(text)
            is_long = end - start >= _MIN_PARAGRAPH_LENGTH and not subject.is_properties(start, end)
            if share < _MIN_LETTER_SHARE and is_long:
                penalty = round(_NUMBERS_PENALTY * (end - start) / chunk.size, 2)
                message = f"{message_form.format(share)} in a paragraph: '{shorten_text(text)}'"
                yield Violation(message, start, end, chunk, penalty=penalty)
                break


_DIGIT, _NO_LETTERS = re.compile(r"[0-9]"), re.compile(r"[^A-Za-z]+")


def _measure_letter_share(text: str) -> float:
    """The share of a text's visible characters that are letters, also Chinese, 0 to 1; addresses are left out."""
    words = [word for word in text.split() if "://" not in word]
    if text.isascii():
        # The same, counted twice as fast.
        without_digits = "".join(word for word in words if not _DIGIT.search(word))
        return len(_NO_LETTERS.sub("", without_digits)) / max(1, len("".join(words)))
    plain = (word for word in words if not word.isascii() or not any(map(str.isdigit, word)))
    letters = sum(map(str.isalpha, "".join(plain)))
    return letters / max(1, len("".join(words)))


def mojibake(subject: CheckedDocument) -> Iterator[Violation]:
    """DOC016: text that was read in the wrong encoding.

    What: characters that appear when UTF-8 is read as Windows-1252 or GBK.
    Why it hurts retrieval: the damaged words match no question, and names and prices with them are lost.
    Example: `cafÃ©` for `café`, `itâ€™s` for `it’s`
    Cure: save the file again as UTF-8, from the program that wrote it.
    """
    # One finding a file, at the first place.
    text = subject.document.text
    places = list(_find_misread(text))
    is_repaired = not places and undo_double_encoding(subject.raw) != subject.raw
    if is_repaired:
        text, places = subject.raw, list(_find_misread(subject.raw))
    if not places:
        return
    start, end, original = places[0]
    context = shorten_text(text[max(0, start - _CONTEXT_LENGTH) : end + _CONTEXT_LENGTH])
    first = f"'{text[start:end]}' stands for '{original}'" if original else f"near '{context}'"
    count, cure = format_count(len(places), "piece"), "save it again as UTF-8"
    if is_repaired:
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        yield Violation(f"{count} of text encoded twice and read as meant, {first}: {cure}", line=line, column=column)
    else:
        yield Violation(f"{count} of text read in the wrong encoding, {first}: {cure}", start, end)


_CONTINUATION = "\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d"
_CONTINUATION_SIGNS = "\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178"
_LATIN = re.compile(rf"[\u00c2-\u00f4][{_CONTINUATION}{_CONTINUATION_SIGNS}]{{1,3}}")
_CHINESE = re.compile(r"[\u4e00-\u9fff]{6,60}")
_HIGH_ON_MACS = bytes(range(0x80, 0xC0)).decode("mac_roman")
_MACINTOSH = re.compile(rf"[¬‚„‰][{_HIGH_ON_MACS}]{{1,2}}|(?<=[^\W\d_])[√ƒ≈][{_HIGH_ON_MACS}]")
"""Roots and functions of letters are mathematics, except within words."""
_FOREIGN_LETTERS = re.compile(r"[\u00a1-\u00ff]{6,60}")
"""No language of the Latin alphabet writes so many letters in a row that ASCII lacks."""
_LOST_CHINESE = re.compile(
    "(?:锟斤拷)+|(?:烫烫)+烫*"
)  # Replacement characters read as GBK, and what programs show for unset memory.
_PLAUSIBLE_CHARACTERS = re.compile(
    r"[\u00a0-\u017f\u0370-\u04ff\u2010-\u2044\u20ac\u2122\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]"
)
_CHINESE_TEXT = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")
_UNDEFINED = {code: bytes([code]) for code in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}


def _find_misread(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and original text ("" if it is lost) of each place, in the order of the kinds of damage."""
    yield from ((match.start(), match.end(), "") for match in _LOST_CHINESE.finditer(text))
    for pattern, to_bytes in ((_LATIN, _encode_cp1252), (_MACINTOSH, methodcaller("encode", "mac_roman"))):
        for match in pattern.finditer(text):
            original = _decode_first_character(to_bytes(match[0]))
            if original and _PLAUSIBLE_CHARACTERS.fullmatch(original):
                yield match.start(), match.start() + len(original.encode()), original
    for pattern, correct in ((_FOREIGN_LETTERS, _restore_from_latin1), (_CHINESE, _restore_from_gbk)):
        for match in pattern.finditer(text):
            if original := correct(match[0]):
                yield match.start(), match.end(), original


def _encode_cp1252(text: str) -> bytes:
    return b"".join(_UNDEFINED.get(ord(char)) or char.encode("cp1252", "ignore") or b"?" for char in text)


def _decode_first_character(data: bytes) -> str:
    """The first character of the bytes as UTF-8; "" if they are not UTF-8."""
    for length in range(min(4, len(data)), 1, -1):
        try:
            return data[:length].decode()[0]
        except UnicodeDecodeError:
            continue
    return ""


def _restore_from_latin1(text: str) -> str:
    """The Cyrillic word or the Chinese that was read as Latin-1; "" if it is neither."""
    data = text.encode("latin1")
    word = data.decode("cp1251", "ignore")
    if re.fullmatch("[А-я]+", word):
        return word if word.islower() or word.isupper() or word.istitle() else ""
    original = data.decode("gb18030", "ignore")
    return original if _CHINESE_TEXT.fullmatch(original) else ""


def _restore_from_gbk(text: str) -> str:
    """The Chinese that these characters represent if UTF-8 was read as GBK; "" if they are right."""
    for shorter in (0, 1, 2):
        try:
            original = text[: len(text) - shorter].encode("gb18030").decode()
        except UnicodeDecodeError:
            continue
        return original if _CHINESE_TEXT.fullmatch(original) else ""
    return ""


_SECOND_SHARE = 0.1
_MIN_LENGTHS = {"en": 20, "zh": 20, "und": 80}  # Short lines of names look like another language.
_NAMES = {"en": "English", "zh": "Chinese", "und": "another language"}


def mixed_languages(subject: CheckedDocument) -> Iterator[Violation]:
    """DOC021: a document that is written in two languages.

    What: a tenth or more of its text, in whole paragraphs, is in another language than the rest.
    Why it hurts retrieval: a model of one language ranks the passages of the other by chance, and a question finds one
    half only.
    Example: a contract with each clause in Chinese and English.
    Cure: keep one file a language.
    """
    # Paragraphs of some length count by it; a Chinese character counts as three letters.
    weights: Counter[str] = Counter()
    first_blocks: dict[str, Block] = {}
    # A line without evidence, such as the greeting of a letter, is in the language of the others.
    document_language = subject.document.language
    for block in subject.prose:
        text = subject.get_text(block)
        detected_language = detect_language(text, document_language if document_language != "en" else "")
        language = detected_language if detected_language in _NAMES else "und"
        if len(text) >= _MIN_LENGTHS[language] and not is_back_matter(block):
            weights[language] += len(text) * (3 if language == "zh" else 1)
            first_blocks.setdefault(language, block)
    if len(weights) < 2:
        return
    (first, _), (second, weight) = weights.most_common(2)
    if weight >= _SECOND_SHARE * weights.total():
        block = first_blocks[second]
        share = f"{weight / weights.total():.0%} of it is in {_NAMES[second]}, the rest in {_NAMES[first]}"
        yield Violation(f"{share}: keep one file a language", block.start, block.end, page=block.page)


members = index_by_name(
    make_document_rule(lost_characters, Severity.WARNING, _MIN_PENALTY),
    make_document_rule(low_alphabetic_share, Severity.WARNING, _NUMBERS_PENALTY),
    make_document_rule(mojibake, Severity.WARNING, 0.0, Scope.DOCUMENT),
    make_document_rule(mixed_languages, Severity.NOTE, 0.0, Scope.DOCUMENT),
)
