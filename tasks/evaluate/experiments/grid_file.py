"""Grids in YAML files: every value is checked before anything runs, and errors name the line and the key.

fixed:   {k: 5}                              the same in all, instead of the settings in force
grid:    {chunker: [fixed, structural], size: [400, 800]}
exclude: [{chunker: fixed, size: 400}]       points of the product that are left out
include: [{fusion: rrf}]                     single points in addition

Outside these parts, a list has values to try, and any other value is fixed: `hybrid: [true, false]`, `top_k: 5`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import ValidationError

from tasks.chunkers.chunker import CHUNKERS, choose_chunker
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.experiments.experiment import (
    Experiment,
    ParameterGrid,
    Point,
    build_experiment,
    find_dimension,
    format_point,
    format_value,
    get_short_name,
    is_foreign,
)
from tasks.evaluate.experiments.foreign_names import (
    DEFAULT_RERANKER,
    SECTIONS,
    UNUSED_NAMES,
    normalize_foreign_name,
    parse_switch,
    translate_value,
)
from tasks.rerankers.reranker import RERANKERS
from warehouse.errors import BadInput
from warehouse.records import Chunking, Kind
from warehouse.regular_files import require_regular_file
from warehouse.settings.loader import Settings

KEYS = ("fixed", "grid", "exclude", "include")
MAX_CONFIGURATIONS = 1000  # More configurations in a grid are considered a mistake.
DEFAULT_K = 10  # The hits read if the grid has no `k`: the deepest cut of the measures.
_RERANKER = "ranking.reranker"
_SWITCH = "rerank"  # The switch of the reranker, separate from its name until both are known.


@dataclass(frozen=True, slots=True)
class GridConfigurations:
    """The experiments of a grid, in order; `notes` say how foreign names were translated and which are not used."""

    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...] = ()


def read_grid(file: Path, base: Settings) -> GridConfigurations:
    """The configurations of a grid, based on the current settings.

    Raises `BadInput` naming the file, the line and the key of each mistake.
    """
    reader = _GridReader(file)
    grid = reader.build_grid(read_yaml(file))
    for name, grid_value in reader.values:
        reader.check_value(name, grid_value, base)
    reader.refuse_mistakes()
    if not grid.count_points():
        problem = "; ".join((f"{file} leaves no configuration", *reader.describe_names()))
        raise BadInput(problem, "name a dimension and its values below 'grid:'")
    experiments = _build_experiments(file, grid, base)
    fixed_note = (f"the same in all: {format_point(grid.fixed_values)}",) if grid.fixed_values else ()
    return GridConfigurations(experiments, (*fixed_note, *reader.describe_names(), *_describe_units(experiments)))


@dataclass(frozen=True, slots=True)
class _GridValue:
    """A value of a dimension and its place in the file."""

    place: YamlValue
    value: object


_Axes = dict[str, list[_GridValue]]


class _GridReader:
    """Reads the parts of a grid; collects mistakes, the values to check, and the contents of its notes."""

    def __init__(self, file: Path) -> None:
        self.values: list[tuple[str, _GridValue]] = []
        self._file = file
        self._mistakes: list[tuple[int, BadInput]] = []
        self._translations: dict[str, dict[str, None]] = {}
        self._unused_names: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def build_grid(self, document: YamlValue) -> ParameterGrid:
        """The grid of a document, without the parts that have mistakes."""
        parts: dict[str, YamlValue] = {}
        constants: _Axes = {}
        axes: _Axes = {}
        other_entries: list[tuple[str, YamlValue]] = []
        for name, entry in document.iter_entries():
            if name in KEYS:
                parts[name] = entry
            elif not entry.is_mapping:
                other_entries.append((name, entry))
            elif name in SECTIONS:
                other_entries.extend(entry.iter_entries())
            else:
                raise entry.make_error("is not a part of a grid", f"the parts are {', '.join(KEYS)}")
        for name, entry in parts["fixed"].iter_entries() if "fixed" in parts else ():
            self._add_values(constants, (axes,), name, entry, [entry])
        for name, entry in parts["grid"].iter_entries() if "grid" in parts else ():
            self._add_values(axes, (constants,), name, entry, entry)
        for name, entry in other_entries:
            if entry.is_list:
                self._add_values(axes, (constants,), name, entry, entry)
            else:
                self._add_values(constants, (axes,), name, entry, [entry])
        rerankers = _merge_rerankers(constants, axes)
        points_by_key = [parts[key].items() if key in parts else [] for key in KEYS[2:]]
        exclude, include = ([self._read_point(point, rerankers) for point in points] for points in points_by_key)
        if other_entries and not axes and not include:
            include = [{}]  # A single configuration, as in files of other systems.
        self.values += [
            (name, value) for part in (constants, axes) for name, values in part.items() for value in values
        ]
        return ParameterGrid(
            {name: values[0].value for name, values in constants.items()},
            {name: tuple(value.value for value in values) for name, values in axes.items()},
            tuple(exclude),
            tuple(include),
        )

    def _read_point(self, place: YamlValue, rerankers: list[object]) -> Point:
        """A point of `exclude` or `include`; `rerankers` are those that the grid names."""
        axes: _Axes = {}
        for name, value in place.iter_entries():
            self._add_values(axes, (), name, value, [value])
        if switch := axes.pop(_SWITCH, None):
            rerankers_or_default = [reranker for reranker in rerankers if reranker] or [DEFAULT_RERANKER]
            if switch[0].value and len(rerankers_or_default) > 1:
                error = switch[0].place.make_error("does not say which reranker", "name it with 'reranker'")
                self._mistakes.append((switch[0].place.line, error))
            axes[_RERANKER] = [_GridValue(switch[0].place, rerankers_or_default[0] if switch[0].value else "")]
        self.values += [(name, values[0]) for name, values in axes.items()]
        return {name: values[0].value for name, values in axes.items()}

    def _add_values(
        self, axes: _Axes, other_axes: Iterable[_Axes], name: str, place: YamlValue, values: YamlValue | list[YamlValue]
    ) -> None:
        """Add the values of a name to `axes`; a list is read only if the name is used."""
        normalized_name = normalize_foreign_name(name)
        if is_foreign(name) and normalized_name in UNUSED_NAMES:
            self._unused_names[UNUSED_NAMES[normalized_name]][name] = None
            return
        try:
            dimension = find_dimension(name)
            places = values.items() if isinstance(values, YamlValue) else values
            raw_values = [place.read_value() for place in places]
            switches = [parse_switch(raw_value) for raw_value in raw_values]
            key = _SWITCH if dimension == _RERANKER and None not in switches else dimension
            if any(key in axis for axis in (axes, *other_axes)):
                raise BadInput(f"'{get_short_name(dimension)}' is named already", "keep one of the two")
        except BadInput as error:
            names_line = error.problem.startswith(f"{self._file} line ")
            self._mistakes.append((place.line, error if names_line else place.make_error(error.problem, error.cure)))
            return
        kalends_values: list[object] = (
            list(switches) if key == _SWITCH else [translate_value(dimension, raw_value) for raw_value in raw_values]
        )
        if is_foreign(name):
            condition = ", with the convex fusion where none is named" if dimension == "ranking.alpha" else ""
            self._translations.setdefault(f"{name} is {get_short_name(dimension)}{condition}", {}).update(
                (f"{_format_switch(raw_value)}: {format_value(translate_value(dimension, raw_value), dimension)}", None)
                for raw_value in raw_values
                if translate_value(dimension, raw_value) != raw_value
            )
        axes[key] = [_GridValue(*pair) for pair in zip(places, kalends_values, strict=True)]

    def check_value(self, name: str, grid_value: _GridValue, base: Settings) -> None:
        """Record a mistake if the dimension can never have the value; `_build_experiments` finds contradictions."""
        try:
            _check_value(name, grid_value, base)
        except BadInput as error:
            self._mistakes.append((grid_value.place.line, error))

    def refuse_mistakes(self) -> None:
        """Raise one `BadInput` for all mistakes, in the order of their lines."""
        errors = [error for _, error in sorted(self._mistakes, key=lambda mistake: mistake[0])]
        if len(errors) == 1:
            raise errors[0]
        if errors:
            problems = dict.fromkeys(
                f"{error.problem.removeprefix(f'{self._file} ')} ({error.cure})" for error in errors
            )
            raise BadInput(f"{self._file} {'; '.join(problems)}", "correct these lines")

    def describe_names(self) -> Iterator[str]:
        """The translation of foreign names, and the names that are not used, one sentence each."""
        if self._translations:
            notes = (f"{name} ({', '.join(values)})" if values else name for name, values in self._translations.items())
            yield f"names of other systems: {'; '.join(notes)}"
        if self._unused_names:
            unused = (f"{', '.join(names)} ({reason})" for reason, names in self._unused_names.items())
            yield f"not used: {'; '.join(unused)}"


def _format_switch(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _merge_rerankers(fixed_values: _Axes, axes: _Axes) -> list[object]:
    """Merge the switch and the names of rerankers into one dimension; returns the names.

    If it is off, all names are one configuration.
    """
    rerankers = [*fixed_values.get(_RERANKER, ()), *axes.get(_RERANKER, ())]
    switches = fixed_values.get(_SWITCH) or axes.get(_SWITCH)
    if switches:
        choices: list[_GridValue] = []
        for switch in switches:
            switched_on = rerankers or [_GridValue(switch.place, DEFAULT_RERANKER)]
            choices += switched_on if switch.value else [_GridValue(switch.place, "")]
        target = axes if axes.keys() & {_SWITCH, _RERANKER} else fixed_values
        for dimensions in (fixed_values, axes):
            for name in list(dimensions):
                values = dimensions.pop(name)
                if name not in (_SWITCH, _RERANKER):
                    dimensions[name] = values
                elif dimensions is target:
                    dimensions[_RERANKER] = choices
    return [reranker.value for reranker in rerankers]


def _describe_units(experiments: Iterable[Experiment]) -> Iterator[str]:
    """A note on the units of sizes, if one chunker counts tokens and another characters."""
    units: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for experiment in experiments:
        chunking = experiment.chunk
        if chunking.chunker and not chunking.unit and (chunking.size is not None or chunking.overlap is not None):
            units[CHUNKERS[chunking.chunker].unit][chunking.chunker] = None
    if len(units) > 1:
        counts = ", ".join(f"{unit} for {' and '.join(names)}" for unit, names in units.items())
        yield f"sizes and overlaps count {counts}; 'unit: tokens' makes them alike"


def _check_value(name: str, grid_value: _GridValue, base: Settings) -> None:
    place, value = grid_value.place, grid_value.value
    try:
        experiment = build_experiment("", base, DEFAULT_K, {name: value})
    except ValidationError as error:
        mistakes = (entry for entry in error.errors() if ".".join(map(str, entry["loc"])).startswith(name))
        mistake = next(mistakes, None)
        if mistake:
            raise place.make_error(f"{value!r}: {mistake['msg'].removeprefix('Value error, ')}", "correct it") from None
        return
    alpha = experiment.ranking.alpha
    if alpha is not None and not 0 <= alpha <= 1:
        raise place.make_error(f"{alpha} is not a share", "write a number from 0 to 1")
    try:
        check_names(experiment, base)
    except BadInput as error:
        if name in ("chunk.chunker", "embed.model", _RERANKER):
            raise place.make_error(error.problem, error.cure) from None


def _build_experiments(file: Path, grid: ParameterGrid, base: Settings) -> tuple[Experiment, ...]:
    if grid.count_points() > MAX_CONFIGURATIONS:
        raise BadInput(f"{file}: the grid has {grid.count_points()} configurations", f"keep it to {MAX_CONFIGURATIONS}")
    experiments = []
    for point in grid.iter_points():
        name = format_point(point)
        try:
            experiment = build_experiment(name, base, DEFAULT_K, {**grid.fixed_values, **point})
            check_names(experiment, base)
        except ValidationError as error:
            problem = error.errors()[0]["msg"].removeprefix("Value error, ")
            raise BadInput(f"{file}: {name}: {problem}", "exclude it, or change its values") from None
        except BadInput as error:
            raise BadInput(f"{file}: {name}: {error.problem}", f"exclude it, or {error.cure}") from None
        experiments.append(experiment)
    if not experiments:
        raise BadInput(f"{file} leaves no configuration", "exclude fewer")
    return tuple(experiments)


def check_names(experiment: Experiment, base: Settings) -> None:
    """Check that everything that the experiment names exists; reads no weights."""
    settings = base.model_copy(update={"chunk": experiment.chunk, "embed": experiment.embed})
    open_embedder(experiment.embed.model)
    for kind in Kind:
        choose_chunker(kind, Chunking(), settings)
    if experiment.ranking.reranker:
        RERANKERS[experiment.ranking.reranker.partition(":")[0]]


@dataclass(frozen=True, slots=True)
class YamlValue:
    """A value of a YAML file, not parsed yet, and its key."""

    file: Path
    node: yaml.Node
    key: str = ""

    def make_error(self, problem: str, cure: str) -> BadInput:
        """An error that names the file, the line and the key."""
        location = f"{self.file} line {self.line}"
        return BadInput(f"{location}: '{self.key}': {problem}" if self.key else f"{location}: {problem}", cure)

    @property
    def line(self) -> int:
        """The line that it begins on, from 1."""
        return int(self.node.start_mark.line) + 1

    @property
    def is_mapping(self) -> bool:
        """Whether it has keys and values."""
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether it is a list of values."""
        return isinstance(self.node, yaml.SequenceNode)

    def iter_entries(self) -> Iterator[tuple[str, YamlValue]]:
        """The keys and values of a mapping. Raises `BadInput` for anything else, and for a repeated key."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.make_error("is not a mapping", "write 'key: value' lines below it")
        names: set[str] = set()
        for key, value in self.node.value:
            name = str(key.value)
            if name in names:
                raise YamlValue(self.file, key, name).make_error("it is there twice", "keep one of them")
            names.add(name)
            yield name, YamlValue(self.file, value, name)

    def items(self) -> list[YamlValue]:
        """The values of a list. Raises `BadInput` for anything else and for an empty list."""
        if not isinstance(self.node, yaml.SequenceNode) or not self.node.value:
            problem = "is an empty list" if self.is_list else "is not a list of values"
            raise self.make_error(problem, f"write '{self.key}: [first, second]'")
        return [YamlValue(self.file, node, self.key) for node in self.node.value]

    def read_value(self) -> object:
        """A scalar, or a list of them."""
        if isinstance(self.node, yaml.MappingNode):
            raise self.make_error("is not a plain value", "write a word, a number, on or off")
        try:
            return yaml.SafeLoader("").construct_object(self.node, deep=True)
        except (yaml.YAMLError, ValueError) as error:
            raise self.make_error(f"cannot be read ({' '.join(str(error).split())})", "put it in quotes") from None


def read_yaml(file: Path) -> YamlValue:
    """The only document of a file. Raises `BadInput` if it does not exist, is not UTF-8 or not YAML."""
    try:
        node = yaml.compose(require_regular_file(file).read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
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
