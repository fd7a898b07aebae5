"""Each rule fires on its fault and is silent on its cure; scores follow the findings."""

from __future__ import annotations

import pytest

from tasks.chunkers.making import make_chunks
from tasks.chunkers.structural import Structural
from tasks.quality.contract import RULES
from tasks.quality.scoring import score
from warehouse.records import BlockKind, Chunk, Document, Finding

from .documents import Draft

TARGET = 200
ROWS = [["Quarter", "Revenue"], ["Q1 2023", "100"]]
PROSE = "The company grew in every one of its markets, and it did so without any loans at all. "


class Whole:
    """A chunker of given spans."""

    name = "given"
    version = 1
    size = TARGET

    def __init__(self, *spans: tuple[int, int]) -> None:
        self._spans = spans

    def spans(self, document: Document) -> tuple[tuple[int, int], ...]:
        return self._spans or ((0, len(document.text)),)


def chunks(document: Document, *spans: tuple[int, int]) -> tuple[Chunk, ...]:
    return make_chunks(
        document, document_id="d", title="", source="", document_date=None, mentions=(), entities=(),
        chunker=Whole(*spans),  # type: ignore[arg-type]
    )  # fmt: skip


def judged(document: Document, *spans: tuple[int, int]) -> tuple[list[float], tuple[Finding, ...]]:
    scores, findings = score(chunks(document, *spans), document, TARGET)
    return [each.quality_score for each in scores], findings


PARAGRAPH = Draft().paragraph(PROSE * 2).document()
TABLE = Draft().table(ROWS).document()
FIRING = {
    "empty-chunk": (Draft().paragraph("* * *").document(), ()),
    "starts-mid-sentence": (PARAGRAPH, ((4, len(PARAGRAPH.text)),)),
    "ends-mid-sentence": (PARAGRAPH, ((0, 60),)),
    "too-small": (Draft().paragraph("Tiny.").paragraph(PROSE).document(), ((0, 5),)),
    "low-alphabetic-share": (Draft().paragraph("12 345 11 202 9.2 % 8 114 7 903.").document(), ()),
    "heading-without-body": (Draft().heading("Results of the operations").paragraph(PROSE).document(), ((0, 25),)),
    "split-table": (TABLE, ((0, 40),)),
    "oversized-table": (Draft().table(ROWS * 14).document(), ()),
    "total-does-not-add-up": (
        Draft().table([["", "2023"], ["Tea", "10"], ["Ink", "20"], ["Total", "35"]]).document(),
        (),
    ),
}
SILENT = {
    "prose": PARAGRAPH,
    "chinese": Draft(language="zh").paragraph("公司收入增长了百分之十，利润也增加了很多，市场反应良好。").document(),
    "section": Draft().heading("Results").paragraph(PROSE).document(),
    "list": Draft().paragraph("We sell:").add(BlockKind.LIST, "- pears and apples\n- plums").document(),
    "code": Draft().add(BlockKind.CODE, "x = [1, 2, 3, 4] + {5: 6}[7:8:9]").document(),
    "table": TABLE,
    "short document": Draft().paragraph("Yes, it is.").document(),
}


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_is_documented_and_fires_on_its_fault(name: str) -> None:
    rule = RULES[name]
    assert rule.name == name.replace("_", "-")
    page = __import__(f"tasks.quality.rules.{name}", fromlist=["member"]).__doc__ or ""
    assert page.startswith(f"{rule.code} {rule.name}: ")
    assert all(part in page for part in ("What:", "Why it hurts retrieval:", "Example:", "Cure:"))
    document, spans = FIRING[rule.name]
    found = [finding for finding in judged(document, *spans)[1] if finding.code == rule.code]
    assert [(finding.name, finding.severity) for finding in found] == [(rule.name, rule.severity)]
    assert found[0].chunk_id == chunks(document, *spans)[0].chunk_id


def test_codes_are_unique() -> None:
    assert len({rule.code for rule in RULES.values()}) == len(RULES)


@pytest.mark.parametrize("name", sorted(SILENT))
def test_good_chunks_have_no_findings(name: str) -> None:
    scores, findings = judged(SILENT[name])
    assert findings == ()
    assert scores == [0.9 if name == "table" else 1.0]


def test_blank_chunks_score_nothing() -> None:
    assert judged(FIRING["empty-chunk"][0])[0] == [0.0]


def test_tables_score_high_and_hybrids_highest() -> None:
    assert judged(TABLE)[0] == [0.9]
    assert judged(Draft().paragraph("Revenue by quarter").table(ROWS).document())[0] == [1.0]


@pytest.mark.parametrize(("times", "expected"), [(1, 0.9), (12, 0.75), (30, 0.6)])
def test_oversized_tables_pay_by_size(times: int, expected: float) -> None:
    assert judged(Draft().table(ROWS * times).document())[0] == [expected]


def test_a_piece_from_the_middle_of_a_table_is_found() -> None:
    document = Draft().table(ROWS * 5).document()
    scores, findings = judged(document, (document.tables[0].row_spans[2][0], document.tables[0].row_spans[4][1]))
    assert "split-table" in {finding.name for finding in findings}
    assert scores[0] < 0.6


def test_scores_are_explained_by_penalties() -> None:
    document = Draft().paragraph(PROSE * 30).document()
    made = make_chunks(
        document, document_id="d", title="", source="", document_date=None, mentions=(), entities=(),
        chunker=Structural(size=TARGET, overlap=0),
    )  # fmt: skip
    cut = chunks(document, (4, 60))
    scores, findings = score((*made, *cut), document, TARGET)
    assert all(each.quality_score == 1.0 for each in scores[:-1])
    assert scores[-1].quality_score == pytest.approx(1 - sum(finding.penalty for finding in findings))
