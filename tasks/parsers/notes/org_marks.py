"""The marks in a line of Org mode: links, emphasis, footnotes, targets and timestamps (Org syntax, "Objects")."""

from __future__ import annotations

import re

_STAMP_ALONE = r"[<\[]\d{4}-\d{2}-\d{2}(?![\d-])[^\[\]<>\n]{0,60}[>\]]"
STAMP = re.compile(rf"{_STAMP_ALONE}(?:--{_STAMP_ALONE})?")
"""A timestamp, active or inactive, or a range of two."""
_KEPT = re.compile(
    r"\[\[(?P<target>(?:[^\[\]\\\n]|\\.){1,1000})\](?:\[(?P<text>(?:[^\]]|\](?!\])){1,1000})\])?\]"
    rf"|(?P<stamp>{_STAMP_ALONE})"
    r"|\[fn:(?P<note>[\w-]*)(?::(?P<inline>[^\[\]]{1,1000}))?\]"
    r"|<<<?(?P<place>[^<>\n]{1,200})>>>?"
    r"|(?P<address>https?://[^\s<>\[\]]+)"
    r"|(?<![^\s\-–—(\[{'\"])(?P<sign>[=~])(?=\S)(?P<code>[^\n]{1,400}?)(?<=\S)(?P=sign)(?![^\s\-–—.,:;!?'\")}\]\\|])"
)
"""What no mark of emphasis is looked for in."""
_HELD = "\x01"  # What stands for it meanwhile: the text has no control characters.
_EMPHASIS = re.compile(
    rf"(?<![^\s\-–—(\[{{'\"*/_+{_HELD}])([*/_+])(?=\S)(.{{1,400}}?)(?<=\S)\1"
    rf"(?![^\s\-–—.,:;!?'\")}}\]\\|*/_+{_HELD}])",
    re.DOTALL,
)
_DEEPEST = 4  # Marks of emphasis inside each other.
_TARGET = re.compile(r"\A(?:file\+?\w*|id|\w+-id):(?=\S)|\A[*#](?=\S)|::.*\Z")


def visible_words(text: str, links: list[str]) -> str:
    """The words of a passage as a reader of the exported page sees them; notes the addresses that links lead to."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(_shown(match, links))
        return _HELD

    words = _KEPT.sub(hold, text)
    for _ in range(_DEEPEST):
        words, count = _EMPHASIS.subn(r"\2", words)
        if not count:
            break
    pieces = words.split(_HELD)
    return "".join(piece for pair in zip(pieces, [*held, ""], strict=True) for piece in pair)


def _shown(match: re.Match[str], links: list[str]) -> str:
    """What stands for a link, a footnote's mark, a place that links lead to, or code."""
    if target := match["target"] or match["address"]:
        if target.startswith(("http:", "https:")):
            links.append(target)
        return str(match["text"] or (target if match["address"] else _TARGET.sub("", target)))
    if match["note"] is not None:
        return f"[{': '.join(filter(None, (match['note'], match['inline'])))}]"
    return str(match["stamp"] or match["place"] or match["code"])
