"""Names in the product: classes are unique, module docstrings name their content, functions are named by verbs."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("warehouse", "tasks", "flows", "dashboards")
UPPER_LAYERS = ("flows", "dashboards")
RIDDLES = {"what", "which", "whether", "how", "where", "who", "that"}
"""First words of a docstring that describes a module without naming it."""
PARTICIPLES = {
    *("asked", "called", "chosen", "done", "found", "given", "held", "heard", "kept", "known", "led", "listed"),
    *("looked", "made", "marked", "meant", "opened", "quoted", "said", "seen", "shown", "told", "wanted", "written"),
}
"""Participles that say nothing as the whole name of a function: told() -> with_notes()."""


def trees(layers: tuple[str, ...]) -> Iterator[tuple[str, ast.Module]]:
    for layer in layers:
        for file in sorted((ROOT / layer).rglob("*.py")):
            yield str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def product() -> dict[str, ast.Module]:
    return dict(trees(LAYERS))


def test_no_class_name_is_used_twice(product: dict[str, ast.Module]) -> None:
    files = defaultdict(list)
    for file, tree in product.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                files[node.name].append(file)
    assert len(files) > 500, "the product was read"
    assert not {name: found for name, found in files.items() if len(found) > 1}


def test_every_package_says_what_it_holds(product: dict[str, ast.Module]) -> None:
    packages = {file: tree for file, tree in product.items() if file.endswith("__init__.py")}
    assert len(packages) > 30
    assert not [file for file, tree in packages.items() if not ast.get_docstring(tree)]


def test_module_docstrings_name_their_content(product: dict[str, ast.Module]) -> None:
    docstrings = {
        file: ast.get_docstring(tree) or "" for file, tree in product.items() if file.startswith(UPPER_LAYERS)
    }
    assert not [file for file, text in docstrings.items() if text.partition(" ")[0].lower() in RIDDLES]


def test_no_function_is_named_by_a_bare_participle(product: dict[str, ast.Module]) -> None:
    functions = [
        (file, node.name)
        for file, tree in product.items()
        if file.startswith(UPPER_LAYERS)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert not [(file, name) for file, name in functions if name in PARTICIPLES]
