"""Reading of files: from bytes to a `Document` by the file's parser, with every failure as one named error.

Light formats are read in this process, heavy ones in several others, so that a bad file ends only those.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import TYPE_CHECKING, Any

from tasks import faults
from tasks.parsers import refusals
from tasks.parsers.decoder import decode_head
from tasks.parsers.office.compound_file import decrypt
from tasks.parsers.parser_contract import Parser, Raw, ReadResult, Signature, UnsignedParser, refuse_failures
from tasks.parsers.pdf import get_ocr_version
from tasks.stage_meter import record_progress
from warehouse.errors import UnreadableFile
from warehouse.records import Document
from warehouse.registry import Family
from warehouse.regular_files import require_regular_file

if TYPE_CHECKING:
    from tasks.parsers.parser_pool import ParserPool
    from warehouse.settings.models import ParseSettings

PARSERS = Family[Parser]("tasks.parsers", "parser")
_GENERIC_SUFFIXES = frozenset(["", ".txt", ".text", ".log"])  # Suffixes of text in any format.
_MAGIC_BYTES = 1024
_ENCRYPTED_PARSER = "workbooks"  # Most encrypted documents whose password is known are workbooks.
_HEAVY_BYTES = 2**18
_POLL_SECONDS = 0.2


@cache
def list_versions() -> Mapping[str, int]:
    """The version of each parser by name, and of the OCR of pictures, for fingerprints; constant within a process."""
    return {**{name: PARSERS[name].version for name in PARSERS}, "ocr": get_ocr_version()}


def choose_parser(raw: Raw) -> str:
    """The name of the parser for a file: by its signature, else its suffix, else its content.

    1. A signature: the bytes of a PDF, an Office file, a book or a mailbox within the first kilobyte; else, in the
       text, a web page's doctype, the root of an XML vocabulary, a subtitle's cue, a course's title, the headers of a
       mail. If there are several, the first in the text counts.
    2. The suffix, unless it is one of any text, or the content cannot be of its format.
    3. The most likely format of the text.

    Raises `UnreadableFile` where no parser reads it.
    """
    if not raw.data.strip():
        raise refusals.unknown(raw.data)
    start, text = raw.data[:_MAGIC_BYTES], decode_head(raw.data)
    signed_name = _find_signed(raw, lambda signature: signature.magic and signature.magic.search(start))
    signed_name = signed_name or _find_signed(raw, lambda signature: signature.text and signature.text.search(text))
    if signed_name:
        return signed_name
    if refusals.is_encrypted_package(raw.data):
        return _ENCRYPTED_PARSER
    if refusals.is_foreign(raw.data):
        raise refusals.unknown(raw.data)
    unsigned = _list_unsigned_parsers()
    if raw.suffix not in _GENERIC_SUFFIXES:
        for name, parser in unsigned.items():
            if raw.suffix in parser.suffixes and parser.measure_confidence(raw):
                return name
    confidence, name = max((parser.measure_confidence(raw), name) for name, parser in unsigned.items())
    if not confidence:
        raise refusals.unknown(raw.data)
    return name


@cache
def _list_unsigned_parsers() -> dict[str, UnsignedParser]:
    """The parsers without a signature; cached, since the check goes through the members of each."""
    return {name: parser for name, parser in PARSERS.items() if isinstance(parser, UnsignedParser)}


def _find_signed(raw: Raw, find: Callable[[Signature], re.Match[Any] | None]) -> str:
    """The parser whose signature comes first in a file, or nothing."""
    matches = [
        (match.start(), name)
        for name, parser in PARSERS.items()
        if parser.signature and (match := find(parser.signature)) and parser.signature.confirms(raw)
    ]
    return min(matches, default=(0, ""))[1]


def is_misnamed(name: str, raw: Raw) -> bool:
    """Whether a file has the suffix of a format with a signature, and the parser of another format reads it.

    The format of an encrypted file is unknown until it is opened.
    """
    is_other = raw.suffix in _list_binary_suffixes() and raw.suffix not in PARSERS[name].suffixes
    return is_other and not refusals.is_encrypted_package(raw.data)


@cache
def _list_binary_suffixes() -> frozenset[str]:
    """The suffixes of formats that are recognized by their first bytes."""
    signed = (parser for parser in PARSERS.values() if parser.signature and parser.signature.magic)
    return frozenset(suffix for parser in signed for suffix in parser.suffixes)


def with_name_finding(document: Document, raw: Raw) -> Document:
    """The document of a misnamed file, with the finding on its name."""
    finding = refusals.report_misnamed(raw.suffix, document.media_type)
    return replace(document, findings=(*document.findings, finding))


def read(raw: Raw) -> Document:
    """The document in a file's bytes. Raises `UnreadableFile`, and nothing else, for any bytes."""
    name = choose_parser(raw)
    document = parse_as(name, raw)
    return with_name_finding(document, raw) if is_misnamed(name, raw) else document


