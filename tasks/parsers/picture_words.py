"""What is said of a picture in place of it, by whoever made the document: alternative texts of every format."""

from __future__ import annotations

import re

from tasks.parsers.language import count_letters
from tasks.parsers.titles import is_placeholder

_NO_WORDS = re.compile(
    r"(?:the )?(?:images?|pictures?|photos?|illustrations?|figures?|covers?|logos?|icons?|ornaments?)\b.{0,12}",
    re.IGNORECASE,
)
"""What is said of a picture that says nothing."""
_MADE_BY_PROGRAM = re.compile(
    r"automatically generated|automatisch generiert|générée automatiquement|generada automáticamente|自动生成|自動產生"
    r"|(?:ai|ki|ia)-(?:generated|generiert)|may be incorrect",
    re.IGNORECASE,
)
_MIN_LETTERS = 8  # Of a description that is shown alone; a character of Chinese counts for two.


def describe_picture(words: str | None) -> str:
    """What a picture shows, where somebody wrote it; names of files and what programs guess say nothing."""
    text = " ".join((words or "").split())
    is_empty = not text or _NO_WORDS.fullmatch(text) or _MADE_BY_PROGRAM.search(text) or is_placeholder(text)
    return "" if is_empty else text


def describe_apart(words: str | None) -> list[str]:
    """The line of a description that can stand alone, or none."""
    text = describe_picture(words)
    return [f"Picture: {text}"] if count_letters(text) >= _MIN_LETTERS else []
