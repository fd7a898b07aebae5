"""What is done where no passage holds a name that was asked for: its words are looked for instead."""

from __future__ import annotations

from dataclasses import replace

from warehouse.records import Found, SearchRequest


def focused(wanted: SearchRequest) -> SearchRequest:
    """The same without its filter by names, their words added to the question."""
    missing = [name for name in wanted.filters.names if name.lower() not in wanted.text.lower()]
    return replace(wanted, text=" ".join([wanted.text, *missing]), filters=replace(wanted.filters, names=()))


def told(found: Found, wanted: SearchRequest) -> Found:
    """What was found that way, and a note that says so where it is anything."""
    if not found.hits:
        return found
    names = " or ".join(repr(name) for name in wanted.filters.names)
    return replace(found, notes=(f"nothing names {names}: these are the nearest in words", *found.notes))
