"""Papers in JATS."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.parsers.trees import read_xml
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateOrigin, Document, Kind, Merge

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples/papers"
SHARED = ROOT / "../shared/data/jats"
WORD = re.compile(r"[^\W_]+")


def article(body: str, *, front: str = "", back: str = "", root: str = 'article-type="research-article"') -> Document:
    """A paper with these parts."""
    meta = f"<title-group><article-title>T</article-title></title-group>{front}"
    text = f"<article {root}><front><article-meta>{meta}</article-meta></front><body>{body}</body>{back}</article>"
    return read(Raw("a.xml", text.encode()))


def shown(document: Document) -> list[str]:
    """The blocks after the title."""
    return [document.text[block.start : block.end] for block in document.blocks][1:]


def test_a_paper_knows_where_it_appeared() -> None:
    paper = read(Raw("a.xml", (SAMPLES / "nitrate-drift.xml").read_bytes()))
    assert paper.kind is Kind.PAPER
    assert paper.authors == ("Tuva Brekke", "Daniel Okafor", "Mei Lin")
    assert paper.attributes.journal == "Journal of Sea Instruments"
    assert (paper.attributes.pmcid, paper.attributes.doi) == ("PMC9900142", "10.99999/jsi.2024.0142")
    assert paper.attributes.paper_type == "Research Article"
    assert (paper.dates[0].date, paper.dates[0].origin) == (date(2024, 11, 14), DateOrigin.PUBLICATION)
    assert paper.tables[0].header_rows == 2
    assert paper.tables[0].caption == "Table 1 Median drift by depth and time."
    assert paper.tables[0].notes == ("Four sensors at each depth.",)
    assert not paper.findings


@pytest.mark.parametrize(
    "data",
    [
        (SAMPLES / "window-coating-abstract.xml").read_bytes(),
        b"<article><front><article-meta><abstract><p>A</p></abstract></article-meta></front></article>",
        b"<article><front/><body> <sec/>\n</body></article>",
        b"<article><!-- document supplied by publisher as abstract only --><front/><body><p>x</p></body></article>",
    ],
)
def test_a_paper_without_its_full_text_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="full text") as refusal:
        read(Raw("a.xml", data))
    assert (refusal.value.code, refusal.value.name) == ("DOC007", "abstract-only")


@pytest.mark.parametrize("root", ["book", "book-part-wrapper", "tei", "article"])
def test_xml_of_other_kinds_is_refused_by_name(root: str) -> None:
    data = f'<?xml version="1.0"?><{root}><info>x</info></{root}>'.encode()
    with pytest.raises(UnreadableFile, match=f"<{root}>"):
        read(Raw("a.xml", data))


FULL = (
    "<article><front><article-meta><article-id pub-id-type='doi'>10.1/{0}</article-id><title-group><article-title>{0}"
)
FULL += "</article-title></title-group></article-meta></front><body><p>text of {0}</p></body></article>"
ABSTRACT = "<article><front><article-meta/></front></article>"


@pytest.mark.parametrize(
    "wrapper",
    [
        "<pmc-articleset>{}</pmc-articleset>",
        "<OAI-PMH xmlns='o'><GetRecord><record><metadata>{}</metadata></record></GetRecord></OAI-PMH>",
        "<!DOCTYPE records SYSTEM 'x.dtd'><records>{}</records>",
    ],
)
def test_an_article_in_a_wrapper_is_the_document(wrapper: str) -> None:
    paper = read(Raw("a.xml", wrapper.format(FULL.format("one")).encode()))
    assert (paper.kind, paper.title, paper.attributes.doi) == (Kind.PAPER, "one", "10.1/one")


def test_several_articles_are_sections_and_abstracts_among_them_are_left_out() -> None:
    inner = FULL.format("one") + ABSTRACT + FULL.format("two")
    paper = read(Raw("a.xml", f"<pmc-articleset>{inner}</pmc-articleset>".encode()))
    assert [block.section for block in paper.blocks] == [("one",), ("one",), ("two",), ("two",)]
    assert (paper.title, paper.attributes.doi) == ("", "")
    assert [(finding.code, finding.message) for finding in paper.findings] == [
        ("DOC007", "of the 3 papers in it, 1 are there as abstracts only and left out")
    ]


@pytest.mark.parametrize(
    "data",
    [
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "J"><article><front/><body><p>a&alpha;</p></body></article>',
        '<!DOCTYPE article [<!ENTITY x SYSTEM "/etc/passwd">]><article><front/><body><p>aα</p></body></article>',
        '<article xmlns="https://jats.nlm.nih.gov"><front/><body><p>aα</p></body></article>',
        '<j:article xmlns:j="urn:j"><j:front/><j:body><j:p>aα</j:p></j:body></j:article>',
    ],
)
def test_namespaces_and_doctypes_make_no_difference(data: str) -> None:
    assert read(Raw("a.xml", f'<?xml version="1.0"?>{data}'.encode())).text == "aα"


def test_identifiers_subjects_and_keywords() -> None:
    front = (
        "<article-id pub-id-type='pmcid'>PMC12.2</article-id><article-id pub-id-type='pmid'>345</article-id>"
        "<article-id pub-id-type='doi'>https://doi.org/10.1/x</article-id>"
        "<article-categories><subj-group><subject>Systematic Review</subject></subj-group><subj-group><subject>Medicine"
        "</subject><subj-group><subject>Sleep</subject></subj-group></subj-group></article-categories>"
        "<kwd-group kwd-group-type='author'><kwd>one <italic>two</italic></kwd><compound-kwd><compound-kwd-part>a"
        "</compound-kwd-part><compound-kwd-part>b</compound-kwd-part></compound-kwd></kwd-group>"
        "<kwd-group kwd-group-type='abbreviations'><kwd>ABC</kwd></kwd-group>"
    )
    known = article("<p>x</p>", front=front).attributes
    assert (known.pmcid, known.pmid, known.doi, known.paper_type) == ("PMC12", "345", "10.1/x", "Review")
    assert known.subjects == ("Systematic Review", "Medicine", "Sleep")
    assert known.keywords == ("one two", "a b")


@pytest.mark.parametrize(
    ("kind", "subject", "expected"),
    [("review-article", "Article", "Review"), ("research-article", "Article", "Research Article"),
     ("other", "Perspective", "Perspective"), ("case-report", "", "Case Report"), ("", "", "")],
)  # fmt: skip
def test_the_type_of_a_paper_in_words(kind: str, subject: str, expected: str) -> None:
    front = f"<article-categories><subj-group><subject>{subject}</subject></subj-group></article-categories>"
    assert article("<p>x</p>", front=front, root=f'article-type="{kind}"').attributes.paper_type == expected


def test_authors_are_people_and_groups_and_no_editors() -> None:
    front = (
        "<contrib-group>"
        "<contrib contrib-type='author'><name><surname>Doe</surname><given-names>Ann</given-names></name></contrib>"
        "<contrib contrib-type='author'><name-alternatives><name name-style='eastern'><surname>王</surname>"
        "<given-names>伟</given-names></name><name><surname>Wang</surname></name></name-alternatives></contrib>"
        "<contrib contrib-type='author'><collab>The Group<contrib-group><contrib><name><surname>Member</surname></name>"
        "</contrib></contrib-group></collab></contrib>"
        "<contrib contrib-type='editor'><name><surname>Ed</surname></name></contrib>"
        "<on-behalf-of>on behalf of all</on-behalf-of></contrib-group>"
    )
    assert article("<p>x</p>", front=front).authors == ("Ann Doe", "王 伟", "The Group", "on behalf of all")


def pub(kind: str, year: str, month: str = "", day: str = "") -> str:
    parts = "".join(f"<{tag}>{text}</{tag}>" for tag, text in (("day", day), ("month", month), ("year", year)) if text)
    return f"<pub-date {kind}>{parts}</pub-date>"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (pub("pub-type='collection'", "2013") + pub("pub-type='epub'", "2013", "4", "9"), date(2013, 4, 9)),
        (pub("pub-type='ppub'", "2013", "Sep") + pub("pub-type='pmc-release'", "2014", "1", "2"), date(2013, 9, 1)),
        (pub("pub-type='ppub'", "2012", "12", "30") + pub("pub-type='epub'", "2013"), date(2012, 12, 30)),
        (
            pub("date-type='pub' publication-format='print'", "2020", "3", "1")
            + pub("date-type='pub' publication-format='electronic'", "2020", "2", "1"),
            date(2020, 2, 1),
        ),
        ("<pub-date iso-8601-date='2021-05-06'><string-date>May 6 2021</string-date></pub-date>", date(2021, 5, 6)),
        ("<pub-date><season>Spring</season><year>1999</year></pub-date>", date(1999, 4, 1)),
    ],
)
def test_of_several_dates_the_first_on_which_it_could_be_read(written: str, expected: date) -> None:
    assert article("<p>x</p>", front=written).dates[0].date == expected


def test_abstracts_of_every_kind_are_whole() -> None:
    front = (
        "<abstract><sec><title>Aim</title><p>one</p></sec><sec><title>Result</title><p>two</p></sec></abstract>"
        "<abstract abstract-type='author-summary'><title>Author Summary</title><p>three</p></abstract>"
        "<abstract abstract-type='graphical'><p>four</p></abstract>"
    )
    assert shown(article("<p>body</p>", front=front)) == [
        "Abstract", "Aim", "one", "Result", "two", "Author Summary", "three", "Graphical abstract", "four", "body",
    ]  # fmt: skip


def test_what_stands_in_a_group_is_in_its_section_and_what_follows_is_not() -> None:
    paper = article(
        "<sec><title>S</title><p>a</p><boxed-text><caption><title>Box</title></caption><p>in</p></boxed-text><p>b</p>"
        "<sec><label>1.1</label><title>Inner</title><p>c</p></sec></sec><p>last</p>"
    )
    assert {paper.text[block.start : block.end]: block.section[1:] for block in paper.blocks[2:]} == {
        "a": ("S",), "Box": ("S", "Box"), "in": ("S", "Box"), "b": ("S",), "1.1 Inner": ("S", "1.1 Inner"),
        "c": ("S", "1.1 Inner"), "last": (),
    }  # fmt: skip


def test_what_floats_in_a_paragraph_does_not_cut_its_sentence() -> None:
    note, figure = (
        "<fn><label>*</label><p>note</p></fn>",
        "<fig><label>Fig 1</label><caption><p>cap</p></caption></fig>",
    )
    assert shown(article(f"<p>One{note} and{figure} two.</p>")) == ["One and two.", "* note", "Fig 1 cap"]


TABLE = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td colspan='2'>1</td></tr></tbody></table>"
WRAP = (
    "<table-wrap><label>Table 1</label><caption><title>Name.</title><p>More.</p></caption><alternatives><graphic/>"
    f"{TABLE}</alternatives><table-wrap-foot><fn><label>a</label><p>note</p></fn><p>plain</p></table-wrap-foot></table-wrap>"
)


@pytest.mark.parametrize(
    ("body", "back"),
    [(WRAP, ""), (f"<p>{WRAP}</p>", ""), ("<p>x</p>", f"<floats-group>{WRAP}</floats-group>"),
     ("<p>x</p>", f"<back><app-group><app>{WRAP}</app></app-group></back>")],
)  # fmt: skip
def test_a_table_wherever_it_stands_with_its_caption_and_notes_once(body: str, back: str) -> None:
    paper = article(body, back=back)
    (table,) = paper.tables
    assert (table.caption, table.notes) == ("Table 1 Name.", ("a note", "plain"))
    assert (table.rows, table.merges) == ((("a", "b"), ("1", "")), (Merge(1, 0, 1, 2),))
    listing = "[TABLE 1]\n| a | b |\n| --- | --- |\n| 1 |  |\n[END TABLE]"
    assert [text for text in shown(paper) if text != "x"] == ["Table 1 Name. More.", listing, "a note", "plain"]


def test_a_table_in_a_file_in_a_figure_is_read_once() -> None:
    inner = f"<supplementary-material><label>S1</label>{WRAP}</supplementary-material>"
    assert len(article(f"<fig><label>F</label>{inner}</fig>").tables) == 1


def test_tables_of_the_exchange_model_and_graphics_without_a_table() -> None:
    cells = "<row><entry namest='c1' nameend='c2'>wide</entry></row><row><entry>1</entry><entry>2</entry></row>"
    group = f"<tgroup cols='2'><colspec colname='c1'/><colspec colname='c2'/><tbody>{cells}</tbody></tgroup>"
    body = f"<table-wrap><table>{group}</table></table-wrap><table-wrap><label>T2</label><graphic/></table-wrap>"
    paper = article(body)
    assert [table.rows for table in paper.tables] == [(("wide", ""), ("1", "2"))]
    assert shown(paper)[-1] == "T2"


TEX = "<tex-math>\\begin{document}$x$\\end{document}</tex-math>"


@pytest.mark.parametrize(
    ("inline", "expected"),
    [
        ("word<sup><xref ref-type='bibr'>1</xref>,<xref>2</xref></sup>.", "word [1,2]."),
        ("word<xref ref-type='bibr'><sup>12</sup></xref> x", "word [12] x"),
        ("word<xref ref-type='bibr'>3–5</xref>.", "word [3–5]."),
        ("see [<xref>3</xref>]", "see [3]"),
        ("10<sup>-6</sup> m<sup>2</sup> H<sub>2</sub>O", "10^-6 m2 H2O"),
        (f"<alternatives>{TEX}<math><mi>y</mi></math></alternatives>", "y"),
        (f"<inline-formula>{TEX}<math><mi>y</mi></math></inline-formula>", "y"),
        (f"<alternatives>{TEX}<graphic/></alternatives>", "x"),
        ("<inline-formula><tex-math>$a_1$</tex-math></inline-formula>", "a_1"),
        ("<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msup><mi>b</mi><mn>2</mn></msup></mfrac></math>",
         "(a+1)/(b^2)"),
        ("<math><mi>max</mi><mi>loss</mi></math>", "max loss"),
        ("A<inline-graphic/><break/>B", "A B"),
    ],
)  # fmt: skip
def test_the_words_of_a_line(inline: str, expected: str) -> None:
    assert shown(article(f"<p>{inline}</p>")) == [expected]


def test_lists_with_their_own_labels_and_lists_inside() -> None:
    body = (
        "<list list-type='order'><title>L</title><list-item><p>one</p><list><list-item><p>in</p></list-item></list>"
        "</list-item><list-item><label>(b)</label><p>two</p></list-item></list>"
        "<def-list><def-item><term>BMI</term><def><p>body mass index</p></def></def-item></def-list>"
    )
    assert shown(article(body)) == ["L\n1. one\n  - in\n(b) two", "- BMI: body mass index"]


def test_references_are_lines_one_can_read() -> None:
    name = "<person-group><name><surname>Doe</surname><given-names>A</given-names></name><etal/></person-group>"
    back = (
        "<back><ack><p>Thanks.</p></ack><ref-list><ref><label>[7]</label><element-citation>"
        f"{name}<year>2001</year><article-title>Title</article-title><source>J</source><volume>2</volume>"
        "<fpage>3</fpage><lpage>4</lpage><pub-id>10.1/z</pub-id></element-citation></ref>"
        "<ref><mixed-citation>Roe B, <source>Book</source>, 1999.</mixed-citation>"
        "<mixed-citation>(b) More.</mixed-citation></ref></ref-list>"
        "<fn-group><fn><p>Interests: none.</p></fn></fn-group></back>"
    )
    assert shown(article("<p>x</p>", back=back)) == [
        "x", "Acknowledgements", "Thanks.", "References",
        "7. Doe A, et al. (2001) Title. J 2: 3–4. 10.1/z\n2. Roe B, Book, 1999. (b) More.", "Footnotes",
        "Interests: none.",
    ]  # fmt: skip


def test_letters_inside_an_article_follow_it() -> None:
    inner = (
        "<sub-article><front-stub><title-group><article-title>Reply</article-title></title-group></front-stub>"
        "<body><p>dear</p></body><back><ref-list><ref><mixed-citation>R.</mixed-citation></ref></ref-list></back></sub-article>"
    )
    paper = article("<p>x</p>", back=inner)
    assert shown(paper) == ["x", "Reply", "dear", "References", "1. R."]
    assert paper.title == "T"


UNSHOWN = {"tex-math", "annotation", "object-id", "permissions", "alt-title", "contrib-group", "aff", "institution-id"}
GLUED = {"sup", "sub", "italic", "bold", "xref", "named-content", "styled-content", "sc", "underline", "ext-link"}


def source_words(node: etree._Element) -> Iterator[str]:
    """The text of an element without formulas, which are written in a way of their own."""
    if not isinstance(node.tag, str) or node.tag in UNSHOWN or "formula" in node.tag or node.tag == "math":
        return
    gap = "" if node.tag in GLUED else " "
    yield f"{gap}{node.text or ''}"
    for child in node:
        yield from source_words(child)
        yield child.tail or ""
    yield gap


@pytest.mark.skipif(not SHARED.exists(), reason=f"there is no {SHARED}")
@pytest.mark.parametrize("name", ["elife-00666", "journal.pmed.1001418", "journal.pone.0066742", "elife00240"])
def test_no_word_of_a_published_paper_is_lost(name: str) -> None:
    data = (SHARED / f"{name}.xml").read_bytes()
    root = read_xml(data)
    parts = [root.find("front/article-meta/title-group"), *root.iter("abstract"), root.find("body"), root.find("back")]
    raised = re.compile(r"\d{3,}|\W")  # a power such as 10^4 is written apart
    wanted = Counter(word for part in parts if part is not None for word in WORD.findall("".join(source_words(part))))
    found = Counter(WORD.findall(read(Raw("a.xml", data)).text))
    assert not {word: count for word, count in (wanted - found).items() if not raised.fullmatch(word)}


@pytest.mark.skipif(not SHARED.exists(), reason=f"there is no {SHARED}")
def test_published_papers_give_their_front_matter() -> None:
    paper = read(Raw("a.xml", (SHARED / "journal.pmed.1001418.xml").read_bytes()))
    assert paper.attributes.doi == "10.1371/journal.pmed.1001418"
    assert paper.attributes.subjects[0] == "Research Article"
    assert paper.dates[0].date == date(2013, 4, 9)
    assert len(paper.tables) == 3
    sections = [block.section[1] for block in paper.blocks if block.kind is BlockKind.HEADING and block.level == 2]
    assert {"Abstract", "Introduction", "Methods", "Results", "Discussion", "References"} <= set(sections)


def test_a_page_about_an_article_is_no_paper() -> None:
    assert choose_parser(Raw("a.html", b"<html><body><article><p>x</p></article></body></html>")) != "jats"
