"""Entries of BibTeX and BibLaTeX: braces, quotes, abbreviations, concatenated values, and TeX inside values."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator

from tasks.parsers.assembly import Assembly
from tasks.parsers.tex.tex_blocks import add_latex
from tasks.parsers.written_dates import MONTHS

_ENTRY = re.compile(r"@\s*(\w+)\s*([{(])")
_KEY = re.compile(r"\s*([^\s,={}()]*)\s*,")
_FIELD = re.compile(r"\s*,?\s*([\w:.+/-]+)\s*=\s*")
_WORD = re.compile(r"[^\s,{}\"#()]+")
_NAME_SEPARATOR = re.compile(r"\s+and\s+", re.IGNORECASE)
_LIST_FIELDS = frozenset({"author", "editor", "keywords"})
_NON_ENTRIES = frozenset({"comment", "preamble"})
_CONCATENATION = re.compile(r"\s*#\s*")
_TEX_SIGNS = frozenset("\\{}$~")


def iter_bibtex_entries(text: str) -> Iterator[dict[str, list[str]]]:
    """The fields of each entry by their names in small letters, as words; people and keywords one by one.

    An entry that is cut or malformed has the fields before the error.
    """
    abbreviations = {name: month_name[number] for name, number in MONTHS.items()}
    place = 0
    while entry := _ENTRY.search(text, place):
        kind, place = entry[1].lower(), entry.end()
        if kind in _NON_ENTRIES:
            continue
        if kind != "string" and (key := _KEY.match(text, place)):
            place = key.end()
        fields, place = _read_fields(text, place, abbreviations)
        if kind == "string":
            abbreviations |= fields
        elif fields:
            yield {name: _split_values(name, value) for name, value in fields.items()}


def _read_fields(text: str, place: int, abbreviations: dict[str, str]) -> tuple[dict[str, str], int]:
    """The raw values of the fields from a place on, and the place after them."""
    fields: dict[str, str] = {}
    while match := _FIELD.match(text, place):
        value, place = _read_value(text, match.end(), abbreviations)
        fields[match[1].lower()] = value
    return fields, place


def _read_value(text: str, place: int, abbreviations: dict[str, str]) -> tuple[str, int]:
    """A value, which may be concatenated of parts, and the place after it."""
    parts: list[str] = []
    while place < len(text):
        if text[place] == "{":
            end = _find_end(text, place + 1, "}")
            parts.append(text[place + 1 : end])
            place = end + 1
        elif text[place] == '"':
            end = _find_end(text, place + 1, '"')
            parts.append(text[place + 1 : end])
            place = end + 1
        elif word := _WORD.match(text, place):
            parts.append(abbreviations.get(word[0].lower(), word[0]))
            place = word.end()
        concatenation = _CONCATENATION.match(text, place)
        if concatenation is None:
            break
        place = concatenation.end()
    return "".join(parts), place


def _find_end(text: str, place: int, closer: str) -> int:
    """The place of the closing brace, or of the quote outside of braces; the end if the text is cut."""
    depth = 0
    while place < len(text):
        sign = text[place]
        if sign == closer and not depth:
            return place
        if sign == "\\":
            place += 1
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        place += 1
    return len(text)


def _split_values(name: str, value: str) -> list[str]:
    if name not in _LIST_FIELDS:
        return [_to_words(value)]
    parts = _split_people(value) if name != "keywords" else re.split(r"[,;]", value)
    return [words for part in parts if (words := _to_words(part))]


def _split_people(value: str) -> list[str]:
    """The names separated by an "and" outside of braces."""
    ends = [
        match.span()
        for match in _NAME_SEPARATOR.finditer(value)
        if value.count("{", 0, match.start()) == value.count("}", 0, match.start())
    ]
    starts = [0, *(end for _, end in ends)]
    return [value[start:end] for start, end in zip(starts, [*(start for start, _ in ends), len(value)], strict=True)]


def _to_words(value: str) -> str:
    """The words that TeX prints for a value, in one line."""
    if _TEX_SIGNS.isdisjoint(value):
        return " ".join(value.split())
    inner = Assembly()
    add_latex(inner, value)
    return " ".join(" ".join(block.text for block in inner.contents).split())
