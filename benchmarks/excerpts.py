"""How much of what answers stands in the excerpts that are shown, beside whole passages.

    python benchmarks/excerpts.py [--data ../shared/data] [--work FOLDER] [--half choose] [--group timeqa] [--errors]

Questions with known answers are asked with the default search, five hits each: TimeQA (times asked of dated articles,
many of them chronologies and lists; `timeqa, no times` searches with `times=False`), and groups of `answers.py` asked
without a document: TAT-QA's paragraphs and tables in reports, passages with exact gold excerpts, HotpotQA and DRCD. Of
the last two only the passage that answers is known, so any part of it counts.

`passage`: the gold stands in one of the passages; `excerpt`: in one of their excerpts; `kept`: the latter as a share of
the former; `length`: of the excerpts, as a share of the passages' lengths, both summed over a question's hits, mean
over questions; `none`: hits without an excerpt. Articles, and questions of the other groups, are in one of two halves
by a hash: "choose" is looked at, "report" is only reported.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from benchmarks.answer_exam.outcomes import Rule, fits
from benchmarks.answer_exam.questions import questions, write_documents
from benchmarks.answer_exam.reports import half_of, hashed
from benchmarks.answers import TODAY, ingest
from benchmarks.passages.remembering import remembering
from benchmarks.passages.timeqa import natural
from tasks.ask.excerpts import with_excerpts
from tasks.embedders.embedder import Embedder
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import Hit, Ranking, SearchRequest

ARTICLES = 60  # Articles of TimeQA in each half.
HITS = 5
GROUPS = ("timeqa", "timeqa, no times", "paragraphs", "tables", "prose", "hotpotqa", "drcd")
_NO_WORD = re.compile(r"[^\w-]+")
_HEADING = re.compile(r"[^-\W].{0,60} ?\.")


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question of a group: texts that fit `gold` by `rule` hold its answer."""

    group: str
    half: str
    warehouse: str
    text: str
    rule: Rule
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What the hits of a question show of its gold; `length` is the excerpts' share of the passages' characters."""

    passage: bool
    excerpt: bool
    length: float
    none: int


def main() -> None:
    """Print a row a group, or the questions whose answer no excerpt shows though a passage has it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--work", type=Path, default=Path(__file__).parents[2] / "answers")
    parser.add_argument("--half", choices=("choose", "report"), default="choose")
    parser.add_argument("--most", type=int, default=100, help="questions of a group; of TimeQA's all")
    parser.add_argument("--group", action="append", choices=GROUPS, help="only these groups")
    parser.add_argument("--errors", action="store_true", help="what was lost, in place of the table")
    options = parser.parse_args()
    if options.errors and options.half == "report":
        parser.error("what is lost of the half that is reported is not shown: leave --errors out")
    groups = options.group or GROUPS
    asked = [each for each in gold_questions(options.data, options.most, options.work) if each.half == options.half]
    embedder = remembering("minilm")
    print("| group | questions | passage | excerpt | kept | length | none |\n|---|" + "---:|" * 6)
    for name in groups:
        own = [each for each in asked if each.group == name.partition(",")[0]]
        rows: list[Shown] = []
        for each, hits in searched(own, options.work, embedder, times="no times" not in name):
            rows.append(measured(each, hits))
            if options.errors and rows[-1].passage and not rows[-1].excerpt:
                print(_loss(each, hits))
        print(_row(name, rows), flush=True)


def gold_questions(data: Path, most: int, work: Path) -> list[GoldQuestion]:
    """The questions of all groups; their documents are written and ingested where there are none yet."""
    articles = list(_articles(data))
    for title, text, _ in articles:
        place = work / "documents" / "timeqa" / f"{_NO_WORD.sub('-', title)}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    names = [name for name in write_documents(data, work / "documents") if name != "filings"]
    ingest(["timeqa", *names], work)
    known = [
        GoldQuestion(each.group, each.half, each.warehouse, each.text, each.rule, each.gold)
        for each in questions(data, most)
        if each.group in GROUPS and each.warehouse != "filings"
    ]
    return [*known, *(each for *_, own in articles for each in own)]


