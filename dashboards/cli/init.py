"""`kalends init`: a commented settings file for a folder of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import OutputFormat, print_result, with_format
from dashboards.cli.text_output import iter_labelled_lines
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
    from warehouse.settings.template import DeclaredSource, format_settings_template

    example = DeclaredSource("No documents were found here. Name a folder of them:", {}, {"folder": "documents"})
    file = folder / SETTINGS_FILE
    if file.exists() or file.is_symlink():
        raise BadInput(f"there is already a {file}", "change that file, or move it away first")
    try:
        folders = survey_folder(folder)
        text = format_settings_template([_make_source(source, folder) for source in folders] or [example])
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except NotADirectoryError:
        raise BadInput(f"{folder} is a file", "give a folder") from None
    except FileNotFoundError:
        raise BadInput(f"there is no folder {folder}", "check the path") from None
    except OSError as error:
        raise BadInput(f"{file} cannot be written ({error.strerror})", "choose another folder") from None
    sources = [_serialize_folder(folder) for folder in folders]
    print_result(form, {"file": str(file.resolve()), "sources": sources}, _iter_report_lines(file, folders))


def _make_source(folder: SurveyedFolder, home: Path) -> DeclaredSource:
    """The table of a source: values found in its files are set, all others are comments."""
    from warehouse.settings.template import DeclaredSource

    values: dict[str, Any] = {"folder": folder.folder.relative_to(home.resolve()).as_posix()}
    commented_values: dict[str, Any] = {}
    if folder.is_uniform:
        values["kind"] = folder.kind
    else:
        commented_values["kind"] = folder.kind or Kind.NOTE
    if folder.kind is not Kind.NOTE:
        commented_values["topic"] = folder.folder.name
    if folder.kind in (None, Kind.REPORT):
        commented_values["fiscal_year_end"] = folder.fiscal_year_end or "12-31"
    return DeclaredSource(f"{_describe_folder(folder)}.", values, commented_values)


def _describe_folder(folder: SurveyedFolder) -> str:
    """The contents of a folder in words: "5 documents (3 .pdf, 1 .docx, 1 .txt), report"."""
    formats = sorted(folder.formats.items(), key=lambda item: (-item[1], item[0]))
    suffix_counts = ", ".join(f"{count} {suffix or 'without a suffix'}" for suffix, count in formats[:4])
    parts = [
        f"{format_count(folder.documents, 'document')} ({suffix_counts})" if folder.documents else "no documents yet"
    ]
    if folder.is_vault:
        parts.append("an Obsidian vault")
    elif folder.kind:
        parts.append(f"{'' if folder.is_uniform else 'some of them '}of the kind {folder.kind}")
    if folder.fiscal_year_end:
        parts.append(f"fiscal years end on {folder.fiscal_year_end} by their texts")
    if folder.topics:
        parts.append(f"topics in {folder.topics}")
    return ", ".join(parts)


def _serialize_folder(folder: SurveyedFolder) -> dict[str, Any]:
    names = ("folder", "documents", "formats", "kind", "is_uniform", "is_vault", "fiscal_year_end", "topics")
    return {name: getattr(folder, name) for name in names}


def _iter_report_lines(file: Path, folders: Sequence[SurveyedFolder]) -> Iterator[str]:
    yield f"Wrote {file}."
    for folder in folders:
        yield from iter_labelled_lines(
            f"  {folder.folder.name if folder.folder != file.parent.resolve() else '.'}",
            _describe_folder(folder),
            _LABEL,
        )
    if not folders:
        yield "No documents were found in it: name a folder of them below [[sources]]."
    yield "Next:"
    steps = [f"cd {file.parent}"] if file.parent.resolve() != Path.cwd() else []
    steps += ["kalends plan", "kalends ingest", 'kalends ask "…"']
    notes = {"kalends plan": "what would be read", "kalends ingest": "read it"}
    for step in steps:
        yield f"  {step:20}{f'# {notes[step]}' if step in notes else ''}".rstrip()
    yield f"A key for answers by a language model goes into {file.parent / ENV_FILE}: ANTHROPIC_API_KEY=…"
