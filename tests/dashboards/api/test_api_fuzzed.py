"""The live API against its own description: thousands of requests, fitting and not, none of which may surprise it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dashboards.api.middleware import AccessRules
from flows.locks import write_lock
from tests.building import build_warehouse
from tests.dashboards.api.serving import served
from warehouse.settings.loader import load_settings
from warehouse.store.layout import Layout

SAMPLES = Path(__file__).parents[3] / "samples"
TOKEN = "t0ken"
EXAMPLES = 150
CONFIG = """
[checks]
# Words that fit the schema may still name no time, document or session, and bytes be no document.
positive_data_acceptance.expected-statuses = ["2xx", "400", "403", "404", "409", "415"]
# A session is not a resource that a question for another document must find.
ensure_resource_availability.enabled = false
"""


@pytest.mark.slow
def test_every_answer_is_as_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # No run ends here.
    monkeypatch.setattr("dashboards.api.operations.MAX_WAIT_SECONDS", 0.1)
    warehouse = tmp_path / "warehouse"
    build_warehouse(warehouse, SAMPLES)
    settings = load_settings({"warehouse": warehouse, "embed": {"model": "hashing"}})
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    # The warehouse is held, so that no request starts an ingest.
    with served(settings, AccessRules(token=TOKEN)) as url, write_lock(Layout(warehouse)):
        known = ["--header", f"Authorization: Bearer {TOKEN}"]
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", f"{url}/openapi.json"]
        options = [*known, "--max-examples", str(EXAMPLES), "--seed", "7", "--no-color", "--request-timeout", "60"]
        done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
