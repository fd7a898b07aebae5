"""Names of financial items: the words of the Chinese ones as they are kept beside them."""

from __future__ import annotations

import os
from pathlib import Path

import tasks.ask.figures
from tasks.ask.figures.figure_query import load_chinese_words, load_item_groups
from tasks.parsers.language import has_chinese
from warehouse.store.words import split_content_words

FILE = Path(tasks.ask.figures.__file__).with_name("chinese_words.tsv")


def test_the_words_of_chinese_names_are_those_of_the_segmenter_golden() -> None:
    names = dict.fromkeys(name for group in load_item_groups() for name in group if has_chinese(name))
    current = {name: tuple(split_content_words(name)) for name in names}
    if os.environ.get("KALENDS_REWRITE_GOLDEN") == "1":
        FILE.write_text("".join("\t".join((name, *own)) + "\n" for name, own in current.items()), encoding="utf-8")
        load_chinese_words.cache_clear()
    assert load_chinese_words() == current
