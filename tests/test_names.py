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
VERBS = frozenset((ROOT / "tests" / "verbs.txt").read_text(encoding="utf-8").split())
"""First words of functions: verbs ("read_table"), and what opens a question or a copy ("is_total", "with_notes")."""
NAMED_FOR_OTHERS = ("tasks/quality/rules/", "tasks/parsers/refusals.py", "dashboards/cli/")
"""Their public functions have the names of rules, of what is refused (raise refusals.encrypted()) and of commands."""
LIBRARY_NAMES = {
    "settings_customise_sources",
    "items",
    "member",
    "parents",
    "document_outline",
    "trial",
    "_naming_damage",
}
"""Names that pydantic, mappings, plug-ins, the tools of the chat or a flow's address prescribe; a context manager."""
UNSEEN_DECORATORS = {"cache", "lru_cache", "staticmethod", "classmethod", "abstractmethod"}
"""All other decorators make something of another name of a function: a property, an endpoint, a command."""


def trees(layers: tuple[str, ...]) -> Iterator[tuple[str, ast.Module]]:
    for layer in layers:
        for file in sorted((ROOT / layer).rglob("*.py")):
            yield str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def product() -> dict[str, ast.Module]:
    return dict(trees(LAYERS))


def definitions(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The classes and functions of a module: they are statements, so no expression is looked into."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for statement in getattr(node, field, ()):
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield statement
            yield from definitions(statement)


def test_no_class_name_is_used_twice(product: dict[str, ast.Module]) -> None:
    files = defaultdict(list)
    for file, tree in product.items():
        for node in definitions(tree):
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


def test_functions_open_with_a_verb(product: dict[str, ast.Module]) -> None:
    functions = [
        (file, node.name)
        for file, tree in product.items()
        for node in definitions(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("__")
        and node.name not in LIBRARY_NAMES
        and not (file.startswith(NAMED_FOR_OTHERS) and not node.name.startswith("_"))
        and {ast.unparse(each).partition("(")[0].split(".")[-1] for each in node.decorator_list} <= UNSEEN_DECORATORS
    ]
    assert len(functions) > 4000
    others = [(file, name) for file, name in functions if name.strip("_").split("_")[0] not in VERBS]
    assert not others, "name them by verb and object, or add a good verb to tests/verbs.txt"
