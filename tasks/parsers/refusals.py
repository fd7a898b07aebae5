"""The refusals of files and pages, and findings on them: the message, its cure and its fault."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from contextlib import suppress

from tasks import faults
from warehouse.errors import UnreadableFile
from warehouse.records import Finding, Severity

_COMPOUND = b"\xd0\xcf\x11\xe0"
"""The first bytes of a compound file ([MS-CFB]): older Office files, and newer ones that are encrypted."""
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_OUTLOOK = "export it from Outlook as .eml, or to a mailbox in mbox format"
_OTHER_STREAMS = (
    ("VisioDocument", "a Visio drawing (.vsd)", "save it as PDF"),
    ("Quill", "a Publisher file (.pub)", "save it as PDF"),
    ("HwpSummaryInformation", "a Hangul file (.hwp)", "save it as DOCX or PDF"),
)
"""Names in compound files of other formats."""
_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (_COMPOUND, "an old Office file"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)
_ARCHIVES = (
    (b"PK\x03\x04", "a ZIP archive without an Office document or book in it"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
)
_TAR_MAGIC = slice(257, 262), b"ustar"
_ARCHIVE_END = b"PK\x05\x06"
"""The first bytes of the last record of a ZIP archive."""
_SYLK = b"ID;P"
_REPORT_PACKAGE = "an XBRL report package", "unpack it and add the .xhtml files of its folder reports"
_OTHER_FORMATS = (
    (b"!BDN", "an Outlook data file (.pst, .ost)", _OUTLOOK),
    (b"\xdb\xa5", "a Word 2 file", "save it as DOCX"),
    (b"\x9b\xa5", "a Word 1 file", "save it as DOCX"),
    (b"1\xbe\0\0", "a file of Word for DOS or of Write", "save it as DOCX"),
    (b"\xfe\x37\0", "a file of Word 4 or 5 for Macintosh", "save it as DOCX"),
    (_SYLK, "a SYLK file (.slk)", "save it as XLSX or CSV"),
    (b"\0\0\x02\0", "a Lotus 1-2-3 file", "save it as XLSX"),
    (b"\0\0\x1a\0", "a Lotus 1-2-3 file", "save it as XLSX"),
)
_IWORK = "an iWork file of Apple (.pages, .numbers, .key)", "export it as DOCX, XLSX, PPTX or PDF"
_OTHER_ARCHIVES = (
    (b"application/vnd.sun.xml.", "a presentation or drawing of OpenOffice 1 (.sxi, .sxd)", "save it as ODP or PDF"),
    (b".iwa", *_IWORK),
    (b"buildVersionHistory.plist", *_IWORK),
    (b".apxl", *_IWORK),
    (b"META-INF/reportPackage.json", *_REPORT_PACKAGE),
    (b"META-INF/taxonomyPackage.xml", *_REPORT_PACKAGE),
)
"""Entries of ZIP archives of other formats."""
_DBASE = re.compile(rb"[\x02\x03\x30\x31\x43\x83\x8b\xcb\xf5].[\x01-\x0c][\x01-\x1f]", re.DOTALL)
"""The first bytes of a dBase file: its version and the day of its last change."""
_ARMOUR_HEADER = re.compile(
    rb"[\xef\xbb\xbf\s]*-----BEGIN (?:(?P<cipher>PGP MESSAGE|AGE ENCRYPTED FILE)"
    rb"|(?:[A-Z]+ )?(?:(?:PUBLIC|PRIVATE) KEY(?: BLOCK)?|CERTIFICATE|SIGNATURE))-----"
)
"""The first line of an encrypted text, a key, a certificate or a signature (RFC 4880, RFC 7468)."""
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")
_OCR_CURE = "pip install 'kalends[ocr]' to read pictures"


def is_foreign(data: bytes) -> bool:
    """Whether a file is of another format that may be decoded as text."""
    return data.startswith((_COMPOUND, _SYLK)) or _find_armour(data) is not None


def _find_armour(data: bytes) -> re.Match[bytes] | None:
    """The beginning of a text that is encrypted, a key, a certificate or a signature up to its end; None for others."""
    last = data[-200:].rstrip().rpartition(b"\n")[2]
    return _ARMOUR_HEADER.match(data[:200]) if last.startswith(b"-----END ") else None


def is_encrypted_package(data: bytes) -> bool:
    """Whether a file is an encrypted document of Office 2007 or later."""
    return data.startswith(_COMPOUND) and _ENCRYPTED_STREAM in data


def unknown(data: bytes) -> UnreadableFile:
    """Bytes that no parser reads."""
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return empty()
    if data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"\0" not in data:
        root = _ROOT.search(data[:4096])
        return foreign_xml(root[1].decode() if root else "")
    if armour := _find_armour(data):
        if armour["cipher"]:
            return faults.ENCRYPTED_FILE.make_refusal("the text is encrypted", "decrypt it, and add what comes of it")
        return UnreadableFile("it is a key, certificate or signature, which holds no text", "leave it out")
    if data.startswith(_COMPOUND):
        return _refuse_compound(data)
    for beginning, problem, cure in _OTHER_FORMATS:
        if data.startswith(beginning):
            return UnreadableFile(problem, cure)
    for name, problem, cure in _OTHER_ARCHIVES if data.startswith(b"PK\x03\x04") else ():
        if name in data:
            return UnreadableFile(problem, cure)
    if data.startswith(b"\x1f\x8b") and b"gnumeric" in _unpack_beginning(data):
        return UnreadableFile("a Gnumeric workbook", "save it as XLSX or ODS")
    if _DBASE.match(data):
        return UnreadableFile("a dBase table (.dbf)", "save it as XLSX or CSV")
    return _refuse_binary(data)


def _unpack_beginning(data: bytes) -> bytes:
    """The beginning of the content of a gzip archive, as far as it can be read."""
    with suppress(zlib.error):
        return zlib.decompressobj(31).decompress(data, 1_000)
    return b""


def _refuse_compound(data: bytes) -> UnreadableFile:
    """A compound file, by the streams in it."""
    if is_encrypted_package(data):
        return encrypted()
    for name, problem, cure in _OTHER_STREAMS:
        if name.encode("utf-16-le") in data:
            return UnreadableFile(problem, cure)
    return _refuse_binary(data)


def _refuse_binary(data: bytes) -> UnreadableFile:
    """A file without text, by its first bytes."""
    if data.startswith(b"PK\x03\x04") and _ARCHIVE_END not in data:
        return truncated("ZIP archive or Office file")
    packed = next((words for magic, words in _ARCHIVES if data.startswith(magic)), "")
    if packed or data[_TAR_MAGIC[0]] == _TAR_MAGIC[1]:
        return UnreadableFile(packed or "a tar archive", "unpack it and add the files in it")
    what = next((words for magic, words in _MAGIC if data.startswith(magic)), "binary content of no known format")
    return UnreadableFile(what, "save it as PDF, DOCX, Markdown or plain text")


def foreign_xml(root: str) -> UnreadableFile:
    """XML of another vocabulary; `root` is the name of its first element, if it has one."""
    if root.rpartition(":")[2].lower() == "xbrl":
        cure = "add the filing's web page instead (.htm or .xhtml), which shows and tags the same facts"
        return UnreadableFile("an XBRL instance, data without the pages of the report", cure)
    root_name = f" (<{root[:60]}>)" if root else ""
    return UnreadableFile(f"XML of a kind that is not read here{root_name}", "save it as JATS, HTML or plain text")


def without_article(vocabulary: str, root: str) -> UnreadableFile:
    """XML of a known vocabulary in which no article's text is found; `root` is the name of its first element."""
    problem = f"this is {vocabulary} XML (<{root[:60]}>) without the text or abstract of an article"
    return faults.ABSTRACT_ONLY.make_refusal(problem, "get the full text")


