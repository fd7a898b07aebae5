"""The faults of files and their meaning for a document: codes, names, severities and pages; failures in a stage.

`tasks.quality.rules.file_faults` makes rules of the faults, like all others.

A failure in a stage costs its document, never the batch or the run. Failures that a document can cause (any exception,
too much memory, too deep recursion, too much time) become a `DocumentProblem`. Others are raised again and end the run:
errors of Kalends itself (`KalendsError`), a missing package, a full or failing disk, and whatever stops a run
(`KeyboardInterrupt`, Prefect's cancellation).
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from warehouse.errors import KalendsError, StageError, UnreadableFile
from warehouse.records import Finding, Severity


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A coded fault, its usual severity, and its page: what it is, why it hurts retrieval, an example, the cure."""

    code: str
    name: str
    severity: Severity
    page: str

    def make_finding(
        self,
        message: str,
        *,
        severity: Severity | None = None,
        start: int | None = None,
        end: int | None = None,
        page: int | None = None,
    ) -> Finding:
        """A finding of it; `severity` if this case is better or worse than usual."""
        return Finding(self.code, self.name, severity or self.severity, message, start=start, end=end, page=page)

    def make_refusal(self, problem: str, cure: str) -> UnreadableFile:
        """The error that says that a file, or a page, cannot be read because of it."""
        return UnreadableFile(problem, cure, self.code, self.name)


def _make_fault(severity: Severity, page: str) -> FaultKind:
    """The fault whose page begins with its code and its name."""
    code, name = page.partition(":")[0].split()
    return FaultKind(code, name, severity, page)


_error, _warning, _note = (partial(_make_fault, level) for level in (Severity.ERROR, Severity.WARNING, Severity.NOTE))


