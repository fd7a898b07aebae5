"""A guess at a document's language from its letters alone."""

from __future__ import annotations

import re

_SAMPLE = 50_000
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_OTHER = re.compile(r"[^\W\d_]")
_LETTERS_IN_A_WORD = 5


def language_of(text: str) -> str:
    """Return "zh" where a fifth of the words is Chinese, "en" where most letters are Latin, else "und".

    A Chinese character counts as a word and so do five Latin letters. Kana or Hangul make it "und".
    """
    sample = text[:_SAMPLE]
    han = len(_HAN.findall(sample))
    latin = len(_LATIN.findall(sample))
    if len(_KANA_OR_HANGUL.findall(sample)) > han / 10 and han + latin < 10 * len(_KANA_OR_HANGUL.findall(sample)):
        return "und"
    if han and han >= 0.2 * (han + latin / _LETTERS_IN_A_WORD):
        return "zh"
    return "en" if latin and 2 * latin >= len(_OTHER.findall(sample)) else "und"
