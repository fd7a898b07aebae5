"""The search measured on all development sets, with each of its parts left out in turn.

    python benchmarks/retrieval.py FOLDER [--limit N] [--set NAME …] [--held FOLDER]
                                          [--before FILE] [--json FILE] [--write]

FOLDER holds `retrieval/*`, `multihop/*`, `chinese/*`, `tables_qa` and `chunking` as `kalends evaluate` reads them,
TimeQA in `timeqa`, and in `pdf` the filings that `benchmarks/filing_questions` asks about, as it is and reworded. Each
set is asked with vectors alone, keywords alone, reciprocal ranks, the default, and the default without each part: every
switch of `Ranking`, and every signal that has none. What decides is nDCG@10, of passages where it is known which of
them answer, else of documents. Intervals draw documents with all of their questions; those of means over sets draw them
in each set.

Corpora that are no warehouse yet become one below `.kalends/evaluate`, or in the folder of `--held` that has the name
of the set. Warehouses that older code ingested are brought up to date first. `--json` writes what every question
scored; `--before` compares with such a file, over the questions of both. `--write` writes docs/retrieval.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from statistics import fmean
from time import monotonic

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.passages import timeqa
from flows.datasets import get_dataset_folder, open_dataset, prepare_corpus_warehouse
from flows.evaluation import EvaluationRun, EvaluationRunner, load_vectors, save_vectors
from flows.orchestration import run_ingest, temporary_server
from flows.planning import make_plan
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.bootstrap import describe_clusters, draw_means
from tasks.evaluate.cached_embedder import CachedEmbedder
from tasks.evaluate.configurations import DEFAULT_RANKING, choose_rankings
from tasks.evaluate.dataset import Dataset, read_dataset
from tasks.evaluate.outcomes import Change, Values, compute_changes
from warehouse.records import Ranking
from warehouse.search import search
from warehouse.settings.loader import Settings, load_settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "retrieval.md"
QUESTIONS = ROOT / "benchmarks" / "filing_questions"
PLACES = ("retrieval/*", "multihop/*", "chinese/*", "tables_qa", "chunking")
TIMES, FILINGS = "timeqa", "pdf"
EVERY = 4  # Of TimeQA's articles: 80 of them are ingested in minutes.
TODAY = date(2026, 1, 1)
MEASURE = "nDCG@10"
HALVES = ("dense", "keyword")
PLAIN = (*HALVES, "rrf", "convex")
SWITCHED = {"temporal": "times", "subject": "names"}  # Signals whose switch in `Ranking` has another name.


@dataclass(frozen=True)
class SetOutcome:
    """One set asked with every ranking: the values of each question by ranking, and the cluster of each question."""

    name: str
    documents: int
    questions: int
    values: dict[str, dict[str, dict[str, float]]]
    clusters: dict[str, str]
    notes: tuple[str, ...] = ()
    seconds: float = field(default=0.0)

    @property
    def label(self) -> str:
        """The name of the measure that decides here."""
        labels = next(iter(self.values[DEFAULT_RANKING].values()))
        return next(label for label in labels if label.endswith(MEASURE))

    def marks(self, ranking: str) -> dict[str, dict[str, float]]:
        """What each question that is judged scored with a ranking, by the measure that decides."""
        return {name: {MEASURE: row[self.label]} for name, row in self.values[ranking].items() if self.label in row}

    def mean(self, ranking: str, label: str = "") -> float:
        """The mean of a measure, the one that decides if none is named."""
        wanted = label or self.label
        return fmean(row[wanted] for row in self.values[ranking].values() if wanted in row)

    @property
    def better_half(self) -> str:
        """Vectors or keywords alone, whichever is better."""
        return max(HALVES, key=self.mean)

    def gain(self, over: str) -> Change:
        """From a ranking to the default."""
        return compute_changes(self.marks(DEFAULT_RANKING), self.marks(over), self.clusters)[MEASURE]


def datasets(folder: Path) -> Iterator[tuple[str, Callable[[], Dataset]]]:
    """The sets of a folder by name, each read when it is needed."""
    for place in sorted(place for pattern in PLACES for place in folder.glob(pattern)):
        yield place.name, lambda place=place: read_dataset(place)
    if found := sorted((folder / TIMES).glob("*.json")):
        yield TIMES, lambda: timeqa.dataset(found[0], EVERY)
    if (folder / FILINGS).is_dir():
        yield FILINGS, lambda: filings(folder / FILINGS)


def filings(place: Path) -> Dataset:
    """The questions to the filings, each followed by its rewordings."""
    files = [QUESTIONS / f"{name}.jsonl" for name in ("open", "published")]
    asked = [open_dataset(place, str(file)) for file in files]
    lines = [
        line for name in ("open", "published") for line in (QUESTIONS / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    reworded = {str(row["id"]): row.get("reworded", {}) for row in map(json.loads, lines)}
    worded = [
        replace(each, name=f"{each.name} {style}".strip(), text=text)
        for dataset in asked
        for each in dataset.questions
        for style, text in {"": each.text, **reworded[each.name]}.items()
    ]
    return replace(asked[0], questions=tuple(worded))


def rankings() -> tuple[dict[str, Ranking], dict[str, str]]:
    """Every ranking by name, and the module of the signal that is left out in those that no switch makes."""
    known = choose_rankings(())
    modules = [signal.__module__.rpartition(".")[2] for signal in search.SIGNALS]
    unswitched = [name for name in modules if f"without-{SWITCHED.get(name, name)}" not in known]
    without = {f"without-{name}": name for name in unswitched}
    return {**known, **dict.fromkeys(without, known[DEFAULT_RANKING])}, without


@contextmanager
def left_out(module: str) -> Iterator[None]:
    """Search without the signal of a module; with all where it is empty."""
    known = search.SIGNALS
    search.SIGNALS = tuple(each for each in known if not module or not each.__module__.endswith(f".{module}"))
    try:
        yield
    finally:
        search.SIGNALS = known


def measure(name: str, dataset: Dataset, held: Path | None) -> SetOutcome:
    """Ask every question of a set with every ranking."""
    started = monotonic()
    work = get_dataset_folder(dataset, load_settings())
    settings = load_settings({"warehouse": held / name if held else work / "warehouse"})
    if held:
        update(settings)
    warehouse = prepare_corpus_warehouse(dataset, work, settings, say)
    chosen = open_embedder(settings.embed.model)
    memory = CachedEmbedder(chosen, load_vectors(work, chosen.model))
    ranked, without = rankings()
    runner = EvaluationRunner(dataset, EvaluationRun(ranked, (), TODAY, work), warehouse, memory)
    runner.prepare(say)
    values = {}
    for each in ranked:
        with left_out(without.get(each, "")):
            trial = runner.run_trial(each, None)
        values[each] = {question: dict(row) for question, row in trial.values.items()}
    save_vectors(work, chosen.model, memory.vectors)
    counts = len(dataset.documents), len(dataset.questions)
    found = SetOutcome(name, *counts, values, runner.clusters, runner.dataset.notes, monotonic() - started)
    say(f"{name}: {counts[1]} questions, {len(ranked)} rankings, {found.seconds:.0f} s")
    return found


def update(settings: Settings) -> None:
    """Ingest again what older code made of a warehouse's own folders, as far as these are still there."""
    generation = find_latest(Layout(settings.warehouse))
    if generation is None:
        return
    roots = generation.manifest.roots
    paths = [root.folder / name for root in roots for name in root.only or ("",)]
    if all(path.exists() for path in paths) and not make_plan(settings, generation, paths).idle:
        with temporary_server(Layout(settings.warehouse)):
            run_ingest(settings, paths, say)


