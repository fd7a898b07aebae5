"""The flow `quality-report`: what the check finds in the warehouse, as files and as an artifact."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from prefect import State, flow
from prefect.runtime import flow_run
from prefect.states import Completed

from flows.checked_files import cache_folder
from flows.checked_warehouse import check_warehouse
from flows.checking import CheckOptions
from flows.crashed import alive
from flows.serving.artifacts import keep
from flows.serving.findings import checked_markdown
from tasks.check.cache import Cache, default_folder
from tasks.check.configuration import Configuration, Rules
from tasks.check.forms.contract import FORMS
from tasks.quality.wording import counted
from warehouse.settings.loader import Settings, load
from warehouse.store.layout import Layout

FILES = {"sarif": "quality.sarif", "html": "quality.html"}


@flow(name="quality-report", validate_parameters=False)
def quality_report(folder: str = "", settings: Settings | None = None) -> State[None]:
    """Check what the warehouse holds and write the findings into a folder, `reports` in the warehouse if none is named.

    Raises `NoWarehouse` where nothing is published yet.
    """
    chosen = settings or load()
    layout = Layout(chosen.warehouse)
    with alive(layout, str(flow_run.id)):
        how = CheckOptions(Configuration(Rules(Path.cwd(), chosen.check)), datetime.now(UTC).date())
        report = check_warehouse(chosen, Cache(cache_folder(default_folder())), how).report
        place = Path(folder) if folder else layout.reports
        place.mkdir(parents=True, exist_ok=True)
        files = [place / name for name in FILES.values()]
        for form, file in zip(FILES, files, strict=True):
            file.write_text("".join(f"{line}\n" for line in FORMS[form](report)), encoding="utf-8")
        keep("quality-report", lambda: checked_markdown(report, files), "What the check finds in the warehouse")
        found = counted(report.by_severity.total(), "finding")
        return Completed(message=f"{found} in {counted(len(report.files), 'document')}; {files[-1]}")
