"""How well the proof of answers tells true figures from false ones: TAT-QA's answers over their own tables.

Each answer with figures is said twice, as it is and with one of its digits altered. Prints the share of true answers
all of whose claims are proven, and the share of altered figures that are not.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.passages.tatqa import markdown
from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.proof import check_claims
from warehouse.records import Citation, Hit

DATA = Path(__file__).parents[1] / "../shared/data/tables_qa/tatqa_dev.json"
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, its source, and the span in it of the figures that are answered with."""

    text: str
    source: AnswerSource
    start: int
    end: int
    derived: bool


def answers(file: Path) -> Iterator[Said]:
    """Every answer with figures, as a sentence that cites its table and paragraphs."""
    for number, context in enumerate(json.loads(file.read_text(encoding="utf-8"))):
        rows = [[" ".join(cell.replace("|", "/").split()) for cell in row] for row in context["table"]["table"]]
        text = "\n\n".join([markdown(rows), *(each["text"] for each in context["paragraphs"])])
        source = AnswerSource(1, _hit(f"note {number}", text))
        for asked in context["questions"]:
            yield from _said(asked, source)


def _said(asked: dict[str, Any], source: AnswerSource) -> Iterator[Said]:
    derived = asked["answer_type"] == "arithmetic"
    if asked["answer_type"] == "count" or (derived and not asked["derivation"]):
        return
    given = asked["answer"] if isinstance(asked["answer"], list) else [str(asked["answer"])]
    scale = {"percent": "%", "": ""}.get(asked["scale"], f" {asked['scale']}")
    figures = [each.strip() for each in given if _is_figure(each)]
    if not figures:
        return
    shown = ", ".join(each if each.endswith("%") or not scale else f"{each}{scale}" for each in figures)
    before = f"It is {asked['derivation']} = " if derived else "It is "
    yield Said(f"{before}{shown} [1].", source, len(before), len(before) + len(shown), derived)


def _is_figure(text: str) -> bool:
    plain = text.strip().strip("()$%-€£ ")
    return bool(_FIGURE.fullmatch(plain)) and not re.fullmatch(r"(?:19|20)\d\d", plain)


def altered(said: Said) -> Said:
    """The same with another digit in one place of its figures, the same place at every run."""
    places = [n for n in range(said.start, said.end) if said.text[n].isdigit()]
    seed = sha256(said.text.encode()).digest()
    place = places[seed[0] % len(places)]
    digit = str((int(said.text[place]) + 1 + seed[1] % 8) % 10)
    text = said.text[:place] + (digit if digit != "0" or place != places[0] else "7") + said.text[place + 1 :]
    return Said(text, said.source, said.start, said.end, said.derived)


def proven(said: Said) -> bool:
    """Whether every claim among the figures answered with is proven."""
    found = [each for each in check_claims(said.text, [said.source]) if said.start <= each.start < said.end]
    return bool(found) and all(each.proven for each in found)


def _hit(name: str, text: str) -> Hit:
    citation = Citation(name, name, name, None, 0, None, (), 1.0, None, name, "")
    return Hit(name, name, 0, text, 1.0, None, None, citation)


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--file", type=Path, default=DATA, help="TAT-QA's JSON")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N that are judged wrongly")
    given = parser.parse_args()
    said = list(answers(given.file))
    wrong = []
    for derived, name in ((False, "as printed"), (True, "computed")):
        some = [each for each in said if each.derived is derived]
        lost = [each for each in some if not proven(each)]
        passed = [each for each in map(altered, some) if proven(each)]
        rates = (1 - len(lost) / len(some), 1 - len(passed) / len(some))
        print(f"{name:11}{len(some):5} answers; true, proven {rates[0]:.3f}; altered, unproven {rates[1]:.3f}")
        wrong += [("not proven", each) for each in lost] + [("proven though altered", each) for each in passed]
    for why, each in wrong[: given.show]:
        print(f"\n{why}: {each.text}\n{each.source.hit.text[:1500]}")


if __name__ == "__main__":
    main()
