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
    "\\newcommand{\\unknown}[2]{#1: #2}", "\\SI{@}{@}", "\\newenvironment{own}{Begin}{End}",
    "\\begin{own}", "\\end{own}",
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


@pytest.mark.parametrize(
    ("definition", "use", "words"),
    [
        ("\\newcommand{\\todo}[1]{TODO: #1}", "\\todo{cite \\emph{this}} now", "TODO: cite this now"),
        ("\\newcommand\\rev[2][blue]{\\textcolor{#1}{#2}}", "\\rev{new} \\rev[red]{old}", "new old"),
        ("\\renewcommand*{\\pair}[2]{#2 before #1}", "\\pair{a}{b}", "b before a"),
        ("\\def\\term#1{<#1>}", "\\term{x} \\term{y}", "<x> <y>"),
        ("\\NewDocumentCommand{\\set}{s m O{v2}}{#2 (#3)}", "\\set{A} \\set*{B}[v9]", "A (v2) B (v9)"),
        ("\\newcommand{\\a}[1]{\\b{#1}{c}}\\newcommand{\\b}[2]{#1-#2}", "\\a{x}", "x-c"),
        ("\\newcommand{\\us}{Acme\\xspace}", "At \\us we, \\us, are \\us.", "At Acme we, Acme, are Acme."),
        ("\\newcommand{\\hide}[1]{}", "a \\hide{b}c", "a c"),
        ("\\newcommand{\\at}[1]{at $x_{#1}$}", "\\at{3}", "at $x_{3}$"),
        ("\\newcommand{\\go}[1]{\\href{https://a.org/#1}{to #1}}", "\\go{b}", "to b"),
        ("\\newenvironment{warn}[1]{Beware of #1:}{So end #1s.}", "\\begin{warn}{dog}it bites\\end{warn}",
         "Beware of dog:it bitesSo end dogs."),
        ("\\newcommand{\\part}[1]{#1}", "\\begin{itemize}\\item \\x{\\item b}\\end{itemize}", "-\n- b"),
        ("\\newcommand{\\note}[2]{{\\color{blue}[#1: #2]}}", "\\note{JD}{check}", "[JD: check]"),
        ("", "\\unknown{one}{two}", "one two"),
        ("", "\\begin{unknown}{one}two\\end{unknown}", "one two"),
        ("", "\\lettrine{T}{his}", "This"),
    ],
)  # fmt: skip
def test_what_an_author_defines_is_put_in_place_with_its_arguments(definition: str, use: str, words: str) -> None:
    document = tex("\\documentclass{article}", definition, "\\begin{document}", use, "\\end{document}")
    assert document.text == words


def test_an_argument_keeps_its_blocks() -> None:
    document = tex(
        "\\documentclass{article}\\newcommand{\\new}[1]{#1}\\begin{document}",
        "\\new{\\section{A} b \\begin{itemize}\\item c\\end{itemize}}\\end{document}",
    )
    assert shown(document) == [("heading", "A"), ("paragraph", "b"), ("list", "- c")]


def test_names_of_names_stay_bounded() -> None:
    lines = [f"\\newcommand{{\\x{chr(98 + n)}}}[1]{{\\x{chr(97 + n)}{{#1}}\\x{chr(97 + n)}{{#1}}}}" for n in range(24)]
    assert len(tex(*lines, "\\newcommand{\\xa}[1]{#1}", "\\xy{word} end").text) < 200_000


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("\\SI{5}{\\milli\\gram}", "5 mg"),
        ("\\qty{12.5}{\\micro\\litre\\per\\minute}", "12.5 µL/min"),
        ("\\SI[per-mode=symbol]{9.81}{\\metre\\per\\second\\squared}", "9.81 m/s²"),
        ("\\qty{4}{m^2}", "4 m²"),
        ("\\qty{3}{kg.m/s}", "3 kg m/s"),
        ("\\SIrange{10}{20}{\\celsius}", "10–20 °C"),
        ("\\qtylist{1;2}{\\volt}", "1, 2 V"),
        ("\\si{\\kilogram\\metre\\squared}", "kg m²"),
        ("\\unit{\\cubic\\centi\\metre}", "cm³"),
        ("\\unit[5]{m}", "5 m"),
        ("\\num{1.2e-3}", "1.2 × 10^-3"),
        ("\\num{5.0+-0.1}", "5.0 ± 0.1"),
        ("\\ang{45;30;}", "45°30′"),
        ("\\DeclareSIUnit\\molar{M}\\qty{2}{\\milli\\molar}", "2 mM"),
        ("\\qty{only one}", "only one"),
        ("\\SI{7}{\\furlong}", "7 furlong"),
    ],
)
def test_quantities_keep_their_units(source: str, words: str) -> None:
    lines = "\\documentclass{article}\\begin{document}", source, "\\end{document}"
    assert tex(*lines).text == words


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
        ("\\newcommand{\\a}{\\a\\a}", ""), ("\\newcommand{\\a}[1]{\\a{#1}\\a{#1}}", ""), ("\\unknown{a}{b}", ""),
        ("\\SI{5}{\\kilo\\gram}", ""), ("\\newcommand{\\a}[1]{#1 #1}\\a{b ", "}"),
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


