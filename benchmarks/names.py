"""Names in notes: how many of those found are names, and how many of the names are found.

    python benchmarks/names.py [--errors] [folder]

Reads the notes of `benchmarks/named_notes`, or of a folder in their manner, in which every name stands marked with its
label, as in "met {P:Ingrid} in {G:Basel}" (P person, O organisation, G place, W work), and compares the marked names of
each note with what is found. A name counts once a note. `precision` and `recall` ask for the name alone, `labelled` is
the share of the names found that have their label too.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.entities.names import find_entities
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read

NOTES = Path(__file__).parent / "named_notes"
_LABELS = {"P": "PERSON", "O": "ORG", "G": "GPE", "W": "WORK_OF_ART"}
_MARKED = re.compile(r"\{([POGW]):([^}]+)\}")

_Labels = Mapping[str, set[str]]  # By the name.


def main() -> None:
    """Print a line a note and one for all; with `--errors` what was found wrongly and not found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=NOTES)
    parser.add_argument("--errors", action="store_true", help="the names found wrongly (+) and not found (-) too")
    options = parser.parse_args()
    paths = sorted(options.folder.rglob("*.md"))
    texts = [path.read_text("utf-8") for path in paths]
    documents = [
        read(Raw(path.name, _MARKED.sub(r"\2", text).encode())) for path, text in zip(paths, texts, strict=True)
    ]
    rows = []
    print(f"{'':28}{'named':>7}{'found':>7}{'precision':>11}{'recall':>8}{'labelled':>10}")
    for path, text, entities in zip(paths, texts, find_entities(documents), strict=True):
        marked = _by_name((name, _LABELS[label]) for label, name in _MARKED.findall(text))
        found = _by_name((entity.name, entity.label) for entity in entities)
        right = marked.keys() & found.keys()
        rows.append((len(marked), len(found), len(right), sum(bool(marked[name] & found[name]) for name in right)))
        print(_line(path.stem, *rows[-1]))
        for sign, names in (("+", found.keys() - right), ("-", marked.keys() - right)) if options.errors else ():
            for name in sorted(names):
                print(f"  {sign} {'/'.join(sorted((found | marked)[name]))} {name}")
    print(_line("all", *map(sum, zip(*rows, strict=True))))


def _by_name(names: object) -> dict[str, set[str]]:
    labels: defaultdict[str, set[str]] = defaultdict(set)
    for name, label in names:
        labels[name.casefold()].add(label)
    return dict(labels)


def _line(name: str, marked: int, found: int, right: int, labelled: int) -> str:
    shares = (right / found if found else 1.0, right / marked if marked else 1.0, labelled / right if right else 1.0)
    return f"{name:28}{marked:>7}{found:>7}{shares[0]:>11.3f}{shares[1]:>8.3f}{shares[2]:>10.3f}"


if __name__ == "__main__":
    main()
