"""Data in JSON (RFC 8259): a value, or one after another as in JSON Lines, as tables and sections of records.

Numbers stay as they are written. What is no JSON all through is read line by line, and lines that are none, as the last
of a file that was cut, are paragraphs; a file in which few lines are JSON is plain text.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from tasks import faults
from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_writer import Record, RecordWriter, Value
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.text import member as plain_text
from tasks.parsers.trees import MARKUP
from warehouse.records import BlockKind, Document, Finding, Severity

_ASSIGNED = re.compile(r"\A\s*(?:(?:var|let|const|window\.)\s*)?[\w.]{1,100}\s*=\s*(?=[\[{])")
"""What stands before the data of an export that a page of its own loads: "window.YTD.tweets.part0 = "."""
_RECORD = re.compile(r'\s*(?:\[\s*)?\{\s*"(?:[^"\\\n]|\\.){1,200}"\s*:')
_SPACE = re.compile(r"\s*")
_LEAST_LINES = 0.5  # The share of a file's lines that must be JSON where the file as a whole is not.
_NAMED = 3  # Lines that a finding names.


class JsonData:
    """A file of one value has its title, authors and dates."""

    version = 1
    media_type = "application/json"
    suffixes: tuple[str, ...] = (".json", ".jsonl", ".ndjson", ".geojson", ".jsonld")
    heavy = False
    signature: Signature | None = None

    def measure_likeness(self, raw: Raw) -> float:
        """Whether it begins with a record; with a suffix of its own any text but XML, which may be broken JSON."""
        beginning = decode_head(raw.data)
        has_own_suffix = raw.suffix in self.suffixes and beginning.strip() and not MARKUP.match(beginning)
        return 0.6 if has_own_suffix or _RECORD.match(_ASSIGNED.sub("", beginning, count=1)) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = _ASSIGNED.sub("", decode_text(raw.data), count=1)
        values, problem = _parse_values(text)
        strays: list[tuple[int, str]] = []
        if problem:
            values, strays = _parse_lines(text)
            if len(strays) > _LEAST_LINES * (len(values) + len(strays)):
                found = plain_text.parse(raw)
                why = f"it is no JSON, and read as plain text: {problem}"
                note = faults.LOST_PART.make_finding(why, severity=Severity.NOTE)
                return replace(found, findings=(*found.findings, note))
        assembly = Assembly()
        writer = RecordWriter(assembly)
        whole: Value = values[0] if len(values) == 1 else values
        writer.write_whole(whole)
        for _, line in strays:
            assembly.add(BlockKind.PARAGRAPH, line)
        return writer.finish(whole, self.media_type, _report_stray_lines(strays))


def _make_decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=Record, parse_float=str, parse_int=str, parse_constant=str, strict=False)


def _parse_values(text: str) -> tuple[list[Value], str]:
    """The values of a text one after another, and what is wrong with the first that is none."""
    decoder, found, here = _make_decoder(), list[Value](), _SPACE.match(text).end()  # type: ignore[union-attr]
    while here < len(text):
        try:
            value, here = decoder.raw_decode(text, here)
        except json.JSONDecodeError as error:
            return found, str(error)
        found.append(value)
        here = _SPACE.match(text, here).end()  # type: ignore[union-attr]
    return found, ""


def _parse_lines(text: str) -> tuple[list[Value], list[tuple[int, str]]]:
    """The values of the lines that are one each, and the other lines with their numbers."""
    decoder, found, strays = _make_decoder(), list[Value](), list[tuple[int, str]]()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(decoder.decode(line.strip().rstrip(",")))
        except json.JSONDecodeError:
            strays.append((number, line))
    return found, strays


def _report_stray_lines(strays: list[tuple[int, str]]) -> list[Finding]:
    if not strays:
        return []
    named = ", ".join(str(number) for number, _ in strays[:_NAMED]) + (", …" if len(strays) > _NAMED else "")
    message = f"of its lines {len(strays)} are no JSON, and kept as text: {named}"
    return [faults.LOST_PART.make_finding(message, severity=Severity.NOTE)]


member = JsonData()
