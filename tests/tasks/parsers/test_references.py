"""Exports of reference managers and PubMed: all notations say the same of a publication, and when it came out."""

from __future__ import annotations

from datetime import date
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.publications.bibtex import iter_bibtex_entries
from tasks.parsers.reader import choose_parser, read
from tasks.parsers.references import iter_references, parse_period
from tasks.temporal.entries import find_entries, find_entry
from tests.fuzz.targets import held
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import BlockKind, Document, Kind

NBIB = """PMID- 31535829
OWN - NLM
DP  - 2019 Nov 21
TI  - Dapagliflozin in patients with heart
      failure.
PG  - 1995-2008
VI  - 381
LID - 10.1056/NEJMoa1911303 [doi]
AB  - BACKGROUND: Inhibitors reduce the risk. RESULTS: It occurred in 386 of 2373
      patients (16.3%).
FAU - McMurray, John
AU  - McMurray J
JT  - N Engl J Med
MH  - Humans

PMID- 30415628
DP  - 2018 Nov
TI  - Icosapent ethyl.
AB  - Patients are at risk.
"""
RIS = """TY  - JOUR
AU  - McMurray, John
TI  - Dapagliflozin in patients with heart failure.
JO  - N Engl J Med
VL  - 381
SP  - 1995-2008
DA  - 2019/11/21/
PY  - 2019
DO  - 10.1056/NEJMoa1911303
AB  - BACKGROUND: Inhibitors reduce the risk. RESULTS: It occurred in 386 of 2373 patients (16.3%).
KW  - Humans
ER  -

TY  - JOUR
TI  - Icosapent ethyl.
PY  - 2018
DA  - 2018/11//
AB  - Patients are at risk.
ER  -
"""
BIBTEX = r"""% of 2024
@string{nejm = {N Engl J Med}}
@comment{not shown}
@article{mcmurray, author = {McMurray, John}, title = {{Dapagliflozin} in patients with heart failure.},
  journal = nejm, volume = 381, pages = "1995-2008", date = {2019-11-21}, doi = {10.1056/NEJMoa1911303},
  abstract = {BACKGROUND: Inhibitors reduce the risk. RESULTS: It occurred in 386 of 2373 patients (16.3\%).},
  keywords = {Humans}
}
@article(bhatt, title = "Icosapent ethyl.", year = 2018, month = nov, abstract = {Patients are at risk.})
"""
ENDNOTE = """%0 Journal Article
%A McMurray, John
%T Dapagliflozin in patients with heart failure.
%J N Engl J Med
%V 381
%P 1995-2008
%8 2019 Nov 21
%D 2019
%R 10.1056/NEJMoa1911303
%X BACKGROUND: Inhibitors reduce the risk. RESULTS: It occurred in 386 of 2373 patients (16.3%).
%K Humans

%0 Journal Article
%T Icosapent ethyl.
%D 2018
%8 2018 Nov
%X Patients are at risk.
"""
ABSTRACTS = """1. N Engl J Med. 2019 Nov 21;381(21):1995-2008. doi: 10.1056/NEJMoa1911303. Epub
2019 Sep 19.

Dapagliflozin in patients with heart failure.

McMurray John(1).

Author information:
(1)From Glasgow.

BACKGROUND: Inhibitors reduce the risk.
RESULTS: It occurred in 386 of 2373 patients (16.3%).

Copyright 2019.

DOI: 10.1056/NEJMoa1911303
PMID: 31535829 [Indexed for MEDLINE]


2. N Engl J Med. 2018 Nov;380(1):11-22.

Icosapent ethyl.

Bhatt DL(1).

Patients are at risk.

PMID: 30415628
"""
NOTATIONS = {"a.nbib": NBIB, "a.ris": RIS, "a.bib": BIBTEX, "a.enw": ENDNOTE, "abstract-heart-set.txt": ABSTRACTS}


def _read(name: str, text: str) -> Document:
    found = read(Raw(name, text.encode()))
    keeps_its_promises(found)
    return found


@pytest.mark.parametrize("suffix", ["", ".txt"])
@pytest.mark.parametrize("name", NOTATIONS)
def test_all_notations_say_the_same(name: str, suffix: str) -> None:
    assert choose_parser(Raw(name + suffix, NOTATIONS[name].encode())) == "references"
    found = _read(name + suffix, NOTATIONS[name])
    headings = [found.text[block.start : block.end] for block in found.blocks if block.kind is BlockKind.HEADING]
    assert [heading.rstrip(".") for heading in headings] == [
        "2019-11-21",
        "Dapagliflozin in patients with heart failure",
        "2018-11",
        "Icosapent ethyl",
    ]
    first = next(iter(iter_references(NOTATIONS[name])))
    assert first.abstract == (
        "BACKGROUND: Inhibitors reduce the risk.",
        "RESULTS: It occurred in 386 of 2373 patients (16.3%).",
    )
    assert (first.journal, first.period, first.doi) == ("N Engl J Med", "2019-11-21", "10.1056/NEJMoa1911303")
    assert first.authors[0].replace(",", "") == "McMurray John"
    assert found.kind is Kind.TEXT


@pytest.mark.parametrize("name", NOTATIONS)
def test_each_publication_is_of_when_it_came_out(name: str) -> None:
    found = _read(name, NOTATIONS[name])
    entry = find_entry(find_entries(found), found.text.index("Patients are at risk."))
    assert entry
    assert entry.days == (date(2018, 11, 1), date(2018, 12, 1))


def test_a_single_publication_is_a_paper() -> None:
    found = _read("one.nbib", NBIB.split("\n\n")[0])
    assert (found.kind, found.title) == (Kind.PAPER, "Dapagliflozin in patients with heart failure.")
    assert found.authors == ("McMurray, John",)
    assert [claim.date for claim in found.dates] == [date(2019, 11, 21)]
    assert (found.attributes.pmid, found.attributes.keywords) == ("31535829", ("Humans",))


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2019 Nov 21", "2019-11-21"),
        ("2019/05/14/", "2019-05-14"),
        ("2019-05", "2019-05"),
        ("2019 Sep-Oct", "2019-09"),
        ("2018 Winter", "2018"),
        ("1997", "1997"),
        ("2019 Feb 31", "2019-02"),
        ("in press", ""),
    ],
)
def test_when_it_came_out(text: str, period: str) -> None:
    assert parse_period(text) == period


def test_bibtex_in_all_its_forms() -> None:
    (entry,) = iter_bibtex_entries(
        r"""@book{k, author = {Schr{\"o}dinger, E. and {Barnes and Noble}}, title = "A {"}quoted{"} title", year = 1935,
        note = "Read in " # mar # { of 2020}, series = {A
        B},}"""
    )
    assert entry["author"] == ["Schrödinger, E.", "Barnes and Noble"]
    assert entry["note"] == ["Read in March of 2020"]
    assert entry["series"] == ["A B"]
    assert entry["year"] == ["1935"]


@pytest.mark.parametrize("name", NOTATIONS)
@given(share=st.floats(0, 1))
def test_exports_that_are_cut_are_read_or_refused(name: str, share: float) -> None:
    text = NOTATIONS[name][: int(len(NOTATIONS[name]) * share)] or "x"
    held(partial(read, Raw(name, text.encode())), text.encode())


def test_numbered_notes_are_no_publications() -> None:
    text = "1. Visit the fair of 2019 and buy seeds.\n\n2. Plant them.\n"
    assert choose_parser(Raw("notes.txt", text.encode())) == "text"
