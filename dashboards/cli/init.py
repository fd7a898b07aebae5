"""`kalends init`: a commented settings file for a folder of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.formats import OutputFormat, print_json, with_format
from dashboards.cli.text_output import labelled_lines
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput
from warehouse.records import Kind
from warehouse.settings.env_file import ENV_FILE

if TYPE_CHECKING:
    from flows.folder_survey import SurveyedFolder
    from warehouse.settings.template import DeclaredSource

_LABEL = 20  # Columns of a source's folder, in the list of them.


@with_format()
def init(
    folder: Annotated[Path, typer.Argument(help="The folder of documents.")] = Path(),
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Write a commented kalends.toml for a folder.

    Looks at what is in the folder (a vault, filings, papers, courses) and lists it as sources, with every other setting
    as a comment. An existing file is never changed.
    """
    from flows.folder_survey import survey_folder
    from warehouse.settings.loader import SETTINGS_FILE
    from warehouse.settings.template import DeclaredSource, settings_template

    example = DeclaredSource("No documents were found here. Name a folder of them:", {}, {"folder": "documents"})
    file = folder / SETTINGS_FILE
    if file.exists() or file.is_symlink():
        raise BadInput(f"there is already a {file}", "change that file, or move it away first")
    try:
        found = survey_folder(folder)
        text = settings_template([_source(each, folder) for each in found] or [example])
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except NotADirectoryError:
        raise BadInput(f"{folder} is a file", "give a folder") from None
    except FileNotFoundError:
        raise BadInput(f"there is no folder {folder}", "check the path") from None
    except OSError as error:
        raise BadInput(f"{file} cannot be written ({error.strerror})", "choose another folder") from None
    if form is OutputFormat.JSON:
        print_json({"file": str(file.resolve()), "sources": [_source_json(each) for each in found]})
        return
    for line in _report(file, found):
        typer.echo(line)


def _source(found: SurveyedFolder, home: Path) -> DeclaredSource:
    """The table of a source: what was told from its files is in force, the rest is shown."""
    from warehouse.settings.template import DeclaredSource

    values: dict[str, Any] = {"folder": found.folder.relative_to(home.resolve()).as_posix()}
    shown: dict[str, Any] = {}
    if found.is_uniform:
        values["kind"] = found.kind
    else:
        shown["kind"] = found.kind or Kind.NOTE
    if found.kind is not Kind.NOTE:
        shown["topic"] = found.folder.name
    if found.kind in (None, Kind.REPORT):
        shown["fiscal_year_end"] = found.fiscal_year_end or "12-31"
    return DeclaredSource(f"{_summary(found)}.", values, shown)


def _summary(found: SurveyedFolder) -> str:
    """What was found in a folder: "5 documents (3 .pdf, 1 .docx, 1 .txt), report"."""
    formats = sorted(found.formats.items(), key=lambda each: (-each[1], each[0]))
    named = ", ".join(f"{count} {suffix or 'without a suffix'}" for suffix, count in formats[:4])
    parts = [f"{format_count(found.documents, 'document')} ({named})" if found.documents else "no documents yet"]
    if found.is_vault:
        parts.append("an Obsidian vault")
    elif found.kind:
        parts.append(f"{'' if found.is_uniform else 'some of them '}of the kind {found.kind}")
    if found.fiscal_year_end:
        parts.append(f"fiscal years end on {found.fiscal_year_end} by their texts")
    if found.topics:
        parts.append(f"topics in {found.topics}")
    return ", ".join(parts)


def _source_json(found: SurveyedFolder) -> dict[str, Any]:
    names = ("folder", "documents", "formats", "kind", "is_uniform", "is_vault", "fiscal_year_end", "topics")
    return {name: getattr(found, name) for name in names}


def _report(file: Path, found: Sequence[SurveyedFolder]) -> Iterator[str]:
    yield f"Wrote {file}."
    for each in found:
        yield from labelled_lines(
            f"  {each.folder.name if each.folder != file.parent.resolve() else '.'}", _summary(each), _LABEL
        )
    if not found:
        yield "No documents were found in it: name a folder of them below [[sources]]."
    yield "Next:"
    steps = [f"cd {file.parent}"] if file.parent.resolve() != Path.cwd() else []
    steps += ["kalends plan", "kalends ingest", 'kalends ask "…"']
    notes = {"kalends plan": "what would be read", "kalends ingest": "read it"}
    for step in steps:
        yield f"  {step:20}{f'# {notes[step]}' if step in notes else ''}".rstrip()
    yield f"A key for answers by a language model goes into {file.parent / ENV_FILE}: ANTHROPIC_API_KEY=…"