UNREADABLE_FILE = _error("""DOC001 unreadable-file: a file that no parser can read.

What: it is of no format that is read here, it is damaged, or its parser failed on it.
Why it hurts retrieval: nothing of it can be found, and nobody who asks learns that it exists.
Example: a PNG picture, or a PDF whose cross-reference table is broken.
Cure: save it as PDF, DOCX, Markdown or plain text, or download it again.
""")
EMPTY_FILE = _error("""DOC002 empty-file: a file without content.

What: no bytes, nothing but white space, or a format in which no text is left.
Why it hurts retrieval: it is in the list of documents and can answer nothing.
Example: a note that was created and never written.
Cure: write something into it, or remove it.
""")
ENCRYPTED_FILE = _error("""DOC003 encrypted-file: a file that opens only with a password.

What: a PDF or Office file that is encrypted, a book that is protected by who sells it (DRM), or the text of a mail.
Why it hurts retrieval: nothing of it can be read, so nothing of it can be found; of a mail its headers can.
Example: a bank statement that asks for a birthday.
Cure: save a copy without a password; get an edition of the book without protection.
""")
TRUNCATED_FILE = _error("""DOC004 truncated-file: a file whose end is missing.

What: the format says that more should follow.
Why it hurts retrieval: what is lost cannot be found, and what remains may end within a statement.
Example: a download that was interrupted.
Cure: copy or download it again.
""")
TOO_SLOW_FILE = _error("""DOC005 too-slow-file: a file, or a page, that took longer than the limit.

What: reading was stopped after parse.seconds, or parse.page_seconds for a page.
Why it hurts retrieval: nothing of the file, or of the page, can be found.
Example: a page that holds a map of a hundred thousand lines.
Cure: raise the limit, or split the file.
""")
TOO_LARGE_FILE = _error("""DOC006 too-large-file: a file that needs more memory than the limit.

What: it is larger than parse.max_file_megabytes, or reading it took more than parse.megabytes.
Why it hurts retrieval: nothing of it can be found.
Example: a 900 MB scan.
Cure: raise the limit, or split the file.
""")
ABSTRACT_ONLY = _error("""DOC007 abstract-only: a paper without its full text.

What: the publisher gives the abstract alone, or not even that.
Why it hurts retrieval: questions about methods and results find a summary that does not answer them.
Example: a JATS file whose body is missing.
Cure: get the full text.
""")
BAD_FRONT_MATTER = _warning("""DOC008 bad-front-matter: the front matter of a note is no valid YAML.

What: the lines between the `---` at the head of the note cannot be read as properties.
Why it hurts retrieval: the note's date, tags and aliases are lost, so filters pass it by; the lines are read as text.
Example: `title: Budget: draft` without quotes around the value.
Cure: quote values that hold a colon, and indent with spaces; `kalends check --fix` mends the common cases.
""")
PAGE_WITHOUT_TEXT = _error("""DOC009 page-without-text: a page, or a whole file, that is a picture.

What: there is no text layer and nothing is installed that reads pictures.
Why it hurts retrieval: what the page says cannot be found.
Example: a scanned contract.
Cure: pip install 'kalends[ocr]', or save the file with a text layer.
""")
KILLED_PARSER = _error("""DOC010 killed-parser: a file that ended the process that read it.

What: the parser crashed; other files were read on by another process.
Why it hurts retrieval: nothing of the file, or of the page, can be found.
Example: a PDF made to break readers.
Cure: save it again from its program.
""")
LOST_PAGE = _warning("""DOC012 lost-page: a page that could not be read, in a file that could.

What: the page is damaged, too slow or too large.
Why it hurts retrieval: what it says cannot be found, and the text around it seems to continue.
Example: page 7 of 12 with a broken content stream.
Cure: save the file again from its program.
""")
LOST_PART = _warning("""DOC026 lost-part: an attachment, message, chapter or part of a page that could not be read.

What: it is damaged, encrypted, of a format that is not read here, or missing; or it was read, but has a wrong checksum.
Why it hurts retrieval: what it says cannot be found, and the rest of the file seems to be all there is.
Example: a mail with an old Word file, or a book whose archive lacks a chapter that its contents name.
Cure: save it as a file of its own in a format that is read; export or download the whole again.
""")
READ_BY_OCR = _note("""DOC013 read-by-ocr: a page without a text layer, whose picture was read.

What: the words were recognised by a model.
Why it hurts retrieval: misread names and figures do not match what is asked for.
Example: `l,234` for 1,234.
Cure: compare figures with the page before quoting them; use a file with a text layer if there is one.
""")
GARBLED_TEXT = _warning("""DOC014 garbled-text: a page whose fonts do not say which characters they show.

What: many glyphs map to no character (ISO 32000-1, 9.10.2).
Why it hurts retrieval: the words on the page are not the words in the index.
Example: `(cid:12)(cid:45)(cid:9)`
Cure: save the file again with embedded Unicode maps, or print it to a picture and read that.
""")
DISPUTED_DATE = _warning("""DOC015 disputed-date: a date that other evidence contradicts.

What: the date taken for the document and another trustworthy one differ by more than two years.
Why it hurts retrieval: questions about a period pass the document by, or find it among those of another time.
Example: a report named 2021 whose properties say 2024.
Cure: put the right date into the front matter, the properties or the name.
""")
FAILED_STAGE = _error("""DOC022 failed-stage: a document on which a stage of Kalends failed.

What: an error of the program, or a document that needs more memory or time than there is; others are processed.
Why it hurts retrieval: the last good version answers, or nothing of the document can be found.
Example: a table that no rule of the program expected.
Cure: report it with the line that names stage and error; `KALENDS_DEBUG=1` shows where. A new version of Kalends tries
the document again, and so does the next run after the file was touched.
""")
HIDDEN_CONTENT = _note("""DOC023 hidden-content: sheets, rows, columns or slides that somebody hid.

What: hidden parts of a workbook are left out, as Excel shows nothing of them; hidden slides are read, as PowerPoint
shows them to whoever opens the file. What a filter or a collapsed group hides is read.
Why it hurts retrieval: what is left out cannot be found, and what is hidden may be out of date.
Example: a sheet of assumptions that is hidden before a model is sent.
Cure: show what should be found, delete what should not.
""")
CELL_ERRORS = _warning("""DOC024 cell-errors: cells of a workbook that show an error.

What: a formula refers to cells that are gone, divides by zero, or looks up what is not there.
Why it hurts retrieval: the figure that is asked for is missing, and sums over it are errors too.
Example: `#REF!` in the total of a forecast.
Cure: correct the formulas and save the workbook again.
""")
UNCALCULATED_CELLS = _warning("""DOC025 uncalculated-cells: formulas of a workbook whose values were never saved.

What: a program wrote the formulas and left it to Excel to calculate them.
Why it hurts retrieval: only Excel knows the figures; the cells are empty here.
Example: a report that a script exports every night.
Cure: open it in Excel and save it, or let the program write values.
""")
UNREADABLE_TAGS = _warning("""DOC031 unreadable-tags: tags of inline XBRL that say something which cannot be read.

What: tags name a context, unit or continuation that is not in the file, a format that no transformation registry has,
or a figure that is none. The facts are stored with what is known of them, the page's text as it is shown.
Why it hurts retrieval: such facts have no value or no period of the filer's own, so the printed table answers alone.
Example: `contextRef="c-12"` where the header has no context `c-12`.
Cure: correct the tags and file again; validators such as Arelle name each place.
""")
MISNAMED_FILE = _warning("""DOC032 misnamed-file: a file whose name says another format than its content is of.

What: the name ends as that of a PDF, an Office file or a book does, and the content is text, a page, or another of
them. It is read as what it is.
Why it hurts retrieval: most often the right file was never saved: a portal gave an error page or a preview.
Example: `report.docx` that holds two lines of plain text.
Cure: rename it, or save the right file.
""")


