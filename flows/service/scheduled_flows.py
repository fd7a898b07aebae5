"""Flows that run on a schedule: `scan`, `quality-report` and `maintain` (`ingest` has its own module)."""

from __future__ import annotations

from pathlib import Path

from prefect import State, flow
from prefect.runtime import flow_run
from prefect.states import Completed

from flows.check import run_check
from flows.locks import mark_running
from flows.maintenance import MaintenanceReport, maintain_warehouse
from flows.planning import make_plan
from flows.progress import IngestReport
from flows.roots import Removal
from flows.service.artifacts import format_check, store_artifact
from tasks.check.report import FORMATS
from tasks.quality.phrases import format_count
from warehouse.settings.loader import Settings, load_settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout


@flow(name="scan", validate_parameters=False)
def scan(settings: Settings | None = None, patience: float = 0.0) -> IngestReport | State[None]:
    """Ingest the declared roots if anything in them changed. The check loads no model and waits for no lock.

    Raises `BadInput` where no root is declared and `WarehouseBusy` when another process writes for longer than
    `patience` seconds.
    """
    run_settings = settings or load_settings()
    layout = Layout(run_settings.warehouse)
    with mark_running(layout, str(flow_run.id)):
        generation = find_latest(layout)
        if generation and make_plan(run_settings, generation, (), (), Removal.NONE).idle:
            return Completed(message="Nothing changed.")
        from flows.ingest import ingest

        return ingest(settings=settings, removal=Removal.NONE, patience=patience)


FILES = {"sarif": "quality.sarif", "html": "quality.html"}


@flow(name="quality-report", validate_parameters=False)
def quality_report(folder: str = "", settings: Settings | None = None) -> State[None]:
    """Check the documents of the warehouse and write the findings into a folder, by default `reports` in the warehouse.

    Raises `NoWarehouse` where nothing is published yet.
    """
    run_settings = settings or load_settings()
    layout = Layout(run_settings.warehouse)
    with mark_running(layout, str(flow_run.id)):
        report = run_check(run_settings, None).report
        target = Path(folder) if folder else layout.reports
        target.mkdir(parents=True, exist_ok=True)
        files = [target / name for name in FILES.values()]
        for format_name, file in zip(FILES, files, strict=True):
            file.write_text("".join(f"{line}\n" for line in FORMATS[format_name](report)), encoding="utf-8")
        store_artifact("quality-report", lambda: format_check(report, files), "What the check finds in the warehouse")
        finding_count = format_count(report.by_severity.total(), "finding")
        return Completed(message=f"{finding_count} in {format_count(len(report.files), 'document')}; {files[-1]}")


@flow(name="maintain", validate_parameters=False)
def maintain(settings: Settings | None = None) -> MaintenanceReport:
    """Maintain the warehouse of the settings. Raises what `maintain_warehouse` raises."""
    return maintain_warehouse(settings or load_settings())