def abstract_only() -> UnreadableFile:
    """A paper of which the file has only the abstract."""
    return faults.ABSTRACT_ONLY.make_refusal(
        "the full text of this paper is not in it, at most its abstract", "get the full text"
    )


def empty() -> UnreadableFile:
    """A file without content."""
    return faults.EMPTY_FILE.make_refusal("the file is empty", "write something into it or remove it")


def encrypted() -> UnreadableFile:
    """A file that needs a password."""
    return faults.ENCRYPTED_FILE.make_refusal("the file is encrypted", "save a copy without a password")


def too_old(what: str, cure: str) -> UnreadableFile:
    """A file of a format's older versions; `cure` is the format to save it in."""
    return UnreadableFile(what, f"save it as {cure}")


def protected_book() -> UnreadableFile:
    """A book whose pages are encrypted by its seller."""
    return faults.ENCRYPTED_FILE.make_refusal(
        "the book is protected (DRM)", "get an edition without DRM from its publisher"
    )


def pictures_of_pages() -> UnreadableFile:
    """A book without any text."""
    return faults.PAGE_WITHOUT_TEXT.make_refusal(
        "the pages of the book are pictures", "get an edition with text, or a PDF"
    )


def truncated(what: str) -> UnreadableFile:
    """A file without its end; `what` is the format."""
    return faults.TRUNCATED_FILE.make_refusal(f"the {what} ends too early", "copy or download it again")


def damaged(what: str, why: str) -> UnreadableFile:
    """A damaged file of a known format; `why` is one line."""
    return UnreadableFile(f"the {what} is damaged ({to_one_line(why)})", "save or download it again")


def too_slow(seconds: float) -> UnreadableFile:
    """The time limit was reached."""
    problem = f"reading took longer than {seconds:.0f} s"
    return faults.TOO_SLOW_FILE.make_refusal(problem, "raise parse.seconds or split the file")


def page_too_slow(seconds: float) -> UnreadableFile:
    """A page's time limit was reached."""
    return faults.TOO_SLOW_FILE.make_refusal(f"it took longer than {seconds:g} s", "raise parse.page_seconds")


