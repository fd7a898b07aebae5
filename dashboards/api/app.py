"""The HTTP application, with every endpoint behind one access check, its pages, and the server that runs it.

The page `/` says what the server is; `/docs` describes the endpoints and tries requests. Both are files of this
program, without anything from other servers and without anything of the warehouse, so that a browser gets them without
a token; the page asks for the token that requests need.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from html import escape
from importlib.metadata import version
from pathlib import Path

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Request, Security
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from fastapi.staticfiles import StaticFiles

import dashboards
from dashboards.api import documents, operations, problems, query, temporal_expressions, uploads
from dashboards.api.middleware import LOCAL, PAGES, AccessGuard, AccessRules, RequestLog
from dashboards.api.runtime import ApiService
from dashboards.http_server import TOKEN, format_url_host, open_listening_socket, serve_app
from dashboards.serializers.problems import DocumentedModel
from tasks.embedders.embedder import open_embedder
from tasks.rerankers.reranker import open_chosen_reranker
from warehouse.settings.addresses import is_local
from warehouse.settings.loader import Settings

ABOUT = """\
Answers, passages and documents of one Kalends warehouse. Errors are problem details (RFC 9457) that say what to do. \
If the server accepts requests from other machines, or KALENDS_TOKEN is set, each request must have the header \
`Authorization: Bearer TOKEN`.

An uploaded document can be searched once its run has finished:

```console
$ curl -F 'files=@report.pdf' localhost:8000/api/documents     # 202 {"run": {"id": "20261125T224847696914", …
$ curl 'localhost:8000/api/runs/20261125T224847696914?wait=60' # {"state": "finished", …
$ curl localhost:8000/api/search -H 'content-type: application/json' -d '{"query": "total revenue"}'
```
"""
_EXPLORER = Path(dashboards.__file__).parent / "explorer"
_MARK = Path(dashboards.__file__).parent / "html" / "mark.svg"
_POLICY = (
    # Swagger UI sets styles on elements and has pictures in its style sheet; scripts are files of this server alone.
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer"}
"""Headers of a page, which may run only scripts of this server and may not be framed by another page."""
pages = APIRouter()


class ApiSummary(DocumentedModel):
    """The server, and the addresses at which it is described."""

    name: str = "Kalends"
    description: str = "Answers, passages and documents of one Kalends warehouse."
    docs: str = PAGES
    """The page that describes the endpoints and tries requests, for a browser."""
    openapi: str = "/openapi.json"
    health: str = "/api/health"


@pages.get(
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
    page = (_EXPLORER / "start.html").read_text(encoding="utf-8").replace("localhost:8000", escape(request.url.netloc))
    return HTMLResponse(page, headers={**_HEADERS, **vary})


@pages.get(PAGES, include_in_schema=False)
def docs() -> Response:
    """Return the page that describes the endpoints."""
    return FileResponse(_EXPLORER / "docs.html", headers=_HEADERS)


@pages.get(f"{PAGES}/", include_in_schema=False)
def docs_folder() -> Response:
    """Lead to the page, which names its files from the folder above."""
    return RedirectResponse(f"..{PAGES}")


@pages.get(f"{PAGES}/mark.svg", include_in_schema=False)
def mark() -> Response:
    """Return the picture of a browser's tab."""
    return FileResponse(_MARK)


def build_app(settings: Settings, rules: AccessRules | None = None) -> FastAPI:
    """The API over the warehouse of the settings; without `rules`, only this machine's own programs are served."""
    service = ApiService(settings)

    @asynccontextmanager
    async def manage_lifespan(app: FastAPI) -> AsyncIterator[None]:
        await to_thread.run_sync(service.load_models)
        await to_thread.run_sync(service.ingests.resume, settings)
        yield
        await to_thread.run_sync(service.ingests.close)

    app = FastAPI(
        title="Kalends",
        version=version("kalends"),
        description=ABOUT,
        lifespan=manage_lifespan,
        # Their pages load scripts from elsewhere; ours are in `explorer`.
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        responses=problems.describe_error_responses(401, 403, 421, 500),
    )
    app.state.service = service
    routers = [*(part.router for part in (query, documents, uploads, operations, temporal_expressions)), pages]
    # The guard asks for the token; this only says so in the description.
    token = Security(HTTPBearer(auto_error=False, description="KALENDS_TOKEN"))
    for router in routers:
        app.include_router(router, dependencies=[] if router is pages else [token])
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    for route in routes:
        # The first sentence says more than the name that the framework takes.
        route.summary = route.description.partition(".")[0]
    app.mount(PAGES, StaticFiles(directory=_EXPLORER), name="explorer")
    problems.install_error_handlers(app, routes)
    access = rules or AccessRules()
    if access.origins:
        headers = ["Authorization", "Content-Type"]
        app.add_middleware(
            CORSMiddleware,
            allow_origins=[*access.origins],
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=headers,
            expose_headers=["Location"],
        )
    app.add_middleware(AccessGuard, rules=access)
    app.add_middleware(RequestLog)
    return app


def serve_api(settings: Settings, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises `BadInput` for an address that cannot be listened on.

    `announce` is called with the address of the API, `warn` with the token if one is generated.
    """
    question_embedder = open_embedder(settings.embed.model, settings.embed.device)
    open_chosen_reranker(settings.rerank.model, question_embedder, settings.rerank.device)
    options = settings.serve
    listening = open_listening_socket(options.host, options.port)
    port = listening.getsockname()[1]
    token, size = os.environ.get(TOKEN, ""), options.kilobytes << 10
    if is_local(options.host):
        rules = AccessRules({*LOCAL, *options.hosts}, options.origins, token, size)
    else:
        if not token:
            token = secrets.token_urlsafe(32)
            warn(f"token for this run (set {TOKEN} to choose one): {token}")
        names = {options.host, socket.gethostname(), *options.hosts} - LOCAL
        rules = AccessRules({name.lower() for name in names}, options.origins, token, size)
    app = build_app(settings, rules)
    announce(f"API: http://{format_url_host(options.host)}:{port} (described at /docs; Ctrl-C stops it)")
    serve_app(app, listening)