@pytest.mark.parametrize(
    ("preamble", "body", "words"),
    [
        (r"\newacronym{ctd}{CTD}{conductivity probe}", r"A \gls{ctd}, two \glspl{ctd}, \acrlong{ctd}.",
         "A conductivity probe (CTD), two CTDs, conductivity probe."),
        (r"\newacronym[longplural={remote vehicles}]{rov}{ROV}{remote vehicle}", r"By \Glspl{rov}.",
         "By remote vehicles (ROVs)."),
        (r"\DeclareAcronym{ph}{short=pH, long={potential of {hydrogen}}}", r"\ac{ph} and \acs{ph}.",
         "potential of hydrogen (pH) and pH."),
        (r"\newglossaryentry{fjord}{name={fjord}, description={a deep inlet}}", r"A \gls{fjord}.", "A fjord."),
        ("", r"A \gls{ctd} probe.", "A ctd probe."),
        (r"\usepackage[ngerman]{babel}", """K\\"uhe k"onnen "`gro"s"' sein, X"=Strahlen, Schi"-ffe, \\verb|a"b|.""",
         "Kühe können „groß“ sein, X-Strahlen, Schiffe, a\"b."),
        (r"\usepackage[english]{babel}", r'Say "a.', 'Say "a.'),
    ],
)  # fmt: skip
def test_shorthands_of_packages_are_what_they_show(preamble: str, body: str, words: str) -> None:
    source = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}"
    assert read(Raw("a.tex", source.encode())).text == words


def test_shorthands_in_code_stay() -> None:
    body = '\\begin{lstlisting}\nx = "a"\n\\end{lstlisting}\n\nM"uhe.'
    source = f"\\documentclass{{article}}\\usepackage[ngerman]{{babel}}\\begin{{document}}\n{body}\n\\end{{document}}"
    text = read(Raw("a.tex", source.encode())).text
    assert 'x = "a"' in text
    assert text.endswith("Mühe.")


def test_steps_of_slides_are_no_words_and_their_titles_head_them() -> None:
    source = r"""\documentclass{beamer}\begin{document}
\begin{frame}<1->[fragile]{Why clay?}{A reason}
\begin{itemize}[<+->]\item<1-> It holds\item<2-| alert@2> It \alert<2>{cracks}\end{itemize}
\only<1>{Seen first.} \uncover<2->{Seen later.}
\begin{block}<3->{Law} $a<b>c$\end{block}
\end{frame}
\begin{frame}\frametitle{Results}\begin{column}{0.5\textwidth}Left.\end{column}\end{frame}\end{document}"""
    document = read(Raw("a.tex", source.encode()))
    shown = [document.text[block.start : block.end] for block in document.blocks]
    assert shown == [
        "Why clay?", "A reason", "- It holds\n- It cracks", "Seen first. Seen later.", "Law $a<b>c$",
        "Results", "Left.",
    ]  # fmt: skip
    assert [block.section[-1] for block in document.blocks][::6] == ["Why clay?", "Results"]


def test_the_fields_of_a_letter_name_it() -> None:
    source = r"""\documentclass{scrlttr2}\setkomavar{subject}{Our roof}\setkomavar{date}{3 May 2022}
\setkomavar{fromname}{Ann Lee}\begin{document}
\begin{letter}{Firm}\opening{Dear all,} it leaks.\end{letter}\end{document}"""
    document = read(Raw("a.tex", source.encode()))
    assert (document.title, document.authors, str(document.dates[0].date)) == ("Our roof", ("Ann Lee",), "2022-05-03")


@pytest.mark.parametrize("definition", [r"\newcommand{\row}[3]{#1 & #2 & #3 \\}", r"\newcommand\row[3]{#1&#2&{#3}\\}"])
def test_commands_make_rows(definition: str) -> None:
    source = (
        rf"\documentclass{{article}}{definition}\begin{{document}}\begin{{tabular}}{{lrr}}"
        r"a & b & c \\ \midrule \row{A}{6.1}{\textbf{3}} \row{B}{5.9}{2}\end{tabular}\end{document}"
    )
    assert read(Raw("a.tex", source.encode())).tables[0].rows == (("a", "b", "c"), ("A", "6.1", "3"), ("B", "5.9", "2"))


@pytest.mark.parametrize(
    "unit",
    [
        r"\acro{a}{",
        r"\begin{verbatim}",
        r"\begin{frame}[",
        r"\row{a",
        r"\item<1",
        '"',
        r"\gls{a}",
        r"\newacronym{a}{b}{c",
    ],
)
def test_writing_out_shorthands_is_linear(unit: str) -> None:
    head = r"\documentclass{beamer}\usepackage[ngerman]{babel}\newcommand{\row}[1]{#1 &}\newacronym{a}{b}{c}"
    is_linear("latex", unit, start=head)
