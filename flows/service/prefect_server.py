"""The program of the local Prefect server: Prefect's own command line, with SQLite transactions that wait their turn.

Prefect begins a transaction as a reader. One that reads before it writes, such as the creation of a flow run, is
refused by SQLite at once where another transaction wrote meanwhile: the server answers 503, and the client tries again
after 2, 4, 8, 16 and 32 seconds, then fails. With three processes that ingest on one server, 5 to 8 requests in 25 s
were refused, and one run waited for 30 s. Begun as a writer, a transaction waits until the other one has ended: none
was refused.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from prefect.cli import app
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import set_database_config
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction


class WaitingSqliteConfiguration(AioSqliteConfiguration):
    """A configuration for SQLite whose transactions all begin as writers."""

    @asynccontextmanager
    async def begin_transaction(
        self,
        session: AsyncSession,
        with_for_update: bool = False,  # noqa: FBT001, FBT002 -- Prefect's signature
    ) -> AsyncGenerator[AsyncSessionTransaction, None]:
        """Begin a writing transaction; `with_for_update` is ignored."""
        async with super().begin_transaction(session, with_for_update=True) as transaction:
            yield transaction


def main() -> None:
    """Run the command line of Prefect. A database that the user names and that is not SQLite is left as it is."""
    url = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if url and url.startswith("sqlite"):
        set_database_config(WaitingSqliteConfiguration(connection_url=url))
    app()


if __name__ == "__main__":
    main()
