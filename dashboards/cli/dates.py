"""`kalends dates`: the temporal expressions of a text, a file or a stream of texts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic_core import from_json, to_json

from dashboards.cli.options import OutputFormat, load_settings, print_json_lines, read_document, with_format
from dashboards.serializers.mentions import ReadDayOrder, ReadLanguage, TextReading, parse_moment, serialize_mention
from warehouse.errors import BadInput, StageError
from warehouse.records import Mention
from warehouse.regular_files import require_regular_file

_MAX_NAME_BYTES = 255  # Bytes of a file's name: a longer text is none.
_LINE = 'write {"id": 1, "text": "…", "anchor": "2023-05-17"}'


@with_format(OutputFormat.TIMEML)
def dates(
    text: Annotated[str | None, typer.Argument(help="The text, or the path of a file.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read this file, of any supported type.")] = None,
    anchor: Annotated[
        str | None,
        typer.Option(help="The date or time of writing, in ISO 8601 [default: the file's date, otherwise today]."),
    ] = None,
    fiscal_year_end: Annotated[
        str,
        typer.Option(help="The last day of fiscal years: 09-30, 'last Saturday of September' [default: what it says]."),
    ] = "",
    day_order: Annotated[ReadDayOrder | None, typer.Option(help="How 03/04/2023 is read.")] = None,
    language: Annotated[ReadLanguage, typer.Option(help="The language of the text.")] = ReadLanguage.ANY,
    form: OutputFormat = OutputFormat.TEXT,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help='Read lines {"id", "text", "anchor"} from --file or standard input.')
    ] = False,
) -> None:
    """List the dates, periods and durations in a text or file.

    Each with the days it covers: from the first, up to and without the last. No warehouse is needed.
    """
    if jsonl and form is not OutputFormat.TEXT:
        raise BadInput(f"--jsonl and --format {form} cannot be combined", "leave one of them out")
    reference = parse_moment(anchor) if anchor else None
    reading = TextReading(language, day_order, fiscal_year_end, ages=form is OutputFormat.TIMEML)
    if jsonl:
        if text is not None:
            raise BadInput("--jsonl cannot be combined with a text", "give the lines with --file or a pipe")
        _print_stream(file, reference, reading)
        return
    content, day, mentions = _read_mentions(text, file, reference, reading)
    if form is OutputFormat.JSON:
        typer.echo(to_json([serialize_mention(mention) for mention in mentions], indent=2).decode())
    elif form is OutputFormat.TIMEML:
        from tasks.temporal.timeml import format_timeml

        typer.echo(format_timeml(content, day, mentions), nl=False)
    else:
        # How a mention was read is told if there was a choice.
        for mention in mentions:
            typer.echo(f"{mention.text}\n  {', '.join(_iter_mention_details(mention))}")
        if not mentions:
            typer.echo("no dates")
        if day is None and any(mention.relative and not mention.anchor for mention in mentions):
            typer.echo("the file has no date, so relative times cannot be resolved: give --anchor YYYY-MM-DD", err=True)


def _read_mentions(
    text: str | None, file: Path | None, anchor: date | None, reading: TextReading
) -> tuple[str, date | None, tuple[Mention, ...]]:
    """The text, the anchor, and the mentions."""
    if (text is None) == (file is None):
        cure = 'for example kalends dates "last quarter" or kalends dates --file report.pdf'
        raise BadInput("give a text or a file", cure)
    if text is not None and len(text.encode()) < _MAX_NAME_BYTES and Path(text).is_file():
        file, text = Path(text), None
    if text is not None:
        day = anchor or datetime.now(UTC).astimezone().date()
        return text, day, reading.find_mentions(text, day)
    from tasks.document_date import choose_date, make_note_namer
    from tasks.faults import isolate_document
    from tasks.parsers.dated_lines import make_file_time_claims
    from tasks.temporal.document import find_mentions

    assert file is not None
    document = reading.apply_to(read_document(file))
    source = load_settings(None).find_source(file)
    note_name = make_note_namer(file.parent)(file.name)
    claims = (*document.dates, *make_file_time_claims(document.media_type, file.stat().st_mtime_ns))
    claim = choose_date(claims, file.name, source.kind or document.kind, note_name)
    known_day, year_end = anchor or (claim.date if claim else None), source.fiscal_year_end
    with isolate_document("temporal", file.name):
        document_mentions = find_mentions(document, known_day, year_end, reading.fiscal_year_end, ages=reading.ages)
        return document.text, known_day, document_mentions


def _print_stream(file: Path | None, anchor: date | None, reading: TextReading) -> None:
    """Print one JSON line for each line of input, as they come; empty lines are skipped.

    A text on which the tagger fails gets an `error` and no mentions; then the exit code is 1.
    """
    is_whole = True
    for number, line in enumerate(_iter_lines(file), 1):
        if not line.strip():
            continue
        item = _parse_item(line, number)
        reference = parse_moment(item["anchor"]) if item.get("anchor") else anchor
        data: dict[str, Any] = {"id": item.get("id"), "mentions": []}
        try:
            line_mentions = reading.find_mentions(item["text"], reference, f"line {number}")
            data["mentions"] = list(map(serialize_mention, line_mentions))
        except StageError as error:
            data["error"], is_whole = str(error), False
        print_json_lines([data])
    if not is_whole:
        raise typer.Exit(1)


def _iter_lines(file: Path | None) -> Iterator[str]:
    if file is None:
        yield from sys.stdin
        return
    try:
        with require_regular_file(file).open(encoding="utf-8-sig") as stream:
            yield from stream
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise BadInput(f"{file} cannot be read ({reason})", "give a file of JSON lines in UTF-8") from None


def _parse_item(line: str, number: int) -> Mapping[str, Any]:
    try:
        item = from_json(line)
    except ValueError as error:
        raise BadInput(f"line {number} is not JSON ({error})", _LINE) from None
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise BadInput(f'line {number} has no "text"', _LINE)
    if not isinstance(item.get("anchor"), str | None):
        raise BadInput(f'the "anchor" of line {number} is not a text', "write it as 2023-05-17")
    return item


def _iter_mention_details(mention: Mention) -> Iterable[str]:
    yield f"{mention.type} {mention.value}"
    if mention.start_date or mention.end_date:
        yield _format_interval(mention.start_date, mention.end_date)
    if mention.modifier:
        yield str(mention.modifier)
    if mention.quant or mention.freq:
        yield f"{mention.quant} {mention.freq}".strip()
    if mention.relative and mention.anchor:
        yield f"relative to {mention.anchor}"
    if mention.basis:
        yield mention.basis
    if mention.other_start or mention.other_end:
        yield f"or {_format_interval(mention.other_start, mention.other_end)}"
    if mention.table is not None:
        headers = " / ".join(filter(None, (mention.row_header, mention.column_header)))
        yield f"table {mention.table}{': ' if headers else ''}{headers}"


def _format_interval(start: date | None, end: date | None) -> str:
    """An interval [start, end) in words; one of its ends may be open."""
    if start is None:
        return f"before {end}"
    return f"from {start} to {end}" if end else f"from {start} on"
