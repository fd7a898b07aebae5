"""A grid from a YAML file, every value of it checked before anything runs, errors naming the line and the key.

fixed:   {k: 5}                              the same in all, in the place of the settings in force
grid:    {chunker: [fixed, structural], size: [400, 800]}
exclude: [{chunker: fixed, size: 400}]       points of the product that are left out
include: [{fusion: rrf}]                     single points beside it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import ValidationError

from tasks.chunkers.chunker import chunker_for
from tasks.embedders.embedder import embedder
from tasks.evaluate.experiments.experiment import Experiment, ParameterGrid, Point, dimension, experiment, name_of
from tasks.rerankers.reranker import RERANKERS
from warehouse.errors import BadInput
from warehouse.records import Chunking, Kind
from warehouse.settings.loader import Settings

KEYS = ("fixed", "grid", "exclude", "include")
MOST = 1000  # So many configurations at most: more are a slip of the pen.
READ = 10  # How many hits are read where no `k` is named: as deep as the measures go.


def grid_at(file: Path, base: Settings) -> tuple[Experiment, ...]:
    """The experiments of a grid, in order, over the settings in force.

    Raises `BadInput` naming the file, the line and the key.
    """
    parts: dict[str, YamlValue] = {}
    for name, place in document(file).entries():
        if name not in KEYS:
            raise place.wrong("is not a part of a grid", f"the parts are {', '.join(KEYS)}")
        parts[name] = place
    fixed = _point(parts["fixed"]) if "fixed" in parts else {}
    axes = {name: place.items() for name, place in _point(parts["grid"]).items()} if "grid" in parts else {}
    exclude, include = ([_point(each) for each in parts[key].items()] if key in parts else [] for key in KEYS[2:])
    grid = ParameterGrid(
        _values(fixed),
        {name: tuple(each.value() for each in values) for name, values in axes.items()},
        tuple(map(_values, exclude)),
        tuple(map(_values, include)),
    )
    named = [*fixed.items(), *((name, each) for name, values in axes.items() for each in values)]
    for name, place in (*named, *(pair for point in (*exclude, *include) for pair in point.items())):
        _check_value(name, place, base)
    return _experiments(file, grid, base)


def _point(place: YamlValue) -> dict[str, YamlValue]:
    """The places of values by the whole names of their dimensions."""
    found: dict[str, YamlValue] = {}
    for name, value in place.entries():
        try:
            whole = dimension(name)
        except BadInput as error:
            raise value.wrong(error.problem, error.cure) from None
        if whole in found:
            raise value.wrong(f"'{whole}' is named already", "keep one of the two")
        found[whole] = value
    return found


def _values(point: Mapping[str, YamlValue]) -> Point:
    return {name: place.value() for name, place in point.items()}


def _check_value(name: str, place: YamlValue, base: Settings) -> None:
    """Refuse a value that its dimension can never take; those that only contradict another are told of later."""
    value = place.value()
    try:
        found = experiment("", base, READ, {name: value})
    except ValidationError as error:
        wrong = next((each for each in error.errors() if ".".join(map(str, each["loc"])).startswith(name)), None)
        if wrong:
            raise place.wrong(f"{value!r}: {wrong['msg'].removeprefix('Value error, ')}", "correct it") from None
        return
    alpha = found.ranking.alpha
    if alpha is not None and not 0 <= alpha <= 1:
        raise place.wrong(f"{alpha} is not a share", "write a number from 0 to 1")
    try:
        _check_names(found, base)
    except BadInput as error:
        if name in ("chunk.chunker", "embed.model", "ranking.reranker"):
            raise place.wrong(error.problem, error.cure) from None


def _experiments(file: Path, grid: ParameterGrid, base: Settings) -> tuple[Experiment, ...]:
    if grid.size() > MOST:
        raise BadInput(f"{file}: the grid has {grid.size()} configurations", f"keep it to {MOST}")
    found = []
    for point in grid.points():
        name = name_of(point)
        try:
            each = experiment(name, base, READ, {**grid.fixed, **point})
            _check_names(each, base)
        except ValidationError as error:
            said = error.errors()[0]["msg"].removeprefix("Value error, ")
            raise BadInput(f"{file}: {name}: {said}", "exclude it, or change its values") from None
        except BadInput as error:
            raise BadInput(f"{file}: {name}: {error.problem}", f"exclude it, or {error.cure}") from None
        found.append(each)
    if not found:
        raise BadInput(f"{file} leaves no configuration", "name a dimension and its values below 'grid:'")
    return tuple(found)


def _check_names(found: Experiment, base: Settings) -> None:
    """Open by name what the experiment names; reads no weights."""
    chosen = base.model_copy(update={"chunk": found.chunk, "embed": found.embed})
    embedder(found.embed.model)
    for kind in Kind:
        chunker_for(kind, Chunking(), chosen)
    if found.ranking.reranker:
        RERANKERS[found.ranking.reranker.partition(":")[0]]


@dataclass(frozen=True, slots=True)
class YamlValue:
    """A value of a YAML file, not looked into yet, and the key it stands under."""

    file: Path
    node: yaml.Node
    key: str = ""

    def wrong(self, problem: str, cure: str) -> BadInput:
        """An error that names the file, the line and the key."""
        where = f"{self.file} line {self.node.start_mark.line + 1}"
        return BadInput(f"{where}: '{self.key}': {problem}" if self.key else f"{where}: {problem}", cure)

    def entries(self) -> Iterator[tuple[str, YamlValue]]:
        """The keys and values of a mapping. Raises `BadInput` for anything else, and for a key that is there twice."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong("is not a mapping", "write 'key: value' lines below it")
        seen: set[str] = set()
        for key, value in self.node.value:
            name = str(key.value)
            if name in seen:
                raise YamlValue(self.file, key, name).wrong("it is there twice", "keep one of them")
            seen.add(name)
            yield name, YamlValue(self.file, value, name)

    def items(self) -> list[YamlValue]:
        """The values of a list. Raises `BadInput` for anything else and for an empty list."""
        if not isinstance(self.node, yaml.SequenceNode) or not self.node.value:
            raise self.wrong("is not a list of values", f"write '{self.key}: [first, second]'")
        return [YamlValue(self.file, node, self.key) for node in self.node.value]

    def value(self) -> object:
        """A plain value, or a list of them."""
        if isinstance(self.node, yaml.MappingNode):
            raise self.wrong("is not a plain value", "write a word, a number, on or off")
        try:
            return yaml.SafeLoader("").construct_object(self.node, deep=True)
        except (yaml.YAMLError, ValueError) as error:
            raise self.wrong(f"cannot be read ({' '.join(str(error).split())})", "put it in quotes") from None


def document(file: Path) -> YamlValue:
    """The one document of a file. Raises `BadInput` where it is not there, not UTF-8 or not YAML."""
    try:
        node = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise BadInput(f"{file} cannot be read ({error.strerror})", "name a YAML file") from None
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not UTF-8", "save it as UTF-8") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadInput(f"{file} line {line}: it is not YAML ({error.problem})", "correct the line") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{file} is not YAML ({' '.join(str(error).split())})", "correct it") from None
    if node is None:
        raise BadInput(f"{file} is empty", "write 'grid:' and the dimensions to vary below it")
    return YamlValue(file, node)
