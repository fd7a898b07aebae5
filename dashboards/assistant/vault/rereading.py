"""Making the warehouse know of a changed note at once, and of that note only."""

from __future__ import annotations

from time import monotonic, sleep

from dashboards.assistant.vault.notes import Vault
from flows.launching import run_ingest
from warehouse.errors import Busy, KalendsError
from warehouse.settings.loader import Settings

PATIENCE = 20.0
"""Seconds to wait for another ingest to end."""


def reread(settings: Settings, vault: Vault, source: str) -> str:
    """Ingest the note `source`, or forget it where it is gone; returns a line on whether searches know of it now.

    The note stands written whatever becomes of this, so a failure is a line too.
    """
    started = monotonic()
    while True:
        try:
            report = run_ingest(settings, [vault.root / source], lambda line: None)
        except Busy as error:
            if monotonic() - started < PATIENCE:
                sleep(0.2)
                continue
            return f"Searches do not know it yet: {error}."
        except KalendsError as error:
            return f"Searches do not know it yet: {error}."
        if report.unreadable:
            return f"Searches do not know it: {'; '.join(report.unreadable.values())}."
        verb = "know it" if (vault.root / source).exists() else "have forgotten it"
        return f"Searches {verb} ({monotonic() - started:.1f} s)."
