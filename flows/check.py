"""The command `kalends check`: read the files that changed, find the faults in and between them, fix notes.

Fixes are made in place; each note is replaced atomically.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from flows.checked_files import CheckedFile, build_links, list_files, read_sheets
from tasks.check.configuration import Configuration, RuleSettings
from tasks.check.report import (
    FileReport,
    Report,
    ReportedFinding,
    compute_mean_score,
    read_baseline,
    remove_consequences,
)
from tasks.check.sheet import Sheet, SourceFinding, locate_finding, make_fingerprints
from tasks.check.sheet_cache import SheetCache
from tasks.quality.corpus import Corpus
from tasks.quality.note_links import LinkTargets
from tasks.quality.scoring import check_corpus, compute_quality, group_by_chunk
from warehouse.errors import BadInput
from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings
from warehouse.store.layout import find_cache_folder

DEFAULTS = CheckSettings()
SheetReader = Callable[[Sequence[CheckedFile]], Mapping[str, Sheet]]  # Reads the sheets of files, by their keys.


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Options of a check: `overrides` take precedence over the settings of the rules, dates are compared with `today`.

    `baseline` is a file of known findings, which are not reported again.
    """

    configuration: Configuration
    today: date
    overrides: CheckSettings = DEFAULTS
    baseline: Path | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a check: the report, the files, and the corpus that they were compared within."""

    report: Report
    files: tuple[CheckedFile, ...]
    corpus: Corpus


def check_documents(
    files: Sequence[CheckedFile],
    reader: SheetReader,
    cache: SheetCache,
    link_builder: Callable[[Mapping[str, Sheet]], LinkTargets],
    options: CheckOptions,
) -> CheckResult:
    """Check files, in the order of their paths; only those that are not in the cache are read by `reader`.

    Raises `BadInput` for an unreadable baseline.
    """
    known_before = read_baseline(options.baseline) if options.baseline else frozenset()
    cached_sheets = cache.get(file.key for file in files)
    missing = [file for file in files if file.key not in cached_sheets]
    new_sheets = reader(missing)
    # Files that could not be opened are not cached: a missing permission may be granted later.
    cache.put({file.key: new_sheets[file.key] for file in missing if not file.problem})
    sheets = {file.path: cached_sheets.get(file.key) or new_sheets[file.key] for file in files}
    digests = {path: sheet.digest for path, sheet in sheets.items() if sheet.digest}
    corpus = Corpus(digests, link_builder(sheets), options.today)
    findings: dict[str, list[SourceFinding]] = {path: list(sheet.findings) for path, sheet in sheets.items()}
    for path, finding in check_corpus(corpus):
        findings[path].append(locate_finding(finding, sheets[path].anchors))
    reports = [
        _build_file_report(file, sheets[file.path], findings[file.path], known_before, options) for file in files
    ]
    return CheckResult(Report(tuple(reports), len(missing)), tuple(files), corpus)


def run_check(
    settings: Settings,
    paths: Sequence[Path] | None,
    exclude: Sequence[Path] = (),
    overrides: CheckSettings = DEFAULTS,
    baseline: Path | None = None,
    *,
    no_cache: bool = False,
) -> CheckResult:
    """Check `paths` without the `exclude` files; None for all documents of the warehouse of the settings.

    Raises `BadInput` for a path that does not exist, `NoWarehouse` where nothing is published. The sheets of unchanged
    files come from the folder of the variable KALENDS_CACHE, unless that is "off", or from that of this machine.
    """
    cache = SheetCache(None if no_cache else find_cache_folder())
    configuration = Configuration(RuleSettings(Path.cwd(), settings.check))
    options = CheckOptions(configuration, datetime.now(UTC).date(), overrides, baseline)
    if paths is None:
        from flows.checked_files import CheckedWarehouse

        checked_warehouse = CheckedWarehouse(settings)
        return check_documents(
            checked_warehouse.list_files(), checked_warehouse.read_sheets, cache, checked_warehouse.build_links, options
        )
    files = list_files(paths, settings, exclude)
    return check_documents(
        files,
        lambda missing: read_sheets(missing, settings),
        cache,
        lambda sheets: build_links(files, paths, sheets),
        options,
    )


def _build_file_report(
    file: CheckedFile, sheet: Sheet, findings: Sequence[SourceFinding], baseline: Collection[str], options: CheckOptions
) -> FileReport:
    def sort_key(item: SourceFinding) -> tuple[int, int, int, int, str]:
        finding = item.finding
        return item.line or 0, item.column or 0, finding.page or 0, finding.start or 0, finding.code

    def is_suppressed(source_finding: SourceFinding) -> bool:
        return any(
            suppression.covers(source_finding.finding.code, source_finding.line, source_finding.last_line)
            for suppression in sheet.suppressions
        )

    rules = options.configuration.find_rules(file.absolute.parent)
    selection = rules.select_rules(file.absolute, options.overrides)
    relevant = sorted(
        (
            source_finding
            for source_finding in remove_consequences(findings)
            if selection.has_rule(source_finding.finding.code)
        ),
        key=sort_key,
    )
    entries = [
        ReportedFinding(file.path, source_finding, name)
        for source_finding, name in zip(relevant, make_fingerprints(file.path, relevant), strict=True)
    ]
    suppressed_fingerprints = {entry.fingerprint for entry in entries if is_suppressed(entry.source_finding)}
    unsuppressed_entries = [entry for entry in entries if entry.fingerprint not in suppressed_fingerprints]
    findings_by_chunk = group_by_chunk(entry.source_finding.finding for entry in unsuppressed_entries)
    scores = [(compute_quality(chunk.best, findings_by_chunk[chunk.chunk_id]), chunk.size) for chunk in sheet.chunks]
    return FileReport(
        path=file.path,
        entries=tuple(entry for entry in unsuppressed_entries if entry.fingerprint not in baseline),
        suppressed_entries=tuple(entry for entry in entries if entry.fingerprint in suppressed_fingerprints),
        baseline_count=sum(entry.fingerprint in baseline for entry in unsuppressed_entries),
        score=compute_mean_score(scores),
        chunks=len(sheet.chunks),
        min_score=options.overrides.min_score
        if "min_score" in options.overrides.model_fields_set
        else rules.settings.min_score,
    )


_NOTE_SUFFIXES = frozenset({".md", ".markdown"})
_LINE_END = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class NoteFix:
    """A fix of a note: its text before and after, both with the line ends of the file."""

    path: str
    absolute: Path
    before: str
    after: str


def find_fixes(result: CheckResult) -> Iterator[NoteFix]:
    """The fixes of notes for the findings that count; notes that are not UTF-8 are not changed."""
    from tasks.check.note_fixes import MENDABLE, mend_note

    reports, links = {report.path: report for report in result.report.files}, result.corpus.links
    for file in result.files:
        codes = {entry.source_finding.finding.code for entry in reports[file.path].entries} & MENDABLE
        if not codes or file.absolute.suffix.lower() not in _NOTE_SUFFIXES or file.path not in links.notes:
            continue
        try:
            before = file.absolute.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        fixed_text = mend_note(before.replace("\r\n", "\n"), file.path, codes, links)
        after = _with_line_ends(fixed_text, _LINE_END.findall(before))
        if after != before:
            yield NoteFix(file.path, file.absolute, before, after)


def write_fix(fix: NoteFix) -> None:
    """Replace the note by its fixed text. Raises `BadInput` where the file cannot be written."""
    new_file = fix.absolute.with_name(f".{fix.absolute.name}.{os.getpid()}")
    try:
        new_file.write_bytes(fix.after.encode())
        new_file.chmod(fix.absolute.stat().st_mode)
        new_file.replace(fix.absolute.resolve())
    except OSError as error:
        with suppress(OSError):
            new_file.unlink()
        raise BadInput(f"{fix.path} cannot be written ({error.strerror})", "check its permissions") from None


def _with_line_ends(text: str, ends: list[str]) -> str:
    """A text with the line ends that its file had, line by line; lines are added or removed at the head only."""
    lines = text.split("\n")
    added_count = len(lines) - 1 - len(ends)
    line_ends = [*(ends[:1] * added_count), *ends[max(0, -added_count) :]]
    return "".join(f"{line}{end}" for line, end in zip(lines, [*line_ends, ""], strict=True))
