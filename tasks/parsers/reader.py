"""From bytes to a `Document`: the parser that fits the content best, and every failure as one named error."""

from __future__ import annotations

from tasks.parsers import refusals
from tasks.parsers.contract import Parser, Raw
from tasks.parsers.pages import ocr
from tasks.parsers.paging import failures_named
from warehouse.records import Document
from warehouse.registry import Family

PARSERS = Family[Parser]("tasks.parsers", "parser")

_SUFFIX_WEIGHT = 0.1


def versions() -> dict[str, int]:
    """The version of each parser by name, and of what reads pictures, for fingerprints."""
    return {**{name: PARSERS[name].version for name in PARSERS}, "ocr": ocr.version()}


def choose(raw: Raw) -> str:
    """The name of the parser that claims the content most surely; a fitting suffix settles what content leaves open.

    Raises `UnreadableFile` where none claims it.
    """
    claims = {name: parser.claims(raw) for name, parser in PARSERS.items()} if raw.data.strip() else {}
    ranked = {
        name: claim + _SUFFIX_WEIGHT * (raw.suffix in PARSERS[name].suffixes)
        for name, claim in claims.items()
        if claim > 0
    }
    if not ranked:
        raise refusals.unknown(raw.data)
    return max(ranked, key=lambda name: (ranked[name], name))


def read(raw: Raw) -> Document:
    """The document in a file's bytes. Raises `UnreadableFile`, and nothing else, for whatever the bytes hold."""
    return parse_as(choose(raw), raw)


def parse_as(name: str, raw: Raw) -> Document:
    """The document as the parser of that name reads it. Raises `UnreadableFile`, and nothing else."""
    with failures_named(name):
        return PARSERS[name].parse(raw)
