"""Train and judge the fusion weight of `warehouse/search/scoring.py`, each set left out in turn.

    python benchmarks/fusion_training.py record SET WAREHOUSE POOLS [--limit N] [--questions FILE …]
    python benchmarks/fusion_training.py train POOLS

`record` keeps, once a set, what the search knows of each candidate before fusion, the parts of the signals and what
answers; each question also in its telling words alone and cut to the three rarest. `train` needs no warehouse: it
fits the weights to the nDCG@10 of whole rankings and prints a table, a row a set. The passages that a second hop adds
stay those that the weight in use led to.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.passages.bootstrap import difference
from flows.evaluation import AnswerMapper
from tasks.embedders.embedder import open_embedder
from tasks.evaluate.dataset import Dataset, Gold, JudgedQuestion, read_dataset
from tasks.evaluate.gold_locator import locate_dataset_gold
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import Question, Ranking, SearchRequest
from warehouse.search.scoring import (
    BASE_LOGIT,
    COVERAGE_WEIGHT,
    FOREIGN_WEIGHT,
    NUMBERS_WEIGHT,
    CandidatePool,
    FusedScores,
    ScorePart,
    add_parts,
    compute_reciprocal_ranks,
    compute_strength,
    gather_candidates,
    scale_scores,
)
from warehouse.search.search import REFERENCES_FACTOR, SIGNALS, wants_references
from warehouse.settings.loader import load_settings
from warehouse.store.words import list_segments, split_content_words

HITS = 10
KEYWORDS = 3
WEIGHTS = np.linspace(0, 1, 26)
GAINS = 1 / np.log2(np.arange(2, HITS + 2))
STEPS, RATE, DRAWN = 400, 5.0, 0.01
FEWEST = 8  # Of fewer documents the questions are drawn one by one.
TODAY = date(2026, 1, 1)


def wordings(text: str, warehouse: Warehouse) -> Iterator[str]:
    """A question as asked, its telling words, and the rarest three of them, in their order; each once."""
    words = list(dict.fromkeys(list_segments(text)))
    keywords = warehouse.snapshot.keywords
    rare = sorted(words, key=lambda word: -sum(map(keywords.compute_idf, split_content_words(word))))[:KEYWORDS]
    yield from dict.fromkeys(filter(None, (text, " ".join(words), " ".join(word for word in words if word in rare))))


def filings(place: Path, files: Sequence[Path]) -> Dataset:
    """The questions of `benchmarks/filing_questions`, evidence by page."""
    found = []
    for line in (line for file in files for line in file.read_text(encoding="utf-8").splitlines()):
        item = json.loads(line)
        gold = tuple(Gold(each["document"], each["page"]) for each in item["evidence"])
        found.append(JudgedQuestion(item["id"], item["question"], gold))
        found += [
            JudgedQuestion(f"{item['id']} {style}", text, gold) for style, text in item.get("reworded", {}).items()
        ]
    return replace(read_dataset(place), questions=tuple(found))


def record(dataset: Dataset, folder: Path, target: Path, *, reworded: bool) -> None:
    """Write the pools of a dataset's questions into an `npz` file."""
    warehouse = Warehouse(folder).pin_generation()
    model = open_embedder(load_settings({}).embed.model)
    mapper = AnswerMapper(warehouse, dataset)
    dataset = locate_dataset_gold(dataset, mapper)
    kept: dict[str, np.ndarray] = {}
    facts = []
    for question in dataset.questions:
        for kind, text in enumerate(wordings(question.text, warehouse) if reworded else (question.text,)):
            ranking = Ranking()
            if not dataset.is_paged and not dataset.is_located:
                ranking = replace(ranking, per_document=1)
            asked = find(warehouse, SearchRequest(text, ranking=ranking, k=HITS), model, TODAY).question
            number = len(facts)
            pool, parts = _scored(warehouse, asked)
            units = _units(warehouse, mapper, dataset, question, pool)
            passages = warehouse.snapshot.passages
            factor = np.where(passages.is_references[pool.rows] & (not wants_references(asked)), REFERENCES_FACTOR, 1.0)
            kept[f"scores{number}"] = np.array([pool.cosines, pool.bm25, units, factor])
            kept[f"parts{number}"] = np.array([part.fits for part in parts]).reshape(len(parts), len(pool))
            known = [gold for gold in question.gold if gold.is_known]
            words = split_content_words(asked.text)
            numbers = sum(any(char.isdigit() for char in word) for word in words) / max(1, len(words))
            facts.append(
                {
                    "asked": not kind,
                    "group": question.gold[0].document,
                    "golds": len({gold.document for gold in known}) if ranking.per_document else len(known),
                    "facts": [asked.foreign, numbers, pool.coverage, np.log1p(len(words))],
                    "parts": [(part.name, part.share, part.of_match) for part in parts],
                }
            )
            if number % 50 == 0:
                print(target.name, number, file=sys.stderr, flush=True)
    np.savez_compressed(target, facts=np.array(json.dumps(facts)), **kept)