def _articles(data: Path) -> Iterator[tuple[str, str, list[GoldQuestion]]]:
    """Title, Markdown and questions of the first articles of each half, in the order of a hash."""
    articles = json.loads((data / "timeqa" / "human_annotated_train.json").read_text(encoding="utf-8"))
    by_link = {article["link"]: article for article in articles if any(_answers(article))}
    for half in ("choose", "report"):
        for link in sorted((each for each in by_link if half_of(each) == half), key=hashed)[:ARTICLES]:
            article = by_link[link]
            yield natural(article["paras"][0]), _markdown(article["paras"]), list(_asked(article, half))


def _markdown(paragraphs: Sequence[str]) -> str:
    """An article with headings; list lines that follow one another stand together."""
    parts = [f"# {natural(paragraphs[0])}"]
    for is_list, group in groupby(paragraphs[1:], key=lambda each: each.startswith("- ")):
        texts = [natural(each) for each in group if each.strip()]
        parts += ["\n".join(texts)] if is_list else [_with_mark(text) for text in texts]
    return "\n\n".join(filter(None, parts)) + "\n"


def _with_mark(text: str) -> str:
    return f"## {text.rstrip(' .')}" if _HEADING.fullmatch(text) and len(text.split()) < 8 else text


def _answers(article: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for text, answers in article["questions"]:
        if given := [each for each in answers if each["answer"]]:
            yield text, given


def _asked(article: dict[str, Any], half: str) -> Iterator[GoldQuestion]:
    for text, answers in _answers(article):
        gold = tuple(natural(each["answer"]) for each in answers)
        yield GoldQuestion("timeqa", half, "timeqa", text, Rule.SPAN, gold)


def searched(
    asked: Sequence[GoldQuestion], work: Path, embedder: Embedder, *, times: bool
) -> Iterator[tuple[GoldQuestion, list[Hit]]]:
    """Each question with its hits and their excerpts."""
    warehouses = {name: Warehouse(work / name) for name in {each.warehouse for each in asked}}
    for each in asked:
        request = SearchRequest(each.text, ranking=Ranking(times=times), k=HITS)
        found = find(warehouses[each.warehouse], request, embedder, TODAY)
        yield each, with_excerpts(found.question, found.hits, embedder)


def measured(asked: GoldQuestion, hits: Sequence[Hit]) -> Shown:
    """What the passages and the excerpts of hits show."""
    passages = [hit.text for hit in hits]
    excerpts = [hit.excerpt_text for hit in hits if hit.excerpt]
    return Shown(
        fits(passages, asked.rule, asked.gold),
        fits(excerpts, asked.rule, asked.gold),
        sum(map(len, excerpts)) / max(sum(map(len, passages)), 1),
        len(hits) - len(excerpts),
    )


def _row(name: str, rows: Sequence[Shown]) -> str:
    count = len(rows) or 1
    passage, excerpt = sum(row.passage for row in rows), sum(row.excerpt for row in rows)
    kept, length = excerpt / max(passage, 1), sum(row.length for row in rows) / count
    shares = f"{passage / count:.3f} | {excerpt / count:.3f} | {kept:.3f} | {length:.3f}"
    return f"| {name} | {len(rows)} | {shares} | {sum(row.none for row in rows) / count:.2f} |"


def _loss(asked: GoldQuestion, hits: Sequence[Hit]) -> str:
    place = next(number for number, hit in enumerate(hits) if fits([hit.text], asked.rule, asked.gold))
    hit = hits[place]
    shown = f"  shown: {hit.excerpt_text!r}\n  whole: {hit.text!r}"
    return f"\n{asked.text}\n  gold: {' | '.join(asked.gold)}\n  hit {place + 1} of {hit.citation.title}\n{shown}"


if __name__ == "__main__":
    main()