def parts_of(found: SetOutcome) -> list[str]:
    """The rankings that leave a part out."""
    return [name for name in found.values if name.startswith("without-")]


def mean_change(pairs: Sequence[tuple[Values, Values, Mapping[str, str]]]) -> Change:
    """The mean over sets of a change of `MEASURE`: each set counts the same, clusters are drawn within each."""
    means, drawn = [], []
    for number, (after, before, clusters) in enumerate(pairs):
        names = [name for name in after if name in before]
        rows = np.array([[after[name][MEASURE] - before[name][MEASURE]] for name in names])
        means.append(float(rows.mean()))
        drawn.append(draw_means(rows, [clusters.get(name, f"question {name}") for name in names], seed=number)[:, 0])
    low, high = np.percentile(np.mean(drawn, axis=0), [2.5, 97.5])
    return Change(fmean(means), float(low), float(high))


def overall(sets: Sequence[SetOutcome], over: str | Callable[[SetOutcome], str]) -> Change:
    """The mean gain of the default over a ranking."""
    chosen = over if callable(over) else lambda found: over
    return mean_change([(each.marks(DEFAULT_RANKING), each.marks(chosen(each)), each.clusters) for each in sets])


def report(sets: Sequence[SetOutcome]) -> Iterator[str]:
    """The tables as Markdown."""
    every = list(sets[0].values)
    plain, parts = [name for name in every if name in PLAIN], parts_of(sets[0])
    yield "## Rankings"
    yield ""
    yield f"Mean {MEASURE}. Reached: the default is not below its better half by more than chance (95 %)."
    yield ""
    yield _row("set", "questions", "clusters", *plain, DEFAULT_RANKING, "default − better half", "reached")
    yield "|---|---:|---:|" + "---:|" * (len(plain) + 2) + "---|"
    for each in sets:
        gain = each.gain(each.better_half)
        shown = [f"{each.mean(name):.3f}" for name in (*plain, DEFAULT_RANKING)]
        counts = str(each.questions), str(len(set(each.clusters.values())))
        yield _row(each.name, *counts, *shown, _change(gain), "yes" if gain.high >= 0 else "**no**")
    gain = overall(sets, lambda found: found.better_half)
    shown = [f"{fmean(each.mean(name) for each in sets):.3f}" for name in (*plain, DEFAULT_RANKING)]
    yield _row("mean of sets", "", "", *shown, _change(gain), "yes" if gain.high >= 0 else "**no**")
    yield ""
    yield "## What each part earns"
    yield ""
    yield f"Default less the default without the part, {MEASURE}; the interval in brackets is 95 %."
    yield ""
    yield _row("part", *(each.name for each in sets), "mean of sets")
    yield "|---|" + "---:|" * (len(sets) + 1)
    for part in parts:
        name = part.removeprefix("without-").replace("_", " ")
        yield _row(name, *(_change(each.gain(part)) for each in sets), _change(overall(sets, part)))
    yield ""
    yield "## Other measures of the default"
    yield ""
    for each in sets:
        labels = dict.fromkeys(label for row in each.values[DEFAULT_RANKING].values() for label in row)
        shown = ", ".join(f"{label} {each.mean(DEFAULT_RANKING, label):.3f}" for label in labels)
        yield f"- {each.name}, {each.documents} documents ({describe_clusters(each.clusters)}): {shown}"


