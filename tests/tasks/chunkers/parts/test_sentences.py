"""Sentence boundaries."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tasks.chunkers.parts.document_spans import count_sentences, find_sentences


def split(text: str) -> list[str]:
    cuts = [0, *find_sentences(text, 0, len(text)), len(text)]
    return [text[left:right].strip() for left, right in pairwise(cuts)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith met J. R. Jones at 3.5 p.m. on Dec. 31.", "They left."],
        ["See Fig. 2 and No. 5.", "The answer is no.", "We left."],
        ['He said "Stop!"', "Then he ran."],
        ["The U.S. Treasury paid, e.g. Apple, 1.5 million.", "Really?!", "Yes."],
        ["收入增长了。", "为什么？", "因为需求！"],
        ["1. First point of the list.", "2. Second point."],
        ["It cost 5.", "Then 6."],
        ["we saw dr. smith, e.g. on monday.", "he left at 3.5 hours.", "why?"],
        ["revenue rose in 2012 .", "the firm , which sold 3.5 units , grew ."],
    ],
)
def test_boundaries(sentences: list[str]) -> None:
    joint = "" if "。" in sentences[0] else " " if not sentences[0].startswith("1.") else "\n"
    assert split(joint.join(sentences)) == sentences


def test_count_wants_closing_punctuation() -> None:
    assert count_sentences("One. Two. Three") == 2
    assert count_sentences("收入增长了。利润也是。") == 2
    assert count_sentences("") == 0