def parse_as(name: str, raw: Raw) -> Document:
    """The document as the parser of that name reads it. Raises `UnreadableFile`, and nothing else.

    A file that is encrypted with the default password of Office is read as its decrypted content.
    """
    with refuse_failures(name):
        try:
            return PARSERS[name].parse(raw)
        except UnreadableFile as problem:
            decrypted = decrypt(raw) if problem.name == faults.ENCRYPTED_FILE.name else None
            if decrypted is None:
                raise
            return PARSERS[choose_parser(decrypted)].parse(decrypted)


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read: its name (the suffix counts), where its bytes are and, where known, their SHA-256."""

    name: str
    path: Path
    sha256: str = ""


def read_files(jobs: Sequence[Job], limits: ParseSettings) -> Iterator[ReadResult]:
    """Reads the files and yields the result of each, by its index in `jobs`, as it is done.

    Heavy formats (PDF, Office, EPUB, mail) and whatever is over 256 KB are read in other processes, started when first
    needed and ended with this call. Several files are read concurrently, and so are the pages of a long PDF and the
    messages of a mailbox. A page that exceeds its time or kills its process is lost; so is a file that exceeds its time
    or kills each process that opens it.
    """
    pool: ParserPool | None = None
    misnamed: dict[int, Raw] = {}
    finished_count = 0

    def report_progress(results: Iterable[ReadResult]) -> Iterator[ReadResult]:
        """Yields the results and reports the progress."""
        nonlocal finished_count
        for result in results:
            finished_count += 1
            raw, outcome = misnamed.pop(result.place, None), result.found
            new_outcome = with_name_finding(outcome, raw) if raw and isinstance(outcome, Document) else outcome
            yield result._replace(found=new_outcome)
        open_files = pool.open_files if pool else ()
        if pool and open_files:
            share = (finished_count + sum(file.share for file in open_files)) / len(jobs)
            record_progress(share, open_files[0].name, pool.pages_read)

    try:
        for place, job in enumerate(jobs):
            start_time = monotonic()
            try:
                raw = load_raw(job, limits.megabytes)
                parser = choose_parser(raw)
                if is_misnamed(parser, raw):
                    misnamed[place] = Raw(raw.name, b"")
                if PARSERS[parser].heavy or len(raw.data) > _HEAVY_BYTES:
                    from tasks.parsers.parser_pool import HeavyFile, ParserPool

                    pool = pool or ParserPool(limits.processes or os.cpu_count() or 1, limits)
                    while pool.is_full:
                        yield from report_progress(pool.collect(_POLL_SECONDS))
                    pool.add(HeavyFile(place, parser, raw))
                else:
                    record_progress(finished_count / len(jobs), job.name)
                    yield from report_progress([ReadResult(place, parse_as(parser, raw), monotonic() - start_time)])
            except UnreadableFile as problem:
                yield from report_progress([ReadResult(place, problem, monotonic() - start_time)])
            if pool:
                yield from report_progress(pool.collect(0))
        while pool and pool.is_busy:
            yield from report_progress(pool.collect(_POLL_SECONDS))
    finally:
        if pool:
            pool.close()


def load_raw(job: Job, megabytes: int) -> Raw:
    """A file's bytes.

    Raises `UnreadableFile` if the file is larger than the limit and, as a transient error, if it is gone, not readable
    or has another checksum than expected: half-written files change while they are read.
    """
    try:
        if require_regular_file(job.path).stat().st_size > megabytes * 2**20:
            raise refusals.too_large(f"{megabytes} MB")
        raw = Raw(PurePosixPath(job.name).name, job.path.read_bytes())
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise UnreadableFile(
            f"it cannot be opened ({why})", "check its path and permissions", transient=True
        ) from error
    if job.sha256 and sha256(raw.data).hexdigest() != job.sha256:
        raise UnreadableFile("it changed while it was read", "run again when it is written", transient=True)
    return raw
