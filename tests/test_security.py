"""What docs/security.md promises and no other test shows."""

from __future__ import annotations

import ast
import json
import stat
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tests.building import build_warehouse
from tests.command_line import kalends
from warehouse.errors import BadInput, BadSettings
from warehouse.settings.loader import load_settings

ROOT = Path(__file__).parents[1]
RUNS_CODE = {"marshal", "shelve", "dill", "cloudpickle", "joblib"}
OWN_PIPES = {"tasks/parsers/parser_process.py", "warehouse/store/sql_worker.py"}
"""Where a process unpickles what its own child has just told it: bytes from a pipe, of no file."""


@pytest.fixture(scope="module")
def nodes() -> list[tuple[str, ast.AST]]:
    """Every import, call and list of the program, with its file."""
    packages = ("warehouse", "tasks", "flows", "dashboards")
    files = [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]
    trees = [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in files]
    looked_at = (ast.Import, ast.ImportFrom, ast.Call, ast.List)
    return [(name, node) for name, tree in trees for node in ast.walk(tree) if isinstance(node, looked_at)]


def test_nothing_that_is_stored_is_unpickled_or_run(nodes: list[tuple[str, ast.AST]]) -> None:
    wrong = []
    for name, node in nodes:
        imported = {alias.name.split(".")[0] for alias in node.names} if isinstance(node, ast.Import) else set()
        imported |= {(node.module or "").split(".")[0]} if isinstance(node, ast.ImportFrom) else set()
        called = _name_of(node.func) if isinstance(node, ast.Call) else ""
        given = {word.arg: _name_of(word.value) for word in node.keywords} if isinstance(node, ast.Call) else {}
        wrong += [f"{name}: {word}" for word in imported & RUNS_CODE]
        wrong += [f"{name}: pickle" for word in imported & {"pickle"} if name not in OWN_PIPES]
        wrong += [f"{name}: {called}" for word in (called,) if word in {"eval", "exec", "torch.load", "os.system"}]
        wrong += [f"{name}: {called}" for word in ("allow_pickle", "trust_remote_code") if given.get(word) == "True"]
        wrong += [f"{name}: {called}" for word in ("shell",) if given.get(word) == "True"]
        if called == "yaml.load" and "Loader" not in ast.unparse(node):
            wrong.append(f"{name}: {called}")
    assert not wrong


def _name_of(node: ast.AST) -> str:
    """A name with dots, or a constant, as it is written; nothing for all else, which takes long to write."""
    dotted = node
    while isinstance(dotted, ast.Attribute):
        dotted = dotted.value
    return ast.unparse(node) if isinstance(dotted, ast.Name | ast.Constant) else ""


def test_no_process_is_told_to_import_from_the_present_folder(nodes: list[tuple[str, ast.AST]]) -> None:
    commands = [(name, [_name_of(word) for word in node.elts]) for name, node in nodes if isinstance(node, ast.List)]
    modules = {name: words for name, words in commands if words[:1] == ["sys.executable"] and "'-m'" in words}
    assert len(modules) >= 3
    assert [name for name, words in modules.items() if words[1] != "'-P'"] == []


def test_a_folder_named_like_a_package_is_not_run(tmp_path: Path) -> None:
    warehouse = tmp_path / "built"
    build_warehouse(warehouse, ROOT / "samples" / "reports")
    for package in ("warehouse", "tasks", "dashboards", "numpy"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise SystemExit('run')")
    read = kalends("parse", ROOT / "samples" / "reports" / "northlight-fy2025-q3.pdf", cwd=tmp_path)
    assert (read.returncode, read.stderr) == (0, "")
    asked = kalends("sql", "SELECT count(*) FROM documents", "-w", warehouse, cwd=tmp_path)
    assert (asked.returncode, asked.stderr) == (0, "")


def test_results_of_prefect_are_json() -> None:
    stages = (ROOT / "tasks/stages.py").read_text(encoding="utf-8")
    assert stages.count("persist_result=True") == stages.count('result_serializer="json"') == 1


@pytest.mark.parametrize("weights", ["pytorch_model.bin", "1_Dense/model.pt"])
def test_a_model_whose_weights_may_run_code_is_refused(tmp_path: Path, weights: str) -> None:
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / weights).parent.mkdir(exist_ok=True)
    (tmp_path / weights).write_bytes(b"\x80\x04.")
    with pytest.raises(BadInput, match="may run code when it is read: convert the model to safetensors"):
        open_embedder(f"sentence:{tmp_path}")


def test_a_warehouse_is_its_owner_s_and_one_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("Oats.\n")
    build_warehouse(tmp_path / "deep/new", tmp_path / "docs")
    assert stat.S_IMODE((tmp_path / "deep/new").stat().st_mode) == 0o700
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o750)
    build_warehouse(tmp_path / "shared", tmp_path / "docs")
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o750


def test_no_secret_of_the_environment_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "KALENDS_TOKEN", "KALENDS_PASSWORD"):
        monkeypatch.setenv(name, "hush-hush-hush")
    settings = load_settings()
    assert "hush" not in json.dumps(settings.model_dump(mode="json"))


def test_a_password_in_a_setting_is_refused_without_being_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_CHAT__BASE_URL", "https://me:hush-hush@llm.example/v1")
    with pytest.raises(BadSettings, match="a password does not belong here") as caught:
        load_settings()
    assert "hush" not in str(caught.value)
