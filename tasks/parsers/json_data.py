"""Data in JSON (RFC 8259): a value, or one after another as in JSON Lines, as tables and sections of records.

Numbers are kept as written. If the end of the file cuts a value, its complete parts are read. Other files that are not
entirely JSON are read line by line; lines that are no JSON, such as the last of a cut file, are paragraphs; a file in
which few lines are JSON is plain text. Transcripts of speech recognition are speech in paragraphs.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from tasks import faults
from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import Record, Value
from tasks.parsers.data.record_writer import RecordWriter
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.plain_text.captions import list_json_cues
from tasks.parsers.plain_text.cues import iter_paragraphs
from tasks.parsers.text import member as plain_text
from tasks.parsers.trees import MARKUP
from warehouse.records import BlockKind, Document, Finding, Severity

_ASSIGNMENT = re.compile(r"\A\s*(?:(?:var|let|const|window\.)\s*)?[\w.]{1,100}\s*=\s*(?=[\[{])")
"""The code before the data of an export that is loaded by its own page: "window.YTD.tweets.part0 = "."""
_RECORD_START = re.compile(r'\s*(?:\[\s*)?\{\s*"(?:[^"\\\n]|\\.){1,200}"\s*:')
_WHITESPACE = re.compile(r"\s*")
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[\]{},]', re.DOTALL)
"""The tokens of a value that determine its end; a single quote opens a text that is never closed."""
_CLOSERS = {"[": "]", "{": "}"}
_MIN_JSON_SHARE = 0.5  # The share of a file's lines that must be JSON where the file as a whole is not.
_MAX_NAMED = 3  # Lines that a finding names.


class JsonData:
    """A file of one value has its title, authors and dates."""

    version = 7
    media_type = "application/json"
    suffixes: tuple[str, ...] = (".json", ".jsonl", ".ndjson", ".geojson", ".jsonld", ".json3")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Whether it begins with a record; with a suffix of JSON any text except XML, which may be malformed JSON."""
        beginning = decode_head(raw.data)
        has_json_suffix = raw.suffix in self.suffixes and beginning.strip() and not MARKUP.match(beginning)
        return 0.6 if has_json_suffix or _RECORD_START.match(_ASSIGNMENT.sub("", beginning, count=1)) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text, assignment_count = _ASSIGNMENT.subn("", decode_text(raw.data), count=1)
        text = text.rstrip().removesuffix(";") if assignment_count else text
        values, problem = _parse_values(text)
        invalid, findings = list[tuple[int, str]](), list[Finding]()
        if problem and not values and (cut := _split_cut_value(text)):
            values, remainder = [cut[0]], cut[1]
            invalid = [(0, remainder)]
            findings = [
                refusals.report_lost_part("the end of it", "it is cut in the middle of a value; export it again")
            ]
        elif problem:
            values, invalid = _parse_lines(text)
            if len(invalid) > _MIN_JSON_SHARE * (len(values) + len(invalid)):
                document = plain_text.parse(raw)
                why = f"it is no JSON ({problem}), and read as plain text: correct it or export it again"
                note = faults.LOST_PART.make_finding(why, severity=Severity.NOTE)
                return replace(document, findings=(*document.findings, note))
            findings = _report_invalid_lines(invalid)
        assembly = Assembly()
        writer = RecordWriter(assembly)
        document_value: Value = values[0] if len(values) == 1 else values
        if cues := list_json_cues(document_value):
            for paragraph in iter_paragraphs(cues):
                assembly.add(BlockKind.PARAGRAPH, paragraph)
        else:
            writer.write_file(document_value)
        for _, line in invalid:
            assembly.add(BlockKind.PARAGRAPH, line)
        return writer.finish(document_value, self.media_type, findings)


def _make_decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=Record, parse_float=str, parse_int=str, parse_constant=str, strict=False)


def _parse_values(text: str) -> tuple[list[Value], str]:
    """The values of a text one after another, and the problem of the first part that is no value."""
    decoder, values, position = _make_decoder(), list[Value](), _WHITESPACE.match(text).end()  # type: ignore[union-attr]
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            return values, str(error)
        values.append(value)
        position = _WHITESPACE.match(text, position).end()  # type: ignore[union-attr]
    return values, ""


def _split_cut_value(text: str) -> tuple[Value, str] | None:
    """The complete part of a value that the end of the text cuts, and the remainder; None after an earlier error."""
    closers: list[str] = []
    end = depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in _CLOSERS:
            closers.append(_CLOSERS[mark])
        elif mark == '"':
            break
        elif len(mark) == 1:
            if mark != ",":
                if not closers or closers.pop() != mark:
                    return None
                end = token.end()
            else:
                end = token.start()
            depth = len(closers)
    if not end or not closers:
        return None
    try:
        value = _make_decoder().decode(text[:end].strip() + "".join(reversed(closers[:depth])))
    except json.JSONDecodeError:
        return None
    return value, text[end:].lstrip(", \n\t")


def _parse_lines(text: str) -> tuple[list[Value], list[tuple[int, str]]]:
    """The values of the lines that are one each, and the other lines with their numbers."""
    decoder, values, invalid = _make_decoder(), list[Value](), list[tuple[int, str]]()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(decoder.decode(line.strip().rstrip(",")))
        except json.JSONDecodeError:
            invalid.append((number, line))
    return values, invalid


def _report_invalid_lines(invalid: list[tuple[int, str]]) -> list[Finding]:
    if not invalid:
        return []
    numbers = ", ".join(str(number) for number, _ in invalid[:_MAX_NAMED]) + (
        ", …" if len(invalid) > _MAX_NAMED else ""
    )
    message = f"of its lines {len(invalid)} are no JSON, and kept as text: {numbers}: correct or remove them"
    return [faults.LOST_PART.make_finding(message, severity=Severity.NOTE)]


member = JsonData()
