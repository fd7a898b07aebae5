"""`kalends dates`: the temporal expressions of a text, a file or a stream of texts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic_core import from_json, to_json

from dashboards.cli.formats import OutputFormat, print_json_lines, with_format
from dashboards.cli.options import load_settings, read_document
from dashboards.serializers.mentions import mention_data
from warehouse.errors import BadInput, StageError
from warehouse.records import Mention

_LINE = 'write {"id": 1, "text": "…", "anchor": "2023-05-17"}'


@with_format(OutputFormat.TIMEML)
def dates(
    text: Annotated[str | None, typer.Argument(help="The text.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read this file, of any supported type.")] = None,
    anchor: Annotated[
        str | None,
        typer.Option(help="The date or time of writing, in ISO 8601 [default: the file's date, otherwise today]."),
    ] = None,
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
    reference = _moment(anchor) if anchor else None
    if jsonl:
        if text is not None:
            raise BadInput("--jsonl cannot be combined with a text", "give the lines with --file or a pipe")
        _stream(file, reference)
        return
    content, day, mentions = _read_mentions(text, file, reference, ages=form is OutputFormat.TIMEML)
    if form is OutputFormat.JSON:
        typer.echo(to_json([mention_data(mention) for mention in mentions], indent=2).decode())
    elif form is OutputFormat.TIMEML:
        from tasks.temporal.timeml import timeml

        typer.echo(timeml(content, day, mentions), nl=False)
    else:
        # How a mention was read is told if there was a choice.
        for mention in mentions:
            typer.echo(f"{mention.text}\n  {', '.join(_mention_details(mention))}")
        if not mentions:
            typer.echo("no dates")
        if day is None and any(mention.relative and not mention.anchor for mention in mentions):
            typer.echo("the file has no date, so relative times cannot be resolved: give --anchor YYYY-MM-DD", err=True)


def _moment(text: str) -> date:
    """A date, or a `datetime` if the text has a time of day. Raises `BadInput`."""
    try:
        return datetime.fromisoformat(text) if "T" in text or " " in text.strip() else date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is not a date", "write it as 2023-05-17 or 2023-05-17T16:30") from None


def _read_mentions(
    text: str | None, file: Path | None, anchor: date | None, *, ages: bool
) -> tuple[str, date | None, tuple[Mention, ...]]:
    """The text, the anchor, and the mentions; with `ages`, ages of people are mentions too, as in TimeML."""
    if (text is None) == (file is None):
        cure = 'for example kalends dates "last quarter" or kalends dates --file report.pdf'
        raise BadInput("give a text or a file", cure)
    if text is not None:
        day = anchor or datetime.now(UTC).astimezone().date()
        return text, day, _tag_text(text, day, ages=ages)
    from tasks.document_date import choose_date
    from tasks.faults import one_document
    from tasks.note_names import note_namer
    from tasks.temporal.document import mentions

    assert file is not None
    document = read_document(file)
    source = load_settings(None).source_of(file)
    named = note_namer(file.parent)(file.name)
    claim = choose_date(document.dates, file.name, source.kind or document.kind, named)
    known_day, declared = anchor or (claim.date if claim else None), source.fiscal_year_end
    with one_document("temporal", file.name):
        return document.text, known_day, mentions(document, known_day, declared, ages=ages)


def _tag_text(text: str, anchor: date | None, *, ages: bool = False) -> tuple[Mention, ...]:
    """The mentions of a text; fiscal periods and numeric dates are read as the text itself says elsewhere."""
    from tasks.parsers.written_dates import settled_day_order
    from tasks.temporal.fiscal_inference import fiscal_calendar
    from tasks.temporal.tagger import tag

    return tag(text, anchor, "und", day_order=settled_day_order(text), fiscal=fiscal_calendar(text, "und"), ages=ages)


def _stream(file: Path | None, anchor: date | None) -> None:
    """Print one JSON line for each line of input, as they come; empty lines are skipped.

    A text on which the tagger fails gets an `error` and no mentions; then the exit code is 1.
    """
    from tasks.faults import one_document

    is_whole = True
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        item = _item(line, number)
        reference = _moment(item["anchor"]) if item.get("anchor") else anchor
        data: dict[str, Any] = {"id": item.get("id"), "mentions": []}
        try:
            with one_document("temporal", f"line {number}"):
                data["mentions"] = [mention_data(mention) for mention in _tag_text(item["text"], reference)]
        except StageError as error:
            data["error"], is_whole = str(error), False
        print_json_lines([data])
    if not is_whole:
        raise typer.Exit(1)


def _lines(file: Path | None) -> Iterator[str]:
    if file is None:
        yield from sys.stdin
        return
    try:
        with file.open(encoding="utf-8-sig") as stream:
            yield from stream
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise BadInput(f"{file} cannot be read ({reason})", "give a file of JSON lines in UTF-8") from None


def _item(line: str, number: int) -> Mapping[str, Any]:
    try:
        item = from_json(line)
    except ValueError as error:
        raise BadInput(f"line {number} is not JSON ({error})", _LINE) from None
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise BadInput(f'line {number} has no "text"', _LINE)
    if not isinstance(item.get("anchor"), str | None):
        raise BadInput(f'the "anchor" of line {number} is not a text', "write it as 2023-05-17")
    return item


def _mention_details(mention: Mention) -> Iterable[str]:
    yield f"{mention.type} {mention.value}"
    if mention.start_date or mention.end_date:
        yield _interval(mention.start_date, mention.end_date)
    if mention.modifier:
        yield str(mention.modifier)
    if mention.quant or mention.freq:
        yield f"{mention.quant} {mention.freq}".strip()
    if mention.relative and mention.anchor:
        yield f"relative to {mention.anchor}"
    if mention.basis:
        yield mention.basis
    if mention.other_start or mention.other_end:
        yield f"or {_interval(mention.other_start, mention.other_end)}"
    if mention.table is not None:
        headers = " / ".join(filter(None, (mention.row_header, mention.column_header)))
        yield f"table {mention.table}{': ' if headers else ''}{headers}"


def _interval(start: date | None, end: date | None) -> str:
    """An interval [start, end) in words; one of its ends may be open."""
    if start is None:
        return f"before {end}"
    return f"from {start} to {end}" if end else f"from {start} on"
