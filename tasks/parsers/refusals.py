"""Every reason for which a file is refused, in one place: the line a person reads, its cure and its finding code.

DOC001 unreadable-file   not a format that is read here, or damaged
DOC002 empty-file        no bytes, or nothing but white space
DOC003 encrypted-file    opens only with a password
DOC004 truncated-file    its end is missing
DOC005 too-slow-file     took longer than the limit
DOC006 too-large-file    needs more memory than the limit
DOC009 page-without-text no page has a text layer
DOC010 killed-parser     ended the process that read it
"""

from __future__ import annotations

from warehouse.errors import UnreadableFile

_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected Office file"),
    (b"PK\x03\x04", "a ZIP archive without a Word document in it"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)


def unknown(data: bytes) -> UnreadableFile:
    """Bytes that no parser claims."""
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return empty()
    if data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return UnreadableFile("XML of a kind that is not read here", "save it as JATS, HTML or plain text")
    what = next((words for magic, words in _MAGIC if data.startswith(magic)), "binary content of no known format")
    return UnreadableFile(what, "save it as PDF, DOCX, Markdown or plain text")


def empty() -> UnreadableFile:
    """No content at all."""
    return UnreadableFile("the file is empty", "write something into it or remove it", "DOC002", "empty-file")


def encrypted() -> UnreadableFile:
    """A password is needed."""
    return UnreadableFile("the file is encrypted", "save a copy without a password", "DOC003", "encrypted-file")


def truncated(what: str) -> UnreadableFile:
    """The end of the file is missing; `what` is the format."""
    return UnreadableFile(f"the {what} ends too early", "copy or download it again", "DOC004", "truncated-file")


def damaged(what: str, why: str) -> UnreadableFile:
    """The format is known and broken; `why` is one line."""
    return UnreadableFile(f"the {what} is damaged ({one_line(why)})", "save or download it again")


def too_slow(seconds: float) -> UnreadableFile:
    """The time limit was reached."""
    return UnreadableFile(
        f"reading took longer than {seconds:g} s", "raise the time limit or split the file", "DOC005", "too-slow-file"
    )


def too_large(limit: str) -> UnreadableFile:
    """A memory or size limit was reached; `limit` names it."""
    return UnreadableFile(
        f"it needs more than {limit}", "raise the limit or split the file", "DOC006", "too-large-file"
    )


def out_of_memory() -> UnreadableFile:
    """The memory of this process was used up."""
    problem = "it needs more memory than it may have"
    return UnreadableFile(problem, "raise the limit or split the file", "DOC006", "too-large-file")


def without_text(pages: int) -> UnreadableFile:
    """Pictures of pages only."""
    return UnreadableFile(
        f"none of its {pages} pages has a text layer", "run it through OCR first", "DOC009", "page-without-text"
    )


def killed(status: int | None) -> UnreadableFile:
    """The process that read it died; `status` is its exit status, negative for a signal."""
    return UnreadableFile(
        f"it ended the process that read it (exit status {status})",
        "save it again from its program",
        "DOC010",
        "killed-parser",
    )


def crashed(parser: str, error: Exception) -> UnreadableFile:
    """A parser failed in a way that it does not know itself."""
    why = one_line(f"{type(error).__name__} {error}")
    return UnreadableFile(f"the {parser} parser failed on it ({why})", "save it again from its program")


def one_line(text: str) -> str:
    """At most 200 characters on one line."""
    return " ".join(text.split())[:200]
