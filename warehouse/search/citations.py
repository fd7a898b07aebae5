"""Where a passage stands, in the words and with the link of its kind of document.

paper     Title - Year - Journal           PubMed Central, else the DOI, else the file
course    [Course - Lesson n]              the lesson's link, else the course's, else the file
note      path/in/root.md#Heading          obsidian://open (https://help.obsidian.md/uri)
others    Title                            the file, a PDF at its page (RFC 8118)
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from urllib.parse import quote

from warehouse.records import CatalogEntry, Chunk, Citation, Kind

PMC = "https://www.ncbi.nlm.nih.gov/pmc/articles/"
DOI = "https://doi.org/"


def cite(entry: CatalogEntry, chunk: Chunk, folder: Path, quality: float, relevance: float | None = None) -> Citation:
    """The citation of a chunk of the document `entry`, whose root is `folder` on this machine."""
    return Citation(
        document_id=entry.document_id,
        title=_title(entry),
        source=entry.file.source,
        page=chunk.page,
        chunk_index=chunk.chunk_index,
        page_chunk_index=chunk.page_chunk_index,
        section=chunk.section,
        quality=quality,
        date=entry.document_date,
        label=label(entry, chunk),
        url=url(entry, chunk, folder),
        relevance=relevance,
    )


def label(entry: CatalogEntry, chunk: Chunk) -> str:
    """What a passage is called, without its page."""
    title = _title(entry)
    if entry.kind is Kind.PAPER:
        year = str(entry.document_date.year) if entry.document_date else ""
        return " - ".join(part for part in (title, year, entry.attributes.journal) if part)
    if entry.kind is Kind.COURSE:
        return f"[{title}]" if chunk.lesson is None else f"[{title} - Lesson {chunk.lesson}]"
    if entry.kind is Kind.NOTE:
        return _with_heading(entry.file.path, chunk)
    return title


def url(entry: CatalogEntry, chunk: Chunk, folder: Path) -> str:
    """The best link there is to a passage; `folder` is the root of its file."""
    file = _file_link(entry, chunk, folder)
    if entry.kind is Kind.PAPER:
        return _paper_link(entry) or file
    if entry.kind is Kind.COURSE:
        return _course_link(entry, chunk) or file
    if entry.kind is Kind.NOTE:
        return _note_link(entry, chunk, folder.absolute())
    return file


def _title(entry: CatalogEntry) -> str:
    return entry.title or PurePosixPath(entry.file.path).stem


def _with_heading(path: str, chunk: Chunk) -> str:
    return f"{path}#{chunk.section[-1]}" if chunk.section else path


def _paper_link(entry: CatalogEntry) -> str:
    number = entry.attributes.pmcid.strip().upper().removeprefix("PMC")
    if number:
        return f"{PMC}PMC{quote(number, safe='')}/"
    doi = entry.attributes.doi.strip()
    name = doi[doi.find("10.") :] if "10." in doi else ""
    return f"{DOI}{quote(name)}" if name else ""


def _course_link(entry: CatalogEntry, chunk: Chunk) -> str:
    lessons = {lesson.number: lesson.link for lesson in entry.attributes.lessons}
    found = lessons.get(chunk.lesson, "") if chunk.lesson is not None else ""
    return found or entry.attributes.link


def _note_link(entry: CatalogEntry, chunk: Chunk, folder: Path) -> str:
    """The note in its vault: the nearest folder above it that Obsidian has opened as one, else the root."""
    note = folder / entry.file.path
    vault = next((above for above in note.parents if (above / ".obsidian").is_dir()), folder)
    name = _with_heading(note.relative_to(vault).as_posix().removesuffix(".md"), chunk)
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(name, safe='')}"


def _file_link(entry: CatalogEntry, chunk: Chunk, folder: Path) -> str:
    link = (folder.absolute() / entry.file.path).as_uri()
    paged = entry.media_type == "application/pdf" and chunk.page is not None
    return f"{link}#page={chunk.page}" if paged else link
