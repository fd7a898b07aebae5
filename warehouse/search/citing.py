"""Where a passage stands, in the words and with the link of its kind of document.

paper     Title - Year - Journal           PubMed Central, else the DOI, else the file
course    [Course - Lesson n]              the lesson's link, else the course's, else the file
note      path/in/root.md#Heading          obsidian://open (https://help.obsidian.md/uri)
others    Title                            the file, a PDF at its page (RFC 8118)
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from urllib.parse import quote

from warehouse.records import Chunk, Citation, Holding, Kind

PMC = "https://www.ncbi.nlm.nih.gov/pmc/articles/"
DOI = "https://doi.org/"


def cite(holding: Holding, chunk: Chunk, folder: Path, quality: float, relevance: float | None = None) -> Citation:
    """The citation of a chunk of the document `holding`, whose root is `folder` on this machine."""
    return Citation(
        document_id=holding.document_id,
        title=_title(holding),
        source=holding.file.source,
        page=chunk.page,
        chunk_index=chunk.chunk_index,
        page_chunk_index=chunk.page_chunk_index,
        section=chunk.section,
        quality=quality,
        date=holding.document_date,
        label=label(holding, chunk),
        url=url(holding, chunk, folder),
        relevance=relevance,
    )


def label(holding: Holding, chunk: Chunk) -> str:
    """What a passage is called, without its page."""
    title = _title(holding)
    if holding.kind is Kind.PAPER:
        year = str(holding.document_date.year) if holding.document_date else ""
        return " - ".join(part for part in (title, year, holding.attributes.journal) if part)
    if holding.kind is Kind.COURSE:
        return f"[{title}]" if chunk.lesson is None else f"[{title} - Lesson {chunk.lesson}]"
    if holding.kind is Kind.NOTE:
        return _with_heading(holding.file.path, chunk)
    return title


def url(holding: Holding, chunk: Chunk, folder: Path) -> str:
    """The best link there is to a passage; `folder` is the root of its file."""
    file = _file_link(holding, chunk, folder)
    if holding.kind is Kind.PAPER:
        return _paper_link(holding) or file
    if holding.kind is Kind.COURSE:
        return _course_link(holding, chunk) or file
    if holding.kind is Kind.NOTE:
        return _note_link(holding, chunk, folder.absolute())
    return file


def _title(holding: Holding) -> str:
    return holding.title or PurePosixPath(holding.file.path).stem


def _with_heading(path: str, chunk: Chunk) -> str:
    return f"{path}#{chunk.section[-1]}" if chunk.section else path


def _paper_link(holding: Holding) -> str:
    number = holding.attributes.pmcid.strip().upper().removeprefix("PMC")
    if number:
        return f"{PMC}PMC{quote(number, safe='')}/"
    doi = holding.attributes.doi.strip()
    name = doi[doi.find("10.") :] if "10." in doi else ""
    return f"{DOI}{quote(name)}" if name else ""


def _course_link(holding: Holding, chunk: Chunk) -> str:
    lessons = {lesson.number: lesson.link for lesson in holding.attributes.lessons}
    found = lessons.get(chunk.lesson, "") if chunk.lesson is not None else ""
    return found or holding.attributes.link


def _note_link(holding: Holding, chunk: Chunk, folder: Path) -> str:
    """The note in its vault: the nearest folder above it that Obsidian has opened as one, else the root."""
    note = folder / holding.file.path
    vault = next((above for above in note.parents if (above / ".obsidian").is_dir()), folder)
    name = _with_heading(note.relative_to(vault).as_posix().removesuffix(".md"), chunk)
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(name, safe='')}"


def _file_link(holding: Holding, chunk: Chunk, folder: Path) -> str:
    link = (folder.absolute() / holding.file.path).as_uri()
    paged = holding.media_type == "application/pdf" and chunk.page is not None
    return f"{link}#page={chunk.page}" if paged else link
