"""Python and the packages that Kalends stands on, against the bounds that it was made for."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires, version

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok, warning

PACKAGE = "kalends"
FOR_DEVELOPERS = "dev"


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Python, each package that is missing or of another version, and the extras that are not installed."""
    python = platform.python_version()
    wanted = metadata(PACKAGE)["Requires-Python"]
    if python not in SpecifierSet(wanted):
        yield error(f"Python {python} runs, {PACKAGE} wants {wanted}", f"install {PACKAGE} with another Python")
    needed = [Requirement(line) for line in requires(PACKAGE) or ()]
    always = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    troubles = [(line, each) for each in always if (line := _trouble(each))]
    for line, each in troubles:
        yield error(line, f"pip install '{each.name}{each.specifier}'")
    if not troubles:
        yield ok(f"{PACKAGE} {version(PACKAGE)}, Python {python}, {len(always)} packages as wanted")
    for extra in metadata(PACKAGE).get_all("Provides-Extra") or ():
        if extra != FOR_DEVELOPERS:
            yield from _extra(extra, [each for each in needed if each not in always])


def _trouble(wanted: Requirement) -> str:
    """What is wrong with a package; empty where nothing is."""
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        return f"{wanted.name} is not installed"
    if wanted.specifier.contains(found, prereleases=True):
        return ""
    return f"{wanted.name} {found} is installed, wanted is {wanted.specifier}"


def _extra(extra: str, optional: list[Requirement]) -> Iterator[Diagnosis]:
    asked = [each for each in optional if each.marker and each.marker.evaluate({"extra": extra})]
    troubles = [line for each in asked if (line := _trouble(each))]
    if not troubles:
        yield ok(f"the extra '{extra}' is installed")
    elif len(troubles) < len(asked):
        said = "; ".join(troubles)
        yield warning(f"the extra '{extra}' is installed in part: {said}", f"pip install '{PACKAGE}[{extra}]'")
    else:
        yield ok(f"the extra '{extra}' is not installed (pip install '{PACKAGE}[{extra}]')")