def _scored(warehouse: Warehouse, asked: Question) -> tuple[CandidatePool, list[ScorePart]]:
    signals = [signal(warehouse.snapshot, asked, None) for signal in SIGNALS]
    pool = gather_candidates(warehouse.snapshot, asked, None)
    for signal in signals:
        pool = signal.add_candidates(pool)
    parts = [part for signal in signals if (part := signal.score(pool))]
    return pool, parts


def _units(
    warehouse: Warehouse, mapper: AnswerMapper, dataset: Dataset, question: JudgedQuestion, pool: CandidatePool
) -> list[float]:
    """What each candidate is: the number of a gold that it shows, else a negative number, the same for a document."""
    passages = warehouse.snapshot.passages
    by_document = not dataset.is_paged and not dataset.is_located
    documents = list(dict.fromkeys(gold.document for gold in question.gold))
    found: list[float] = []
    for row in pool.rows.tolist():
        document = mapper.names[passages.documents[passages.document[row]]]
        start, end = int(passages.start[row]), int(passages.end[row])
        if by_document:
            own = document == question.name and document not in documents
            unit = documents.index(document) if document in documents else -1.0 - int(passages.document[row])
            found.append(np.nan if own else unit)
            continue
        unit = -1.0 - row
        pages = None
        for number, gold in reversed(list(enumerate(g for g in question.gold if g.is_known))):
            if gold.document != document:
                continue
            if gold.page is not None and dataset.is_paged:
                if pages is None:
                    pages = {
                        line.page
                        for line in warehouse.read_lines(passages.documents[passages.document[row]], start, end)
                    }
                if gold.page in pages:
                    unit = float(number)
            elif gold.span and min(end, gold.span[1]) - max(start, gold.span[0]) >= (gold.span[1] - gold.span[0]) / 2:
                unit = float(number)
        found.append(unit)
    return found


@dataclass(frozen=True, eq=False)
class RecordedPool:
    """A question of a set with its candidates, as `record` keeps them.

    `facts` are those of the question that the fit begins from: foreign, numbers, coverage, log of its words.
    """

    group: str
    asked: bool
    golds: int
    facts: Sequence[float]
    scores: np.ndarray
    parts: Sequence[ScorePart]

    @property
    def features(self) -> list[float]:
        """Facts and the shape of the scores of both halves; the first of `facts`, the script, is not fitted."""
        near, same = np.sort(self.scores[0])[::-1], np.sort(self.scores[1])[::-1]
        tenth = min(HITS, len(near)) - 1
        both = [set(np.argsort(-scores, kind="stable")[:HITS].tolist()) for scores in self.scores[:2]]
        most = max(float(same[0]), 1e-9)
        return [
            *self.facts[1:],
            len(both[0] & both[1]) / HITS,
            1 - same[min(1, tenth)] / most,
            same[tenth] / most,
            near[0],
            near[0] - near[tenth],
            self.scores[1][np.argmax(self.scores[0])] / most,
        ]

    def ndcg(self, weight: float, *, both: bool = True, ranks: bool = False) -> float:
        """The nDCG@10 with this weight of the vectors; one half alone has no second hop."""
        cosines, bm25, units, factor = self.scores
        halves = (
            (compute_reciprocal_ranks(cosines), compute_reciprocal_ranks(bm25))
            if ranks
            else (weight * scale_scores(cosines, -1.0), (1 - weight) * scale_scores(bm25, 0.0))
        )
        level = compute_strength(cosines, bm25, weight)
        fused = FusedScores(level * halves[0], level * halves[1])
        parts = [part for part in self.parts if both or part.name != "bridge"]
        total = factor * np.sum(list(add_parts(fused, parts).values()), axis=0)
        best = list(dict.fromkeys(units[np.argsort(-total, kind="stable")].tolist()))[:HITS]
        gain = sum(value for value, unit in zip(GAINS, best, strict=False) if unit >= 0)
        return float(gain / GAINS[: max(1, self.golds)].sum())


def read_pools(file: Path) -> list[RecordedPool]:
    """The questions of a set."""
    with np.load(file) as kept:
        found = []
        for number, fact in enumerate(json.loads(str(kept["facts"]))):
            scores, fits = kept[f"scores{number}"], kept[f"parts{number}"]
            other = ~np.isnan(scores[2])
            parts = [
                ScorePart(name, share, fit[other], of_match=of_match)
                for (name, share, of_match), fit in zip(fact["parts"], fits, strict=True)
            ]
            if other.any():
                pool = fact["group"], fact["asked"], fact["golds"], fact["facts"], scores[:, other], parts
                found.append(RecordedPool(*pool))
        return found