MAX_MESSAGE_LENGTH = 200  # The most characters of an exception's message, which is shown in one line.
MACHINE_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EPERM}
)
"""System errors that concern the machine and not a document."""


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Why a stage has no output for a document. A `passing` problem (a locked file) is tried again by the next run.

    `reason` is one line without stage and document; `code` and `name` are those of its finding.
    """

    stage: str
    code: str
    name: str
    reason: str
    passing: bool = False

    @property
    def is_internal(self) -> bool:
        """Whether the program failed, rather than finding that the file cannot be read."""
        return self.code == FAILED_STAGE.code

    @property
    def message(self) -> str:
        """The reason, with the stage if the program failed."""
        if not self.is_internal:
            return self.reason
        return f"internal error in stage {self.stage}: {self.reason}{_REPORT_REQUEST}"

    @property
    def finding(self) -> Finding:
        """The finding that reports it."""
        return Finding(self.code, self.name, Severity.ERROR, self.message)


_REPORT_REQUEST = "; please report it"


def split_problem_and_cure(reason: str) -> tuple[str, str]:
    """The problem and what to do about it, from the line that a run stores for a file that it could not read.

    A cure has no colon (a test checks all of them), so the last colon of the line precedes it.
    """
    if reason.endswith(_REPORT_REQUEST):
        return reason.removesuffix(_REPORT_REQUEST), _REPORT_REQUEST.removeprefix("; ")
    problem, _, cure = reason.rpartition(": ")
    return (problem, cure) if problem else (reason, "")


def to_problem(stage: str, error: Exception) -> DocumentProblem:
    """The problem of the current document after an exception in a stage.

    Raises the exception again if no document can have caused it. With `KALENDS_DEBUG` the traceback is printed.
    """
    if isinstance(error, UnreadableFile):
        return DocumentProblem(stage, error.code, error.name, str(error), error.transient)
    if isinstance(error, KalendsError | ImportError) or (isinstance(error, OSError) and error.errno in MACHINE_ERRORS):
        raise error
    if os.environ.get("KALENDS_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    return make_failure(stage, _describe_error(error))


def make_failure(stage: str, reason: str) -> DocumentProblem:
    """The problem of a document on which a stage failed."""
    return DocumentProblem(stage, FAILED_STAGE.code, FAILED_STAGE.name, reason)


@contextmanager
def isolate_document(stage: str, document: str) -> Iterator[None]:
    """Turn any failure inside, while a single document is processed, into a `StageError` with stage and document.

    Raises as `to_problem` does.
    """
    try:
        yield
    except (StageError, UnreadableFile):
        raise
    except Exception as error:
        to_problem(stage, error)
        raise StageError(stage, document, _describe_error(error)) from error


def _describe_error(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    message = " ".join(str(error).split())[:MAX_MESSAGE_LENGTH].encode(errors="replace").decode()
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
