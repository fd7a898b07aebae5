"""The application: every endpoint behind one guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from anyio import to_thread
from fastapi import FastAPI, Security
from fastapi.middleware.cors import CORSMiddleware
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer

from dashboards.api import documents, health, problems, query, reindex, search
from dashboards.api.guarding import Guard, Rules
from dashboards.api.noting import Noting
from dashboards.api.service import Service
from warehouse.settings.loader import Settings

ABOUT = (
    "Answers, passages and documents of one Kalends warehouse. Everything that goes wrong is a problem detail "
    "(RFC 9457) with a cure. Where the server listens to more than its own machine, or KALENDS_TOKEN is set, each "
    "request carries `Authorization: Bearer TOKEN`."
)


def application(settings: Settings, rules: Rules | None = None) -> FastAPI:
    """The API over the warehouse of the settings; `rules` say who may ask, this machine's own programs if not given."""
    service = Service(settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await to_thread.run_sync(service.warm)
        yield
        await to_thread.run_sync(service.ingests.close)

    app = FastAPI(
        title="Kalends",
        version=version("kalends"),
        description=ABOUT,
        lifespan=life,
        # Their pages would load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_name_of,
        # The guard asks for it; this only says so in the description.
        dependencies=[Security(HTTPBearer(auto_error=False, description="KALENDS_TOKEN"))],
        responses=problems.documented(401, 403, 421, 500),
    )
    app.state.service = service
    for part in (query, search, documents, reindex, health):
        app.include_router(part.router)
    problems.install(app)
    chosen = rules or Rules()
    if chosen.origins:
        headers = ["Authorization", "Content-Type"]
        app.add_middleware(
            CORSMiddleware, allow_origins=[*chosen.origins], allow_methods=["GET", "POST"], allow_headers=headers
        )
    app.add_middleware(Guard, rules=chosen)
    app.add_middleware(Noting)
    return app


def _name_of(route: APIRoute) -> str:
    return route.name
