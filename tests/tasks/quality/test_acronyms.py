"""What counts as spelling an acronym out, and what does not."""

from __future__ import annotations

import pytest

from tasks.quality.acronyms import is_spelled_out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CAC", "The customer acquisition cost (CAC) fell."),
        ("VACV", "A protein of the vaccinia virus (VACV) was found."),
        ("IFN", "It induces interferon (IFN)."),
        ("UTR", "The untranslated region (UTR) is long."),
        ("WXS", "WXS, whole-exome sequencing; WGS, whole-genome sequencing"),
        ("CAC", "CAC stands for customer acquisition cost."),
        ("R&D", "We spend on research and development (R&D)."),
    ],
)
def test_spelled_out(name: str, text: str) -> None:
    start = text.index(name)
    assert is_spelled_out(name, text, start, start + len(name))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CAC", "CAC fell while LTV rose in all of the shops."),
        ("EED", "EED (present in different isoforms) binds."),
        ("AUC", "The prediction (AUC = 0.76) is good."),
        ("SANT", "The first SANT domain of Ezh2 is near the second."),
    ],
)
def test_not_spelled_out(name: str, text: str) -> None:
    start = text.index(name)
    assert not is_spelled_out(name, text, start, start + len(name))
