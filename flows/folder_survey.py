"""Survey of a folder before its first ingest: which folders in it are sources, and their properties.

Vaults are recognised by `.obsidian`. Elsewhere a few of the smallest files of the commonest formats are read, and their
kinds decide; nothing is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from flows.discovery import RootScope, has_regular_name, list_paths, make_attachment_filter
from tasks.parsers.notes import VAULT
from tasks.parsers.reader import Job, read_files
from tasks.topics import MAX_FILE_BYTES, SUFFIX, read_topics
from warehouse.records import Document, Kind, Root
from warehouse.records.calendars import MONTH_END
from warehouse.settings.models import ParseSettings

MAX_FOLDERS = 12  # More sibling folders than this are one source: parts of one collection.
SAMPLED_FORMATS, SAMPLED_FILES = 4, 2  # Formats of a folder that are looked at, and files of each.
LIMITS = ParseSettings(seconds=20, page_seconds=10, max_file_megabytes=8)
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class SurveyedFolder:
    """A folder that may be a source. `formats` counts its documents by suffix.

    `kind` is the commonest of its sampled files, None if none of them has one, and `is_uniform` whether all are of it.
    `fiscal_year_end` (MM-DD) is the one that the texts of its sampled reports agree on, `topics` the name of a file
    that gives its papers their topics; both are empty if there is none.
    """

    folder: Path
    formats: Mapping[str, int]
    kind: Kind | None = None
    is_uniform: bool = False
    is_vault: bool = False
    fiscal_year_end: str = ""
    topics: str = ""

    @property
    def documents(self) -> int:
        """The number of its documents, without those of the vaults and other sources in it."""
        return sum(self.formats.values())


def survey_folder(folder: Path) -> list[SurveyedFolder]:
    """The sources that a folder should have: itself, or vaults and folders of different kinds in it.

    Raises `OSError` where it cannot be listed.
    """
    home = folder.resolve()
    subfolders = sorted(
        subfolder
        for subfolder in home.iterdir()
        if subfolder.is_dir() and has_regular_name(subfolder) and not subfolder.name.startswith(".")
    )
    if any((place / VAULT).is_dir() for place in (home, *home.parents)):
        return [_survey_vault(home)]
    vaults = [subfolder for subfolder in subfolders if (subfolder / VAULT).is_dir()]
    folders = [subfolder for subfolder in subfolders if subfolder not in vaults]
    parts = []
    if len(folders) <= MAX_FOLDERS:
        home_survey = _survey_documents(home, subfolders)
        parts = [survey for survey in (home_survey, *map(_survey_documents, folders)) if survey.documents]
    if len(folders) > MAX_FOLDERS or (
        len(parts) > 1 and len({(survey.kind, survey.is_uniform) for survey in parts}) == 1
    ):
        # One collection in many parts, or of one kind: one source for all but the vaults.
        parts = [_survey_documents(home, vaults)]
    return [*parts, *map(_survey_vault, vaults)]


def _survey_vault(folder: Path) -> SurveyedFolder:
    formats = Counter(_get_suffix(path) for path in _list_documents(folder))
    # Papers and reports among the notes keep their kinds.
    return SurveyedFolder(folder, formats, Kind.NOTE, is_uniform=set(formats) <= {".md"}, is_vault=True)


def _survey_documents(folder: Path, inner: Sequence[Path] = ()) -> SurveyedFolder:
    paths = _list_documents(folder, inner)
    formats = Counter(map(_get_suffix, paths))
    topics = next((path for path in paths if _get_suffix(path) == SUFFIX and _has_topics(folder / path)), "")
    if topics:
        formats[SUFFIX] -= 1
    documents = [
        result.found
        for result in read_files([Job(path, folder / path) for path in _sample_files(folder, paths, formats)], LIMITS)
        if isinstance(result.found, Document)
    ]
    kinds = Counter(document.kind for document in documents)
    known_kinds = [kind for kind, _ in kinds.most_common() if kind is not Kind.TEXT]
    return SurveyedFolder(
        folder,
        +formats,
        known_kinds[0] if known_kinds else None,
        is_uniform=len(kinds) == 1 and bool(known_kinds),
        fiscal_year_end=_find_fiscal_year_end(document for document in documents if document.kind is Kind.REPORT),
        topics=topics,
    )


def _list_documents(folder: Path, inner: Sequence[Path] = ()) -> list[str]:
    """The relative paths of the documents of a folder, without those of `inner` folders and attachments."""
    root = Root(folder.name, folder)
    is_attachment = make_attachment_filter(root)
    return [path for path in list_paths(RootScope(root), frozenset(inner)) if not is_attachment(path)]


def _get_suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


def _sample_files(folder: Path, paths: Sequence[str], formats: Counter[str]) -> list[str]:
    """The smallest files that are not empty, of each of the commonest formats."""
    sizes = {path: (folder / path).stat().st_size for path in paths if (folder / path).is_file()}
    samples: list[str] = []
    for suffix, _ in formats.most_common(SAMPLED_FORMATS):
        sized_paths = sorted((size, path) for path, size in sizes.items() if size and _get_suffix(path) == suffix)
        samples += [path for _, path in sized_paths[:SAMPLED_FILES]]
    return samples


def _has_topics(file: Path) -> bool:
    return file.stat().st_size <= MAX_FILE_BYTES and read_topics(file.read_bytes(), file.name) is not None


def _find_fiscal_year_end(reports: Iterable[Document]) -> str:
    """The day, MM-DD, on which all the reports' fiscal years end by their texts; empty if they differ."""
    from tasks.temporal.fiscal_inference import infer_text_calendar

    calendars = [infer_text_calendar(report.text, report.language) for report in reports]
    days = {(calendar.last_month, calendar.last_day) for calendar in calendars if calendar and not calendar.weeks}
    if len(days) != 1 or any(calendar is None or calendar.weeks for calendar in calendars):
        return ""
    month, day = days.pop()
    last_day = _MONTH_DAYS[month - 1] if day == MONTH_END else day
    return f"{month:02}-{last_day:02}"
