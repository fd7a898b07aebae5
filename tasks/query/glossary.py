"""Query expansion: the words by which passages call what a question asks for.

A question for the quick ratio is answered by a balance sheet that never says so. A glossary, a TOML file of entries
with `asked` and `found`, knows by which words such a page is found (query expansion with a thesaurus; Voorhees 1994).
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from warehouse.store.words import words

_OF_REPORTS = "finance.toml"  # The glossary of financial reports.


def related_words(question: str) -> str:
    """The words that passages answering the question are found by, each once; empty where no entry applies.

    Of phrases that begin at one word the longest counts, and what it covers is not looked at again.
    """
    english, chinese = _phrases()
    asked = words(question)
    found = [text for phrase, texts in chinese.items() if phrase in question for text in texts]
    place = 0
    while place < len(asked):
        phrases = [each for each in english.get(asked[place], {}) if tuple(asked[place : place + len(each)]) == each]
        longest = max(phrases, key=len, default=())
        found += english[asked[place]][longest] if longest else []
        place += max(1, len(longest))
    return " ".join(dict.fromkeys(" ".join(found).split()))


@cache
def _phrases() -> tuple[dict[str, dict[tuple[str, ...], list[str]]], dict[str, list[str]]]:
    """What each phrase is found by: by its first word, cut as the keyword index cuts words, and of Chinese phrases."""
    english: dict[str, dict[tuple[str, ...], list[str]]] = {}
    chinese: dict[str, list[str]] = {}
    listed = tomllib.loads(files("tasks.query").joinpath("glossaries", _OF_REPORTS).read_text(encoding="utf-8"))
    for entry in listed["entry"]:
        for phrase in entry["asked"]:
            # Cutting a Chinese phrase would read jieba's dictionary, .8 s, for a question in English.
            if not phrase.isascii():
                chinese[phrase] = entry["found"]
            elif stems := tuple(words(phrase)):
                english.setdefault(stems[0], {}).setdefault(stems, entry["found"])
    return english, chinese
