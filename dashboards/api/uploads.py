"""Endpoints that add documents and remove them: `POST /api/documents` and `DELETE /api/documents/{document}`.

The files of an upload are written to the inbox while they are received, so that memory holds a piece at a time. They
are stored once each of them was checked, all or none.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Annotated, Any
from unicodedata import normalize

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Request, Response
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from dashboards.api.documents import DocumentName
from dashboards.api.problems import RequestRefused, describe_error_responses
from dashboards.api.runtime import ApiService, Shared
from dashboards.background.inbox import (
    InboxFiles,
    StagedUpload,
    StorageOutcome,
    Upload,
    delete_upload,
    make_safe_file_name,
    stage_upload,
)
from dashboards.background.runs import IngestRun
from dashboards.serializers.problems import DocumentedModel, Fault, NotFound, make_http_problem, to_problem
from warehouse.errors import BadInput, UnreadableFile

router = APIRouter(tags=["documents"])
# Its warnings go to the client instead of standard error.
logging.getLogger("python_multipart").setLevel(logging.ERROR)
FIELD = "files"  # The name of the form's field that has the files.
MAX_FILES = 100  # Files of an upload; each is a temporary file until all are received.
_EXAMPLE = f"curl -F '{FIELD}=@report.pdf' http://127.0.0.1:8000/api/documents"
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": [FIELD],
                    "additionalProperties": False,
                    "properties": {
                        FIELD: {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "minItems": 1,
                            "maxItems": MAX_FILES,
                            "description": f"The files, with their names. For example: {_EXAMPLE}",
                        }
                    },
                }
            }
        },
    }
}


class UploadedDocument(DocumentedModel):
    """An uploaded file."""

    name: str
    """The name that the file was sent with."""
    source: str
    """The source of its document, for `GET /api/documents/{document}` once the run has finished."""
    outcome: StorageOutcome
    in_library: bool
    """Whether the library has the file with this content already, so that no run needs to read it."""
    size: int
    """Size of the file in bytes."""
    sha256: str


class UploadReceipt(DocumentedModel):
    """The files of an upload, and the run that reads them."""

    run: IngestRun | None
    """The run that reads the files; null if the library has them all."""
    documents: list[UploadedDocument]


@router.post(
    "/api/documents",
    status_code=202,
    responses={
        200: {"model": UploadReceipt, "description": "The library has all of the files already."},
        **describe_error_responses(400, 413, 415, 422, 507),
    },
    openapi_extra=_BODY,
)
async def upload(
    request: Request,
    service: Shared,
    response: Response,
    *,
    replace: Annotated[
        bool, Query(description="Replace an earlier file of the same name. Otherwise the new one gets a number.")
    ] = False,
) -> UploadReceipt:
    """Add documents: store files in the inbox, and read them in the background, after a run that is in progress.

    Either all of the files are accepted or none. `Location` is the address of the run, which tells when the documents
    can be searched. The same files sent again are not stored again.
    """
    with ExitStack() as stack:
        inbox = await to_thread.run_sync(service.open_inbox)
        form = UploadForm(request.headers.get("content-type", ""), inbox, stack)
        try:
            async for piece in request.stream():
                await to_thread.run_sync(form.write, piece)
        except ClientDisconnect:
            form.end()
        form.end()
        uploads = await to_thread.run_sync(partial(_store, form.files, inbox, replace=replace))
        run = await to_thread.run_sync(partial(_start_run, service, uploads))
    response.status_code = 202 if run else 200
    if run:
        response.headers["Location"] = f"/api/runs/{run.id}"
    documents = []
    for staged_file, upload in zip(form.files, uploads, strict=True):
        facts = {name: getattr(upload, name) for name in ("source", "outcome", "size", "sha256")}
        documents.append(UploadedDocument(name=staged_file.name, in_library=upload.is_known, **facts))
    return UploadReceipt(run=run, documents=documents)


class UploadForm:
    """A form that is received piece by piece (multipart/form-data, RFC 7578); its files are staged in the inbox."""

    def __init__(self, content_type: str, inbox: InboxFiles, stack: ExitStack) -> None:
        """`stack` keeps the staged files open. Raises `RequestRefused` for a body of another type."""
        media_type, options = parse_options_header(content_type)
        if media_type != b"multipart/form-data":
            problem = f"the body is {media_type.decode('latin-1')!r}, not multipart/form-data"
            raise RequestRefused(make_http_problem(415, problem, f"send the files as a form does: {_EXAMPLE}"))
        if not options.get(b"boundary"):
            raise BadInput("the header content-type has no boundary", f"send the files as a form does: {_EXAMPLE}")
        self.files: list[StagedUpload] = []
        self._inbox, self._stack = inbox, stack
        self._names: set[str] = set()
        self._field, self._value = bytearray(), bytearray()
        self._disposition = b""
        self._is_complete = False
        with _convert_parser_errors():
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_header_field": self._add_field,
                    "on_header_value": self._add_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._begin_file,
                    "on_part_data": self._write_file,
                    "on_end": self._complete,
                },
            )

    def write(self, piece: bytes) -> None:
        """Read the next piece of the body. Raises `BadInput` for a malformed one and for files that are refused."""
        with _convert_parser_errors():
            self._parser.write(piece)

    def end(self) -> None:
        """Check that the body was complete and had files. Raises `BadInput`."""
        if not self._is_complete:
            raise BadInput("the body ends before its last boundary", "send it again")
        if not self.files:
            raise BadInput("the form has no files", f"send them in the field '{FIELD}': {_EXAMPLE}")

    def _add_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._field.lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._field.clear()
        self._value.clear()

    def _begin_file(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._disposition = b""
        field = options.get(b"name", b"").decode("utf-8", "replace")
        if field != FIELD or b"filename" not in options:
            what = "is no file" if field == FIELD else "is unknown"
            raise BadInput(f"the field {field[:100]!a} {what}", f"send files in the field '{FIELD}': {_EXAMPLE}")
        if len(self.files) == MAX_FILES:
            raise BadInput(f"the form has more than {MAX_FILES} files", "send them in several requests")
        name = parse_file_name(options[b"filename"])
        if name.casefold() in self._names:
            raise BadInput(f"two of the files are named {name!r}", "rename one of them, or send it in another request")
        self._names.add(name.casefold())
        staged_file = stage_upload(self._inbox.folder, name, self._inbox.most_megabytes)
        self.files.append(self._stack.enter_context(staged_file))

    def _write_file(self, data: bytes, start: int, end: int) -> None:
        self.files[-1].write(data[start:end])

    def _complete(self) -> None:
        self._is_complete = True


@contextmanager
def _convert_parser_errors() -> Iterator[None]:
    try:
        yield
    except FormParserError as error:
        raise BadInput(f"the body is no valid form ({error})", f"send the files as a form does: {_EXAMPLE}") from None


def parse_file_name(raw: bytes) -> str:
    """The name of a file in composed form (NFC). Raises `BadInput` for one that not every system can keep."""
    try:
        name = normalize("NFC", raw.decode())
    except UnicodeDecodeError:
        raise BadInput("the name of a file is not UTF-8", "send it in UTF-8") from None
    if name != make_safe_file_name(name):
        raise BadInput(f"{name[:200]!r} cannot name a file here", f"send it as {make_safe_file_name(name)!r}")
    return name


def _store(files: Sequence[StagedUpload], inbox: InboxFiles, *, replace: bool) -> list[Upload]:
    """Store the files if all of them can be read. Raises `RequestRefused` with the reason of each that cannot."""
    errors_by_name: dict[str, UnreadableFile] = {}
    for staged_file in files:
        try:
            inbox.check(staged_file)
        except UnreadableFile as error:
            errors_by_name[staged_file.name] = error
    if errors_by_name:
        name, first = next(iter(errors_by_name.items()))
        more = f" (and {len(errors_by_name) - 1} more of the files)" if len(errors_by_name) > 1 else ""
        faults = [Fault(place=f"{FIELD}.{name}", message=str(error)) for name, error in errors_by_name.items()]
        detail = f"{name!r} cannot be read: {first.problem}{more}"
        raise RequestRefused(to_problem(first).model_copy(update={"detail": detail, "errors": faults}))
    return [inbox.store(staged_file, replace=replace) for staged_file in files]


def _start_run(service: ApiService, uploads: Sequence[Upload]) -> IngestRun | None:
    """The run that reads those files that the library lacks; None if it has them all."""
    files = [upload.file for upload in uploads if not upload.is_known]
    if not files:
        return None
    active = {run.id: run for run in map(service.ingests.find_active_run, files) if run}
    if len(active) == 1 and all(str(file) in run.files for run in active.values() for file in files):
        return next(iter(active.values()))
    return service.ingests.enqueue(service.settings, files)


@router.delete(
    "/api/documents/{document:path}",
    status_code=202,
    response_model=IngestRun,
    responses={
        204: {"description": "The file is deleted; the library did not have it yet."},
        **describe_error_responses(403, 404, 422, 507),
    },
)
def remove(
    document: Annotated[DocumentName, Path(description="The id or the source of an uploaded document.")],
    service: Shared,
    response: Response,
) -> IngestRun | Response:
    """Delete an uploaded file; its document leaves the library with the run that is returned.

    Only uploaded files are deleted: Kalends changes nothing in the folders that it reads.
    """
    inbox = service.open_inbox()
    path = inbox.find_path(document)
    if path is None:
        if inbox.is_elsewhere(document):
            cure = "delete the file in its own folder, then POST /reindex/files"
            raise RequestRefused(make_http_problem(403, f"{document!r} was not uploaded", cure))
        raise NotFound(f"no uploaded file has the id or source {document!r}", "GET /api/documents lists the documents")
    file = delete_upload(inbox.folder, path)
    if not inbox.holds(path):
        return Response(status_code=204)
    run = service.ingests.enqueue(service.settings, [file])
    response.headers["Location"] = f"/api/runs/{run.id}"
    return run
