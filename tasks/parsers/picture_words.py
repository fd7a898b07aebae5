"""Alternative texts of pictures, in every format."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tasks.parsers.document_head import is_placeholder
from tasks.parsers.language import count_letters
from tasks.parsers.trees import get_tag, has_own_words, with_xml_characters

if TYPE_CHECKING:
    from lxml.etree import _Element

_GENERIC_NAME = re.compile(
    r"(?:the )?(?:images?|pictures?|photos?|illustrations?|figures?|covers?|logos?|icons?|ornaments?)\b.{0,12}",
    re.IGNORECASE,
)
"""Alternative texts without information."""
_GENERATED_TEXT = re.compile(
    r"automatically generated|automatisch generiert|générée automatiquement|generada automáticamente|自动生成|自動產生"
    r"|(?:ai|ki|ia)-(?:generated|generiert)|may be incorrect",
    re.IGNORECASE,
)
_MIN_LETTERS = 8  # Of a description that is shown as a line; a character of Chinese counts for two.
_MIN_DESCRIPTION = 20  # Letters of a description, some four words; names of logos and portraits have fewer.


def describe_picture(words: str | None) -> str:
    """The alternative text of a picture, without names of files and descriptions by programs."""
    text = " ".join((words or "").split())
    is_empty = not text or _GENERIC_NAME.fullmatch(text) or _GENERATED_TEXT.search(text) or is_placeholder(text)
    return "" if is_empty else text


def list_description(words: str | None) -> list[str]:
    """The line of a description that is long enough, or none."""
    text = describe_picture(words)
    return [f"Picture: {text}"] if count_letters(text) >= _MIN_LETTERS else []


def name_pictures(root: _Element, is_shown: Callable[[_Element, str], bool] = lambda node, words: True) -> None:
    """Replaces pictures by their alternative texts, if these have information and `is_shown` accepts them."""
    has_words: dict[_Element, bool] = {}
    for node in [element for element in root.iter() if get_tag(element) in ("img", "image")]:
        text, parent = describe_picture(with_xml_characters(node.get("alt"))), node.getparent()
        if not text or parent is None or not is_shown(node, text):
            continue
        if parent not in has_words:
            has_words[parent] = has_own_words(parent)
        node.tag = "span"
        node.attrib.clear()
        node.text = text if has_words[parent] else f"[Image: {text}]"


def is_described(node: _Element, words: str) -> bool:
    """Whether the text of a picture of a web page describes it: not of links, icons and pictures with captions."""
    wrappers = list(node.iterancestors("a", "figure"))
    is_named = any(get_tag(wrapper) == "a" or wrapper.find(".//figcaption") is not None for wrapper in wrappers)
    return not is_named and count_letters(words) >= _MIN_DESCRIPTION
