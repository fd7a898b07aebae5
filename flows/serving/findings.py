"""What is wrong with documents, as Markdown: of those that a run worked on, and of all by the check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from flows.serving.markdown import table
from tasks.check.report import Report
from tasks.quality.wording import counted
from warehouse.records import FAILURES, CatalogEntry, Output
from warehouse.store.lake import Lake

FINDERS = ("parse", *FAILURES, "temporal", "score")
WORST = 10


def found_markdown(worked: Sequence[CatalogEntry], lake: Lake) -> str:
    """The findings in the documents of a run by rule, and the documents whose passages score least."""
    outputs = [(each, output) for each in worked for output in each.outputs]
    findings = _rows(lake, "findings", ["key", "code", "name", "severity"], outputs, FINDERS)
    scores = _rows(lake, "scores", ["key", "quality_score"], outputs, ("score",))
    columns = ["code", "name", "severity"]
    by_rule = findings.group_by(columns).aggregate([([], "count_all"), ("key", "count_distinct")]).to_pylist()
    rules = sorted(by_rule, key=lambda row: (-row["count_all"], row["code"]))
    means = scores.group_by("key").aggregate([("quality_score", "mean")]).to_pylist()
    sources = {output.key: catalog_entry.file.source for catalog_entry, output in outputs if output.stage == "score"}
    worst = sorted((round(row["quality_score_mean"], 3), sources[row["key"]]) for row in means)
    head = f"{counted(findings.num_rows, 'finding')} in {counted(len(worked), 'document')} that this run worked on."
    return "\n\n".join(
        [
            f"{head} Those between documents are the quality report's, or `kalends check --warehouse`'s.",
            table(
                ("rule", "name", "severity", "findings", "documents"),
                ([*(row[name] for name in columns), row["count_all"], row["key_count_distinct"]] for row in rules),
            ),
            table(("quality", "source"), _less_than_whole(worst)),
        ]
    )


def checked_markdown(report: Report, files: Iterable[Path]) -> str:
    """What the check finds by rule, the documents that score least, and where the whole report lies."""
    counts: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for entry in report.entries:
        finding = entry.located.finding
        counts[finding.code, finding.name, str(finding.severity)].append(entry.path)
    rules = sorted(counts.items(), key=lambda each: (-len(each[1]), each[0]))
    worst = sorted((file.score, file.path, len(file.entries)) for file in report.files if file.score is not None)
    head = f"{counted(report.by_severity.total(), 'finding')} in {counted(len(report.files), 'document')}"
    return "\n\n".join(
        [
            f"{head}, score {'none' if report.score is None else report.score}.",
            table(
                ("rule", "name", "severity", "findings", "documents"),
                ((*rule, len(paths), len(set(paths))) for rule, paths in rules),
            ),
            table(("quality", "source", "findings"), _less_than_whole(worst)),
            "\n".join(f"- [{file.name}]({file.as_uri()})" for file in files),
        ]
    )


def _less_than_whole(scored: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """The worst of some rows that begin with a score; the best there is is no news."""
    return [row for row in scored if row[0] < 1][:WORST]


def _rows(
    lake: Lake, name: str, columns: list[str], outputs: Iterable[tuple[CatalogEntry, Output]], stages: Sequence[str]
) -> pa.Table:
    """The rows of a lake table for the outputs of some stages; identical documents share them."""
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for _, output in outputs:
        if output.stage in stages:
            keys[output.file].add(output.key)
    read = (pq.read_table(lake.path(name, file), columns=columns) for file in keys)
    parts = (part.filter(pc.field("key").isin(list(of))) for part, of in zip(read, keys.values(), strict=True))
    return pa.concat_tables(chain(parts, [_empty(columns)]))


def _empty(columns: Sequence[str]) -> pa.Table:
    kinds = {"quality_score": pa.float64()}
    return pa.table({name: pa.array([], kinds.get(name, pa.string())) for name in columns})
