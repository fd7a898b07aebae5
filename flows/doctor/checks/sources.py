"""The folders that documents come from, and the documents that could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from flows.doctor.diagnosis import CheckContext, Diagnosis, ok, warning
from tasks.quality.wording import counted


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Roots that are not there, whose documents are kept as they were, and files without a readable version."""
    if patient.generation is None:
        return
    roots = patient.generation.manifest.roots
    for root in roots:
        if not root.folder.is_dir():
            yield warning(
                f"the root '{root.name}' is not there ({root.folder})",
                f"mount it, or kalends ingest --drop {root.name}",
            )
    troubled = [entry for entry in patient.generation.entries() if entry.reason]
    if troubled:
        first = troubled[0]
        line = f"{len(troubled)} files cannot be read, the first is {first.file.source}: {first.reason}"
        yield warning(line, "kalends status names them")
    elif all(root.folder.is_dir() for root in roots):
        yield ok(f"{counted(len(roots), 'root')} there, every file was read")