def too_deep() -> UnreadableFile:
    """Elements nested deeper than any program writes."""
    return UnreadableFile("it is nested too deeply", "save it again from its program")


def too_large(limit: str) -> UnreadableFile:
    """A memory or size limit was reached; `limit` names it."""
    return faults.TOO_LARGE_FILE.make_refusal(f"it needs more than {limit}", "raise the limit or split the file")


def swollen_xml() -> UnreadableFile:
    """XML with a text, a tag or entities larger than a parser accepts."""
    problem = "a piece of its XML swells beyond 10 MB"
    return faults.TOO_LARGE_FILE.make_refusal(problem, "save it again from its program")


def out_of_memory() -> UnreadableFile:
    """The memory of this process was used up."""
    problem = "it needs more memory than it may have"
    return faults.TOO_LARGE_FILE.make_refusal(problem, "raise the limit or split the file")


def without_text(pages: int, *, pictured: bool) -> UnreadableFile:
    """A file without text on its pages, which are pictures or blank."""
    if pictured:
        problem = f"none of its {pages} pages has a text layer" if pages > 1 else "its page has no text layer"
        return faults.PAGE_WITHOUT_TEXT.make_refusal(problem, _OCR_CURE)
    problem = f"there is no text on its {pages} pages" if pages > 1 else "there is no text on its page"
    return faults.EMPTY_FILE.make_refusal(problem, "save it again from its program, or remove it")


def killed(status: int | None) -> UnreadableFile:
    """The process that read it died; `status` is its exit status, negative for a signal."""
    problem = f"it ended the process that read it (exit status {status})"
    return faults.KILLED_PARSER.make_refusal(problem, "save it again from its program")


def crashed(parser: str, error: Exception) -> UnreadableFile:
    """A parser failed with an unexpected error."""
    why = to_one_line(f"{type(error).__name__} {error}")
    return UnreadableFile(f"the {parser} parser failed on it ({why})", "save it again from its program")


def to_one_line(text: str) -> str:
    """At most 200 characters on one line."""
    return " ".join(text.split())[:200]


def report_abstracts(number: int, of: int) -> Finding:
    """Papers without their full text among those of one file."""
    message = f"of the {of} papers in it, {number} are there as abstracts only and left out"
    return faults.ABSTRACT_ONLY.make_finding(message, severity=Severity.NOTE)


def report_lost_part(what: str, why: str, start: int | None = None) -> Finding:
    """An attachment, message or chapter that could not be read in a file that was."""
    return faults.LOST_PART.make_finding(f"{what} could not be read: {to_one_line(why)}", start=start)


def report_copies(number: int) -> Finding:
    """Repeated messages of a mailbox."""
    message = f"{number} messages are in it more than once and read once"
    return faults.LOST_PART.make_finding(message, severity=Severity.NOTE)


def report_misnamed(suffix: str, media_type: str) -> Finding:
    """A file of another format than that of its suffix."""
    message = (
        f"its name ends in {to_one_line(suffix)[:20]}, its content is {media_type}: rename it, or save the right file"
    )
    return faults.MISNAMED_FILE.make_finding(message)


def report_attachments(names: Sequence[str]) -> Finding:
    """Files that are embedded in another one."""
    examples = ", ".join(to_one_line(name)[:60] for name in names[:3]) + ", …" * (len(names) > 3)
    subject = "a file lies in it that is" if len(names) == 1 else f"{len(names)} files lie in it that are"
    return faults.LOST_PART.make_finding(f"{subject} not read: {examples}")


def report_lost_page(number: int, why: str) -> Finding:
    """A page that could not be read in a file that was."""
    return faults.LOST_PAGE.make_finding(f"page {number} could not be read: {why}", page=number)


def report_damaged_page(number: int) -> Finding:
    """A page of which only the undamaged content was read."""
    return faults.LOST_PART.make_finding(
        f"some of page {number} could not be read: its content is damaged", page=number
    )


def report_page_without_text(number: int, letters: int = 0) -> Finding:
    """The picture of a page, without OCR; `letters` of it are in a text layer."""
    what = f"a picture but for {letters} letters" if letters else "a picture without a text layer"
    severity = Severity.NOTE if letters else Severity.WARNING
    return faults.PAGE_WITHOUT_TEXT.make_finding(
        f"page {number} is {what}: {_OCR_CURE}", severity=severity, page=number
    )


def report_ocr(number: int) -> Finding:
    """The picture of a page that OCR read; errors are likely."""
    message = f"the picture of page {number} was read by OCR"
    return faults.READ_BY_OCR.make_finding(message, page=number)


def report_garbled_text(number: int, share: float) -> Finding:
    """Glyphs without a meaning (ISO 32000-1, 9.10.2): `share` of the page's characters, 0 to 1."""
    message = f"{share:.0%} of the characters on page {number} have no meaning: their fonts do not name them"
    return faults.GARBLED_TEXT.make_finding(message, page=number)
