"""Query expansion: the words by which passages call what a question asks for.

A question for the quick ratio is answered by a balance sheet that never says so. A glossary, a TOML file of entries
with `asked` and `found`, knows by which words such a page is found (query expansion with a thesaurus; Voorhees 1994).
The one of financial reports comes with Kalends; settings may name further ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from warehouse.errors import BadSettings
from warehouse.store.words import words

OURS = ("finance.toml",)


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """Phrases of questions, and what the passages say that answer them."""

    asked: tuple[str, ...]
    found: tuple[str, ...]


_ENTRIES: TypeAdapter[tuple[GlossaryEntry, ...]] = TypeAdapter(tuple[GlossaryEntry, ...])


@dataclass(frozen=True, slots=True)
class Glossary:
    """Entries by the first word of their phrases, as the keyword index counts words, and by Chinese phrases."""

    by_first: dict[str, tuple[tuple[tuple[str, ...], GlossaryEntry], ...]]
    chinese: dict[str, GlossaryEntry]

    def related(self, question: str) -> str:
        """The words that passages answering the question are found by, each once; empty where no entry applies.

        Of phrases that begin at one word the longest counts, and what it covers is not looked at again.
        """
        asked = words(question)
        found = [text for phrase, entry in self.chinese.items() if phrase in question for text in entry.found]
        place = 0
        while place < len(asked):
            phrase, entry = self._longest(asked, place)
            found += entry.found if entry else ()
            place += max(1, len(phrase))
        return " ".join(dict.fromkeys(" ".join(found).split()))

    def _longest(self, asked: Sequence[str], place: int) -> tuple[tuple[str, ...], GlossaryEntry | None]:
        fitting = [
            (phrase, entry)
            for phrase, entry in self.by_first.get(asked[place], ())
            if tuple(asked[place : place + len(phrase)]) == phrase
        ]
        return max(fitting, key=lambda pair: len(pair[0]), default=((), None))


@cache
def read_glossaries(further: tuple[Path, ...] = ()) -> Glossary:
    """Our glossaries and those in further files. Raises `BadSettings` for a file that is none."""
    texts = {name: files("tasks.query").joinpath("glossaries", name).read_text(encoding="utf-8") for name in OURS}
    for path in further:
        try:
            texts[str(path)] = path.read_text(encoding="utf-8")
        except OSError as error:
            raise BadSettings(
                f"the glossary {path} cannot be read ({error.strerror})", "name a file that is there"
            ) from error
    return _indexed(entry for name, text in texts.items() for entry in _entries(text, name))


def _entries(text: str, name: str) -> tuple[GlossaryEntry, ...]:
    try:
        listed = tomllib.loads(text).get("entry", [])
        return _ENTRIES.validate_python(listed)
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadSettings(
            f"{name} is not a glossary ({reason})", "write [[entry]] tables with asked and found"
        ) from error


def _indexed(entries: Iterable[GlossaryEntry]) -> Glossary:
    by_first: dict[str, list[tuple[tuple[str, ...], GlossaryEntry]]] = {}
    chinese: dict[str, GlossaryEntry] = {}
    for entry in entries:
        for phrase in entry.asked:
            # Cutting a Chinese phrase would read jieba's dictionary, .8 s, for a question in English.
            if not phrase.isascii():
                chinese[phrase] = entry
            elif stems := tuple(words(phrase)):
                by_first.setdefault(stems[0], []).append((stems, entry))
    return Glossary({first: tuple(phrases) for first, phrases in by_first.items()}, chinese)