def today(pools: Sequence[RecordedPool]) -> np.ndarray:
    """What `compute_fusion_weight` gives, before the logistic function."""
    facts = np.array([pool.facts for pool in pools])
    return np.asarray(BASE_LOGIT + facts[:, :3] @ np.array([FOREIGN_WEIGHT, NUMBERS_WEIGHT, COVERAGE_WEIGHT]))


def fit(features: np.ndarray, start: np.ndarray, values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Weights of standardised features, drawn to 0, whose logistic beside `start` makes the mean nDCG greatest.

    `values` are the nDCG of each question at each of `WEIGHTS`, smoothed here and read between them by straight lines.
    """
    places = np.arange(len(WEIGHTS))
    kernel = np.exp(-0.5 * ((places[:, None] - places) / 1.5) ** 2)
    smooth, rows = values @ (kernel / kernel.sum(1)[:, None]).T, np.arange(len(values))
    found = np.zeros(features.shape[1])
    for _ in range(STEPS):
        weight = 1 / (1 + np.exp(-(features @ found + start)))
        below = np.minimum((weight * (len(WEIGHTS) - 1)).astype(int), len(WEIGHTS) - 2)
        slope = (smooth[rows, below + 1] - smooth[rows, below]) * (len(WEIGHTS) - 1) * weight * (1 - weight)
        found += RATE * ((counts * slope) @ features - DRAWN * found)
    return found


def train(folder: Path) -> None:
    """Print a row a set: halves, reciprocal ranks, .5, the weight in use, the best constant weight, and the fit."""
    sets = {file.stem: read_pools(file) for file in sorted(folder.glob("*.npz"))}
    pools = [pool for each in sets.values() for pool in each]
    home = np.repeat(np.arange(len(sets)), [len(each) for each in sets.values()])
    values = np.array([[pool.ndcg(weight) for weight in WEIGHTS] for pool in pools])
    raw = np.array([pool.features for pool in pools])
    features = np.column_stack([np.ones(len(pools)), (raw - raw.mean(0)) / (raw.std(0) + 1e-9)])
    start, counts = today(pools), 1 / (len(sets) * np.bincount(home)[home])
    print("| set | asked | vectors | BM25 | ranks | .5 | in use | best constant | left out | use − half | fit − use |")
    print("|---|" + "---:|" * 10)
    means = []
    for number, (name, own) in enumerate(sets.items()):
        there = home == number
        weights = fit(features[~there], start[~there], values[~there], counts[~there])
        new = 1 / (1 + np.exp(-(features[there] @ weights + start[there])))
        old = 1 / (1 + np.exp(-start[there]))
        asked = [place for place, pool in enumerate(own) if pool.asked]
        of_use = np.array([own[place].ndcg(old[place]) for place in asked])
        of_new = np.array([own[place].ndcg(new[place]) for place in asked])
        halves = [np.array([own[place].ndcg(weight, both=False) for place in asked]) for weight in (1.0, 0.0)]
        ranks = np.mean([own[place].ndcg(old[place], ranks=True) for place in asked])
        fixed = values[there][asked].mean(0)
        groups = [own[place].group for place in asked]
        if len(Counter(groups)) < FEWEST:
            groups = [str(place) for place in asked]
        better = max(halves, key=lambda half: float(half.mean()))
        figures = [half.mean() for half in halves] + [ranks, np.interp(0.5, WEIGHTS, fixed), of_use.mean()]
        means.append([*figures, fixed.max(), of_new.mean()])
        shown = [f"{name} | {len(asked)}", *(f"{figure:.3f}" for figure in means[-1])]
        for paired in (of_use - better, of_new - of_use):
            found = difference(paired, groups)
            shown.append(f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f})")
        print(f"| {' | '.join(shown)} |")
    print(f"| mean | | {' | '.join(f'{mean:.3f}' for mean in np.mean(means, axis=0))} | | |")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("set", type=Path)
    recording.add_argument("warehouse", type=Path)
    recording.add_argument("pools", type=Path)
    recording.add_argument("--limit", type=int, help="so many of the questions")
    recording.add_argument("--questions", type=Path, nargs="*", help="files as in benchmarks/filing_questions")
    commands.add_parser("train").add_argument("pools", type=Path)
    given = parser.parse_args()
    if given.command == "train":
        train(given.pools)
        return
    dataset = filings(given.set, given.questions) if given.questions else read_dataset(given.set)
    given.pools.mkdir(parents=True, exist_ok=True)
    target = given.pools / f"{dataset.name}.npz"
    record(
        dataset.limit_questions(given.limit) if given.limit else dataset,
        given.warehouse,
        target,
        reworded=not given.questions,
    )


if __name__ == "__main__":
    main()
