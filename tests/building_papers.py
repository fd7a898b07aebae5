"""Papers of JATS and courses for tests, made from their facts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_PAPER = """<?xml version="1.0"?>
<article article-type="{kind}" xml:lang="en"><front>
<journal-meta><journal-title-group><journal-title>{journal}</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmc">{number}</article-id>
<title-group><article-title>{title}</article-title></title-group>
<contrib-group>{authors}</contrib-group>
<pub-date pub-type="epub"><day>1</day><month>6</month><year>{year}</year></pub-date>
<kwd-group>{keywords}</kwd-group></article-meta></front>
<body><sec><title>Results</title><p>{text}</p></sec></body></article>
"""
_AUTHOR = '<contrib contrib-type="author"><name><surname>{}</surname><given-names>{}</given-names></name></contrib>'


def paper(
    title: str,
    *,
    number: int,
    authors: Sequence[str] = ("Ada Berg",),
    year: int = 2020,
    journal: str = "Journal of Tests",
    keywords: Sequence[str] = (),
    text: str = "The measured values were as expected in all of the samples.",
    kind: str = "research-article",
) -> str:
    """A paper as JATS."""
    names = [name.rpartition(" ")[::2] for name in authors]
    return _PAPER.format(
        kind=kind,
        journal=escape(journal),
        number=number,
        title=escape(title),
        authors="".join(_AUTHOR.format(escape(last), escape(first)) for first, last in names),
        year=year,
        keywords="".join(f"<kwd>{escape(word)}</kwd>" for word in keywords),
        text=escape(text),
    )


def course(title: str, instructor: str, lessons: dict[int, tuple[str, str]], link: str = "") -> str:
    """A transcript; `lessons` are titles and words by their numbers."""
    head = f"Course Title: {title}\nCourse Link: {link}\nCourse Instructor: {instructor}\n"
    parts = [
        f"\nLesson {number}: {name}\nLesson Link: {link}/lesson/{number}\n{words}\n"
        for number, (name, words) in lessons.items()
    ]
    return head + "".join(parts)
