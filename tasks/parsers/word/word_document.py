"""The document of a Word file, of whatever version it is."""

from __future__ import annotations

from tasks.parsers.office_package import attribute
from tasks.parsers.word.story_blocks import story_document
from tasks.parsers.word.word_story import StoryReader, WordParts
from warehouse.records import Document


def word_document(media_type: str, package: WordParts) -> Document:
    """The body, its notes, and what is set aside; comments are left out."""
    roots = ((story, package.part(story)) for story in ("footnotes", "endnotes"))
    return story_document(
        media_type,
        StoryReader(package),
        package.body,
        {(story, attribute(note, "id")): note for story, root in roots for note in (() if root is None else root)},
        headers=package.asides("header"),
        footers=package.asides("footer"),
        described=package.described(),
    )
