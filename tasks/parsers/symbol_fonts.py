"""What the codes of symbol fonts mean: Symbol and ZapfDingbats (ISO 32000-1, D.5 and D.6) and Microsoft's Wingdings.

They have encodings of their own, whatever encoding a file names for them. The letter Delta is the increment, as in the
Adobe Glyph List. Of Wingdings the signs are here that stand in lists, forms and tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SYMBOL = re.compile(r"(?:[A-Z]{6}\+)?(?:Symbol(?:MT|PS|Std)?|StandardSym\w*)(?:[,-]\w*)?")
_DINGBATS = re.compile(r"(?:[A-Z]{6}\+)?(?:ITC)?(?:Zapf)?Dingbats(?:ITC|Std)?(?:[,-]\w*)?")
_WINGDINGS = re.compile(r"(?:[A-Z]{6}\+)?Wingdings(?:[,-]\w*)?", re.IGNORECASE)
_GREEK = (
    " !∀#∃%&∋()∗+,\u2212./0123456789:;<=>?≅ΑΒΧ\u2206ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "\u203eαβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}\u223c"
)
_SIGNS = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_ORNAMENTS = (
    (0x21, "✁✂✃✄☎✆✇✈✉☛☞"),
    (0x2C, range(0x270C, 0x2728)),
    (0x48, "★"),
    (0x49, range(0x2729, 0x274C)),
    (0x6C, "●❍■❏❐❑❒▲▼◆❖◗❘❙❚❛❜❝❞"),
    (0x80, range(0x2768, 0x2776)),
    (0xA1, range(0x2761, 0x2768)),
    (0xA8, "♣♦♥♠"),
    (0xAC, range(0x2460, 0x246A)),
    (0xB6, range(0x2776, 0x2795)),
    (0xD5, "→↔↕"),
    (0xD8, range(0x2798, 0x27B0)),
    (0xF1, range(0x27B1, 0x27BF)),
)


def _codes(first: int, signs: str | range) -> dict[int, str]:
    texts = signs if isinstance(signs, str) else map(chr, signs)
    return {code: text for code, text in enumerate(texts, start=first) if text != "\0"}


SYMBOL = {**_codes(0x20, _GREEK), **_codes(0xA0, _SIGNS)}
"""The text of each code of Symbol."""
DINGBATS = {0x20: " ", **{code: text for first, signs in _ORNAMENTS for code, text in _codes(first, signs).items()}}
"""The text of each code of ZapfDingbats."""


WINGDINGS = {
    0x20: " ",
    **_codes(0x21, "✏✂✁"),
    **_codes(0x28, "☎✆✉"),
    **_codes(0x4A, "☺😐☹"),
    **_codes(0x6C, "●❍■☐❐❑❒◆◆◆❖◆☒"),
    **_codes(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    **_codes(0x9E, "·•"),
    **_codes(0xA1, "○"),
    **_codes(0xA7, "▪☐"),
    **_codes(0xAB, "★"),
    **_codes(0xD5, "⌫⌦"),
    **_codes(0xD8, "➢"),
    **_codes(0xDC, "➲"),
    **_codes(0xDF, "←→↑↓↖↗↙↘"),
    **_codes(0xE8, "➔"),
    **_codes(0xEF, "⇦⇨⇧⇩"),
    **_codes(0xFB, "✗✓☒☑"),
}
"""The text of the codes of Wingdings that show a sign; its pictures are left out."""


def built_in(font: str) -> Mapping[int, str]:
    """The encoding that is built into a font of this name, with or without the mark of a subset; empty for others."""
    for name, encoding in ((_SYMBOL, SYMBOL), (_DINGBATS, DINGBATS), (_WINGDINGS, WINGDINGS)):
        if name.fullmatch(font):
            return encoding
    return {}
