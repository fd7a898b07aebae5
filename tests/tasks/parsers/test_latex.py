"""LaTeX: title, sections, lists, tables, notes, signs; what is broken loses nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.examples import examples
from tests.tasks.parsers.markups import is_linear, loses_no_word, shown, sources
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import DateClaim, DateOrigin, Document, Kind, Merge

PAPER = (Path(__file__).parent / "files/tide-paper.tex").read_bytes()
PIECES = (
    "\\section{@}", "\\subsection*{@ \\emph{@}}", "\\author{@ \\and @}", "\\maketitle", "\\footnote{@}", "@ @",
    "\\begin{itemize}", "\\item @", "\\item[@] @", "\\end{itemize}", "\\begin{enumerate}", "\\end{enumerate}", "", "",
    "\\begin{tabular}{l|r}", "@ & @ \\\\", "\\hline", "\\multicolumn{2}{c}{@} \\\\",
    "\\multirow{2}{*}{@} & @ \\\\[2pt]", "\\end{tabular}", "\\begin{table}[h]", "\\caption{@}", "\\end{table}", "$@$",
    "\\[ @ \\]", "$ @", "{@}", "{", "}", "[@]", "\\begin{verbatim}", "\\end{verbatim}", "\\verb|@|",
    "\\unknown{@}{@}", "\\href{http://a}{@}", "\\cite[@]{@}", "\\ref{@}", "\\'{e}@", "\\textcolor{red}{@}",
    "\\begin{abstract}", "\\end{abstract}", "\\begin{theorem}[@] @", "\\end{theorem}", "\\begin{longtable}{ll}",
    "\\endhead", "\\end{longtable}", "\\bibitem{@} @",
)  # fmt: skip


def tex(*lines: str) -> Document:
    return read(Raw("a.tex", "\n".join(lines).encode()))


def test_latex_is_known_by_its_suffix_or_its_beginning() -> None:
    assert choose_parser(Raw("a.tex", b"Some words.")) == "latex"
    assert choose_parser(Raw("a.txt", PAPER)) == "latex"
    assert choose_parser(Raw("a.md", b"# LaTeX\n\n```\n\\documentclass{article}\n```\n")) == "markdown"


def test_a_paper_says_what_it_is() -> None:
    document = read(Raw("a.tex", PAPER))
    assert document.kind is Kind.PAPER
    assert (document.title, document.authors) == ("Tides at the Pier", ("Ann Lee", "José Núñez"))
    assert document.dates[0] == DateClaim(date(2023, 5, 14), DateOrigin.FRONT_MATTER)
    table = document.tables[0]
    assert (table.caption, table.header_rows) == ("Levels in metres.", 2)
    assert table.merges == (Merge(0, 1, 1, 2),)
    assert "not shown" not in document.text


def test_the_day_of_setting_is_no_date() -> None:
    assert (
        tex("\\documentclass{article}\\title{A}\\date{\\today}\\begin{document}\\maketitle B", "\\end{document}").dates
        == ()
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            'Caf\\\'e, \\"{u}ber, na\\"\\i ve, \\c{c}a, \\v{S}koda, \\o re, \\ss{}',
            "Café, über, naïve, ça, Škoda, øre, ß",
        ),
        ("2019--2021 --- ``so''", "2019–2021 — “so”"),
        ("50\\% of \\$1\\,000 \\& more~than \\textbf{all}", "50% of $1 000 & more than all"),
        ("one % aside\n  two", "one two"),
        ("$a%b$ \\verb+c%d+ end", "$a%b$ c%d end"),
        ("\\iffalse gone \\fi kept", "kept"),
        ("\\def\\x{Pier A}at \\x{} and \\x.", "at Pier A and Pier A."),
        ("line\\\\[2pt]next", "line\nnext"),
        ("an \\unknown[opt]{word}", "an [opt]word"),
        ("{open \\textbf{brace", "open brace"),
        ("costs $5 today\n\nand more", "costs $5 today\n\nand more"),
        ("\\newcommand{\\pier}{Pier A}words", "words\n\npier: Pier A"),
        ("words\n\n\\title{Late}", "words\n\nLate"),
        ("\\input{chap1}", "\\input{chap1}"),
    ],
)
def test_what_a_reader_sees(source: str, words: str) -> None:
    assert tex(source).text == words


def test_a_long_table_has_its_header_once() -> None:
    table = tex(
        "\\begin{longtable}{ll}\\caption{C}\\\\", "A & B \\\\ \\endfirsthead", "A & B \\\\ \\endhead", "1 & 2 \\\\",
        "\\end{longtable}",
    ).tables[0]  # fmt: skip
    assert (table.rows, table.header_rows, table.caption) == ((("A", "B"), ("1", "2")), 1, "C")


def test_lists_stand_inside_each_other() -> None:
    document = tex("\\begin{enumerate}\\item a", "\\begin{itemize}\\item b\\end{itemize}", "\\item c\\end{enumerate}")
    assert shown(document) == [("list", "1. a\n  - b\n2. c")]


@examples(4)
@given(sources(PIECES))
def test_no_word_is_lost(text: str) -> None:
    loses_no_word("latex", text)


@pytest.mark.parametrize(
    ("unit", "end"),
    [
        ("{", "}"), ("\\footnote{a ", "}"), ("$x$ ", ""), ("$", ""), ("\\[", ""), ("\\begin{verbatim}", ""), ("[", "]"),
        ("\\begin{table}", "\\end{table}"), ("\\begin{tabular}{l}a & ", "\\end{tabular}"), ("\\item ", ""),
        ("\\begin{itemize}\\item a ", ""), ("\\caption{a ", "}"), ("a & \\hline ", ""),
        ("\\newcommand{\\a}{\\a\\a}", ""),
    ],
)  # fmt: skip
def test_time_is_linear(unit: str, end: str) -> None:
    is_linear("latex", unit, end)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_a_cut_paper_is_read_as_far_as_it_goes(share: float) -> None:
    document = read(Raw("a.tex", PAPER[: int(len(PAPER) * share)]))
    keeps_its_promises(document)
    assert document.title == "Tides at the Pier"
    assert document.blocks
