"""YAML with the lines that its values stand on, so that an error can name them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from warehouse.errors import BadInput


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
            raise self.wrong("is no mapping", "write 'key: value' lines below it")
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
            raise self.wrong("is no list of values", f"write '{self.key}: [first, second]'")
        return [YamlValue(self.file, node, self.key) for node in self.node.value]

    def value(self) -> object:
        """A plain value, or a list of them."""
        if isinstance(self.node, yaml.MappingNode):
            raise self.wrong("is no plain value", "write a word, a number, on or off")
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
        raise BadInput(f"{file} line {line}: it is no YAML ({error.problem})", "correct the line") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{file} is no YAML ({' '.join(str(error).split())})", "correct it") from None
    if node is None:
        raise BadInput(f"{file} is empty", "write 'grid:' and the dimensions to vary below it")
    return YamlValue(file, node)
