"""What is installed: wheel and sdist hold every file that the program reads, and run outside of the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import pytest

from dashboards.streamlit_server import APP
from flows.service.deployments import DEPLOYMENT_FILE

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUP = PROJECT["tool"]["setuptools"]
PACKAGES = tuple(name.removesuffix("*") for name in SETUP["packages"]["find"]["include"])
BUILT_FROM = {
    *("dashboards/editor/package.json", "dashboards/editor/package-lock.json", "dashboards/editor/source.js"),
    *("dashboards/explorer/package.json", "dashboards/explorer/package-lock.json"),
}
"""Files that a file of the wheel is built from, and that nothing reads at run time."""
SHARE = f"kalends-{PROJECT['project']['version']}.data/data/"


def tracked(*folders: str) -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so what belongs to it is not known")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
    return [name for name in found if (ROOT / name).exists()]


def test_every_file_of_the_packages_is_declared() -> None:
    """Setuptools includes `py.typed` and what `package-data` names; a new kind of file must be named there."""
    patterns = {package: SETUP["package-data"].get(package, []) for package in PACKAGES}
    missing = [
        name
        for name in tracked(*PACKAGES)
        if not name.endswith((".py", "/py.typed")) and name not in BUILT_FROM
        if not any(_matches(name, package, pattern) for package, found in patterns.items() for pattern in found)
    ]
    assert not missing, "name them in [tool.setuptools.package-data]"


def _matches(name: str, package: str, pattern: str) -> bool:
    inner = PurePosixPath(name).parts
    wanted = (package, *PurePosixPath(pattern).parts)
    return len(inner) == len(wanted) and all(map(fnmatchcase, inner, wanted))


def test_every_package_has_an_init_file() -> None:
    folders = {PurePosixPath(name).parent for name in tracked(*PACKAGES) if name.endswith(".py")}
    assert not [folder for folder in folders if not (ROOT / folder / "__init__.py").exists()]


def test_every_sample_is_declared() -> None:
    declared = {file for found in SETUP["data-files"].values() for pattern in found for file in ROOT.glob(pattern)}
    assert {ROOT / name for name in tracked("samples")} == {file for file in declared if file.is_file()}
    for folder, patterns in SETUP["data-files"].items():
        assert {PurePosixPath(pattern).parent for pattern in patterns} == {
            PurePosixPath(folder).relative_to("share/kalends")
        }


def build(kind: str, source: Path, out: Path) -> None:
    """Build as pip does (PEP 517), with the setuptools that is installed."""
    hook = f"import sys, setuptools.build_meta as b; b.build_{kind}(sys.argv[1])"
    subprocess.run([sys.executable, "-c", hook, str(out)], cwd=source, capture_output=True, check=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and an sdist of the files that belong to the project, and of no others."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            (source / name).symlink_to((ROOT / name).readlink())
        else:
            (source / name).write_bytes((ROOT / name).read_bytes())
    for kind in ("sdist", "wheel"):
        build(kind, source, out)
    return out


@pytest.mark.slow
def test_the_wheel_holds_the_files_of_the_packages_and_the_samples(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {name for name in tracked(*PACKAGES) if name not in BUILT_FROM}
    assert names == wanted | {f"{SHARE}share/kalends/{name}" for name in tracked("samples")}


@pytest.mark.slow
def test_a_wheel_can_be_built_from_the_sdist_again(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    (wheel,) = built.glob("*.whl")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    build("wheel", source, tmp_path)
    (again,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert set(first.namelist()) == set(second.namelist())


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a new environment, with the wheel in it; the libraries are those of this environment."""
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    (wheel,) = built.glob("*.whl")
    python = place / "bin" / "python"
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    own = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    Path(own, "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return place / "bin" / "kalends"


@pytest.mark.slow
def test_the_installed_command_works_in_any_folder(installed: Path, tmp_path: Path) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KALENDS_"))},
        "KALENDS_EMBED__MODEL": "hashing",
    }

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [str(installed), *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    python = str(installed.parent / "python")
    where = "import dashboards, flows, tasks, warehouse; print(dashboards.__file__, flows.__file__, tasks.__file__)"
    asked = subprocess.run(
        [python, "-c", where], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert all(file.startswith(str(installed.parents[1])) for file in asked.stdout.split())
    assert run("--version").split()[1] == PROJECT["project"]["version"]
    samples = installed.parents[1] / "share" / "kalends" / "samples"
    (tmp_path / "documents").mkdir()
    for name in ("vault/Gaps.md", "courses/reading-quarters.txt"):
        (tmp_path / "documents" / Path(name).name).write_bytes((samples / name).read_bytes())
    assert run("init").startswith("Wrote kalends.toml.")
    try:
        run("ingest")
        assert json.loads(run("status", "--json"))["documents"] == 2
        assert "1. " in run("search", "quarters")
        run("ask", "Where are gaps?")
        assert "CHK003" in run("rules")
        doctor = {each["check"]: each["level"] for each in json.loads(run("doctor", "--json"))}
        assert doctor["counts"] == "ok"
    finally:
        run("down")


def test_files_beside_the_code_are_found_by_it() -> None:
    assert APP.is_file()
    assert DEPLOYMENT_FILE.is_file()
