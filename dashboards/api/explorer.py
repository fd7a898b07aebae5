"""Pages of the HTTP API: `/` says what the server is, `/docs` describes the endpoints and tries requests.

Both are files of this program, without anything from other servers and without anything of the warehouse, so that a
browser gets them without a token; the page asks for the token that requests need.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles

import dashboards
from dashboards.api.middleware import PAGES
from dashboards.serializers.problems import DocumentedModel

FOLDER = Path(dashboards.__file__).parent / "explorer"
_MARK = Path(dashboards.__file__).parent / "html" / "mark.svg"
_POLICY = (
    # Swagger UI sets styles on elements and has pictures in its style sheet; scripts are files of this server alone.
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer"}
"""Headers of a page, which may run the scripts of this server alone and stand in no other page."""
router = APIRouter()


class ApiSummary(DocumentedModel):
    """The server, and the addresses at which it is described."""

    name: str = "Kalends"
    description: str = "Answers, passages and documents of one Kalends warehouse."
    docs: str = PAGES
    """The page that describes the endpoints and tries requests, for a browser."""
    openapi: str = "/openapi.json"
    health: str = "/api/health"


@router.get(
    "/",
    tags=["health"],
    response_model=ApiSummary,
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
)
def summary(request: Request) -> Response:
    """Return what this server is and where it is described; a page if the client accepts HTML. Needs no token."""
    vary = {"Vary": "Accept"}
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse(ApiSummary().model_dump(), headers=vary)
    # The examples name the address at which the server was reached.
    page = (FOLDER / "start.html").read_text(encoding="utf-8").replace("localhost:8000", escape(request.url.netloc))
    return HTMLResponse(page, headers={**_HEADERS, **vary})


@router.get(PAGES, include_in_schema=False)
def docs() -> Response:
    """Return the page that describes the endpoints."""
    return FileResponse(FOLDER / "docs.html", headers=_HEADERS)


@router.get(f"{PAGES}/", include_in_schema=False)
def docs_folder() -> Response:
    """Lead to the page, which names its files from the folder above."""
    return RedirectResponse(f"..{PAGES}")


@router.get(f"{PAGES}/mark.svg", include_in_schema=False)
def mark() -> Response:
    """Return the picture of a browser's tab."""
    return FileResponse(_MARK)


def mount_files(app: FastAPI) -> None:
    """Serve the scripts and styles of the pages."""
    app.mount(PAGES, StaticFiles(directory=FOLDER), name="explorer")
