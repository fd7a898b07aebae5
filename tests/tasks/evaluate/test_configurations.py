"""Every part of the ranking can be measured: there is a ranking with it and one without."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tasks.evaluate.configurations import build_rankings, choose_rankings
from warehouse.errors import BadInput
from warehouse.records import Fusion, Mode, Ranking


def test_the_default_is_among_them_and_all_differ() -> None:
    found = build_rankings("sharp")
    assert found["hybrid"] == Ranking()
    assert found["with-sharp"].reranker == "sharp"
    assert {ranking.mode for ranking in found.values()} == set(Mode)
    assert {ranking.fusion for ranking in found.values()} == set(Fusion)
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    "part", [each.name for each in fields(Ranking) if isinstance(getattr(Ranking(), each.name), bool)]
)
def test_each_switch_is_turned_off_once(part: str) -> None:
    off = [name for name, ranking in build_rankings().items() if not getattr(ranking, part)]
    assert off == [f"without-{part}"]


def test_parts_are_chosen_by_name() -> None:
    assert list(choose_rankings(["hybrid", "dense"])) == ["dense", "hybrid"]
    assert choose_rankings([]) == build_rankings()
    assert list(choose_rankings(["with-maxsim"], "maxsim")) == ["with-maxsim"]
    with pytest.raises(BadInput, match="no part is named 'sparse': choose from dense, keyword"):
        choose_rankings(["dense", "sparse"])
    with pytest.raises(BadInput, match="no reranker is named 'nobody': choose from"):
        choose_rankings([], "nobody")
