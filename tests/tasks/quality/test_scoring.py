"""Scores follow the findings, and tables have criteria of their own."""

from __future__ import annotations

import pytest

from tasks.quality.scoring import score_document
from tests.tasks.documents import Draft
from tests.tasks.quality.cases import PROSE, ROWS, TABLE
from tests.tasks.quality.checking import subject
from warehouse.records import BlockKind, Document

GOOD: dict[str, Document] = {
    "prose": Draft().paragraph(PROSE * 2).document(),
    "chinese": Draft(language="zh").paragraph("公司收入增长了百分之十，利润也增加了很多，市场反应良好。").document(),
    "section": Draft().heading("Results").paragraph(PROSE).document(),
    "list": Draft().paragraph("We sell:").add(BlockKind.LIST, "- pears and apples\n- plums").document(),
    "code": Draft().add(BlockKind.CODE, "x = [1, 2, 3, 4] + {5: 6}[7:8:9]").document(),
    "table": TABLE,
    "hybrid": Draft().paragraph("Revenue by quarter").table(ROWS).document(),
    "short document": Draft().paragraph("Yes, it is.").document(),
}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_good_chunks_have_no_findings(name: str) -> None:
    scores, findings = score_document(subject(GOOD[name]))
    assert findings == ()
    assert [each.quality_score for each in scores] == [0.9 if name == "table" else 1.0]


@pytest.mark.parametrize(("times", "expected"), [(1, 0.9), (12, 0.75), (30, 0.6)])
def test_oversized_tables_pay_by_size(times: int, expected: float) -> None:
    scores, _ = score_document(subject(Draft().table([ROWS[0], *[ROWS[1]] * (2 * times - 1)]).document()))
    assert [each.quality_score for each in scores] == [expected]


def test_blank_chunks_score_nothing() -> None:
    assert score_document(subject(Draft().paragraph("* * *").document()))[0][0].quality_score == 0.0


def test_a_score_is_what_its_findings_leave() -> None:
    document = Draft().paragraph(PROSE * 2).document()
    scores, findings = score_document(subject(document, (4, 60)))
    assert len(findings) == 2
    assert scores[0].quality_score == pytest.approx(1 - sum(finding.penalty for finding in findings))


def test_a_piece_from_the_middle_of_a_table_is_found() -> None:
    document = Draft().table([ROWS[0], *[ROWS[1]] * 9]).document()
    spans = document.tables[0].row_spans
    scores, findings = score_document(subject(document, (spans[2][0], spans[4][1])))
    assert "split-table" in {finding.name for finding in findings}
    assert scores[0].quality_score < 0.6