def compared(sets: Sequence[SetOutcome], before: Sequence[SetOutcome]) -> Iterator[str]:
    """The default now and before, over the questions of both, as Markdown."""
    earlier = {each.name: each for each in before}
    pairs = []
    yield "## Default, before and now"
    yield ""
    yield _row("set", "questions", "before", "now", "change")
    yield "|---|---:|---:|---:|---:|"
    for each in sets:
        if each.name not in earlier:
            continue
        now, then = each.marks(DEFAULT_RANKING), earlier[each.name].marks(DEFAULT_RANKING)
        same = [name for name in now if name in then]
        now, then = {name: now[name] for name in same}, {name: then[name] for name in same}
        pairs.append((now, then, each.clusters))
        means = (fmean(row[MEASURE] for row in marks.values()) for marks in (then, now))
        change = _change(compute_changes(now, then, each.clusters)[MEASURE])
        yield _row(each.name, str(len(same)), *(f"{mean:.3f}" for mean in means), change)
    if pairs:
        yield _row("mean of sets", "", "", "", _change(mean_change(pairs)))


def _change(change: Change) -> str:
    return f"{change.difference:+.3f} [{change.low:+.3f}, {change.high:+.3f}]"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def say(line: str) -> None:
    """Print a line of progress."""
    print(line, file=sys.stderr, flush=True)


HEADING = """# Retrieval

Generated by `python benchmarks/retrieval.py FOLDER{options} --write`. Each development set is asked with vectors alone,
keywords alone, reciprocal ranks, an even convex fusion, the default, and the default without each of its parts. nDCG@10
is of passages where it is known which of them answer (chunking, timeqa, pdf), else of documents. Intervals draw
documents with all of their questions; over a handful of documents they are too narrow. The filings (pdf) are asked in
five wordings.
"""


def main() -> None:
    """Read the command line, measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, help="ask only so many questions of each set")
    parser.add_argument("--set", action="append", default=[], help="measure only this set")
    parser.add_argument("--held", type=Path, help="where the warehouses are")
    parser.add_argument("--before", type=Path, help="compare with what --json wrote earlier")
    parser.add_argument("--json", type=Path, help="write the values of every question to this file")
    parser.add_argument("--write", action="store_true", help="write docs/retrieval.md")
    given = parser.parse_args()
    before = [SetOutcome(**row) for row in json.loads(given.before.read_text())["sets"]] if given.before else []
    sets: list[SetOutcome] = []
    for name, read in datasets(given.folder):
        if not given.set or name in given.set:
            dataset = read()
            sets.append(measure(name, dataset.limit_questions(given.limit) if given.limit else dataset, given.held))
            if given.json:
                given.json.write_text(json.dumps({"sets": [asdict(each) for each in sets]}))
    if not sets:
        raise SystemExit(f"{given.folder} holds none of these sets: name its parent, or another with --set")
    lines = [*report(sets), *(("", *compared(sets, before)) if before else ())]
    print("\n".join(lines))
    if given.write:
        options = f" --limit {given.limit}" if given.limit else ""
        PAGE.write_text("\n".join((HEADING.format(options=options), *lines, "")), encoding="utf-8")


if __name__ == "__main__":
    main()
