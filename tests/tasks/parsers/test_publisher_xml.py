"""Papers in other vocabularies than JATS: title, authors, date, text, references, or a named refusal."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.chunkers.parts.document_spans import find_reference_spans
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Kind

TITLE = "Herring at the quay"
PROSE = "Landings fell by a third between 2010 and 2019."
CITED = "Moe K, Berg A (2011) Counting herring. J Harbours 3: 12-19."

ELSEVIER = f"""<full-text-retrieval-response xmlns="http://www.elsevier.com/xml/svapi/article/dtd"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"><coredata>
<dc:title> {TITLE} </dc:title><dc:creator>Smith, Jane</dc:creator><dc:creator>Dahl, Per</dc:creator>
<prism:publicationName>Harbours</prism:publicationName><prism:coverDate>2019-03-15</prism:coverDate>
<prism:doi>10.1016/j.harb.2019.01.001</prism:doi><dc:description>{PROSE} In short.</dc:description></coredata>
<originalText><xocs:doc xmlns:xocs="http://www.elsevier.com/xml/xocs/dtd"><ja:article
 xmlns:ja="http://www.elsevier.com/xml/ja/dtd" xmlns:ce="http://www.elsevier.com/xml/common/dtd"><ja:body><ce:sections>
<ce:section><ce:label>1</ce:label><ce:section-title>Results</ce:section-title><ce:para>{PROSE}</ce:para></ce:section>
</ce:sections></ja:body><ja:tail><ce:bibliography><ce:section-title>References</ce:section-title><ce:bibliography-sec>
<ce:bib-reference><ce:other-ref><ce:textref>{CITED}</ce:textref></ce:other-ref></ce:bib-reference>
</ce:bibliography-sec></ce:bibliography></ja:tail></ja:article></xocs:doc></originalText>
</full-text-retrieval-response>"""

ELSEVIER_ARTICLE = f"""<ja:article xmlns:ja="http://www.elsevier.com/xml/ja/dtd" xmlns:ce="http://www.elsevier.com/xml/common/dtd">
<ja:item-info><ce:doi>10.1016/j.harb.2019.01.001</ce:doi></ja:item-info><ja:head><ce:title>{TITLE}</ce:title>
<ce:author-group><ce:author><ce:given-name>Jane</ce:given-name><ce:surname>Smith</ce:surname></ce:author>
<ce:author><ce:given-name>Per</ce:given-name><ce:surname>Dahl</ce:surname></ce:author></ce:author-group>
<ce:date-accepted day="15" month="3" year="2019"/><ce:abstract><ce:section-title>Abstract</ce:section-title>
<ce:abstract-sec><ce:simple-para>{PROSE}</ce:simple-para></ce:abstract-sec></ce:abstract></ja:head>
<ja:body><ce:sections><ce:section><ce:section-title>Results</ce:section-title><ce:para>{PROSE}</ce:para></ce:section>
</ce:sections></ja:body></ja:article>"""

PUBMED = f"""<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "pubmed.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>12345</PMID><Article><Journal><JournalIssue><PubDate>
<Year>2019</Year><Month>Mar</Month><Day>15</Day></PubDate></JournalIssue><Title>Harbours</Title></Journal>
<ArticleTitle>{TITLE}</ArticleTitle><ELocationID EIdType="doi">10.1016/j.harb.2019.01.001</ELocationID>
<Abstract><AbstractText Label="RESULTS">{PROSE}</AbstractText></Abstract><AuthorList><Author>
<LastName>Smith</LastName>
<ForeName>Jane</ForeName><Initials>J</Initials></Author><Author><LastName>Dahl</LastName>
<ForeName>Per</ForeName></Author>
</AuthorList></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC99</ArticleId>
</ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>"""

SPRINGER = f"""<!DOCTYPE Publisher PUBLIC "-//Springer-Verlag//DTD A++ V2.4//EN" "A++V2.4.dtd">
<Publisher><PublisherInfo/><Journal><JournalInfo><JournalTitle>Harbours</JournalTitle></JournalInfo><Volume><Issue>
<Article ID="a1"><ArticleInfo><ArticleDOI>10.1007/s00001-019-0001-1</ArticleDOI><ArticleTitle>{TITLE}</ArticleTitle>
<ArticleHistory><OnlineDate><Year>2019</Year><Month>3</Month><Day>15</Day></OnlineDate></ArticleHistory></ArticleInfo>
<ArticleHeader><AuthorGroup><Author><AuthorName><GivenName>Jane</GivenName><FamilyName>Smith</FamilyName></AuthorName>
</Author><Author><AuthorName><GivenName>Per</GivenName><FamilyName>Dahl</FamilyName></AuthorName></Author>
</AuthorGroup>
<Abstract><Heading>Abstract</Heading><Para>{PROSE}</Para></Abstract></ArticleHeader><Body><Section1>
<Heading>Results</Heading>
<Para>{PROSE}</Para></Section1></Body><ArticleBackmatter><Bibliography><Heading>References</Heading><Citation>
<BibUnstructured>{CITED}</BibUnstructured></Citation></Bibliography></ArticleBackmatter></Article></Issue>
</Volume></Journal>
</Publisher>"""

TEI = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>{TITLE}</title></titleStmt>
<publicationStmt><date when="2019-03-15">15 March 2019</date></publicationStmt><sourceDesc><biblStruct><analytic>
<author><persName><forename>Jane</forename><surname>Smith</surname></persName></author>
<author><persName><forename>Per</forename><surname>Dahl</surname></persName></author></analytic>
<monogr><title level="j">Harbours</title></monogr><idno type="DOI">10.1016/j.harb.2019.01.001</idno></biblStruct>
</sourceDesc></fileDesc><profileDesc><abstract><p>{PROSE}</p></abstract></profileDesc></teiHeader><text><body>
<div><head>Results</head>
<p>{PROSE}</p></div></body><back><div type="references"><listBibl><biblStruct><analytic>
<title>Counting herring</title>
<author><persName><forename>K.</forename><surname>Moe</surname></persName></author></analytic><monogr>
<title>J Harbours</title>
<imprint><biblScope unit="volume">3</biblScope><date when="2011">2011</date></imprint></monogr></biblStruct>
</listBibl></div>
</back></text></TEI>"""

DOCBOOK = f"""<article xmlns="http://docbook.org/ns/docbook" version="5.0"><info><title>{TITLE}</title>
<author><personname><firstname>Jane</firstname><surname>Smith</surname></personname></author>
<author><personname><firstname>Per</firstname><surname>Dahl</surname></personname></author>
<pubdate>2019-03-15</pubdate></info>
<section><title>Results</title><para>{PROSE}</para></section></article>"""

BMC = f"""<art><ui>1471-1</ui><ji>1471</ji><fm><bibl><title><p>{TITLE}</p></title><aug><au><snm>Smith</snm>
<fnm>Jane</fnm></au>
<au><snm>Dahl</snm><fnm>Per</fnm></au></aug><source>Harbours</source><pubdate>2019-03-15</pubdate><xrefbib><pubidlist>
<pubid idtype="doi">10.1186/1471-1-1</pubid></pubidlist></xrefbib></bibl><abs><sec><st><p>Abstract</p></st>
<p>{PROSE}</p></sec></abs>
</fm><bdy><sec><st><p>Results</p></st><p>{PROSE}</p></sec></bdy></art>"""

ARXIV = f"""<feed xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/api/x</id><title>arXiv Query</title><entry>
<title>{TITLE}</title><summary>{PROSE}</summary><published>2019-03-15T00:00:00Z</published><author>
<name>Jane Smith</name></author>
<author><name>Per Dahl</name></author>
<doi xmlns="http://arxiv.org/schemas/atom">10.1016/j.harb.2019.01.001</doi></entry></feed>"""

FILES = {"elsevier": ELSEVIER, "ja": ELSEVIER_ARTICLE, "pubmed": PUBMED, "springer": SPRINGER}
FILES |= {"tei": TEI, "docbook": DOCBOOK, "bmc": BMC, "arxiv": ARXIV}


def document(text: str) -> Document:
    found = read(Raw("paper.xml", text.encode()))
    keeps_its_promises(found)
    return found


@pytest.mark.parametrize("name", FILES)
def test_title_authors_date_and_text(name: str) -> None:
    assert choose_parser(Raw("paper.xml", FILES[name].encode())) == "publisher_xml"
    found = document(FILES[name])
    assert found.title == TITLE
    assert found.authors == ("Jane Smith", "Per Dahl")
    assert [claim.date for claim in found.dates] == [date(2019, 3, 15)]
    assert PROSE in found.text
    if name != "docbook":
        assert found.attributes.doi.startswith("10.")


@pytest.mark.parametrize("name", ["elsevier", "ja", "springer", "tei", "docbook", "bmc"])
def test_sections_head_their_paragraphs(name: str) -> None:
    found = document(FILES[name])
    below = [block.section for block in found.blocks if found.text[block.start : block.end] == PROSE]
    assert (TITLE, "Results") in below


@pytest.mark.parametrize("name", ["elsevier", "springer", "tei"])
def test_references_are_a_list_of_their_own(name: str) -> None:
    found = document(FILES[name])
    ((start, end),) = find_reference_spans(found)
    assert "Counting herring" in found.text[start:end]
    assert found.text.count("Counting herring") == 1


def test_several_papers_of_one_file_stand_one_after_the_other() -> None:
    one = PUBMED.partition("<PubmedArticle>")[2].rpartition("</PubmedArticle>")[0]
    found = document(
        f"<PubmedArticleSet><PubmedArticle>{one}</PubmedArticle><PubmedArticle>{one}</PubmedArticle></PubmedArticleSet>"
    )
    assert found.text.count(PROSE) == 2
    assert found.title == ""


def test_a_file_without_a_text_is_refused_by_its_name() -> None:
    bare = ELSEVIER.partition("<originalText>")[0].replace(f"<dc:description>{PROSE} In short.</dc:description>", "")
    with pytest.raises(UnreadableFile, match=r"Elsevier XML .*without the text"):
        read(Raw("a.xml", f"{bare}</full-text-retrieval-response>".encode()))
    with pytest.raises(UnreadableFile, match=r"XML of a kind that is not read here .*stylesheet"):
        read(Raw("a.xml", b"<?xml version='1.0'?><stylesheet><entry>3</entry></stylesheet>"))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_torn_file_is_refused(name: str, share: float) -> None:
    with pytest.raises(UnreadableFile):
        read(Raw("a.xml", FILES[name][: int(share * len(FILES[name]))].encode()))


MANUAL = """<?xml version="1.0"?><!DOCTYPE chapter SYSTEM "gui.dtd"><chapter id="a"><title>Accounts</title>
<para>Two kinds: <itemizedlist><listitem><para>cash</para></listitem><listitem><para>bank</para></listitem>
</itemizedlist> and run:<screen>
$ tool --init
$ tool</screen></para><note><para>Back up first.</para></note>
<sect1><title>Kinds</title><table><title>All kinds</title><tgroup cols="2"><thead><row><entry>Kind</entry>
<entry>Use</entry></row></thead><tbody><row><entry>Cash</entry><entry>coins</entry></row></tbody></tgroup></table>
<example><title>A call</title><programlisting>a = 1
b = 2</programlisting></example></sect1></chapter>"""


def test_a_piece_of_a_manual_keeps_its_lists_code_notes_and_captions() -> None:
    raw = Raw("a.xml", MANUAL.encode())
    assert choose_parser(raw) == "publisher_xml"
    document = read(raw)
    assert (document.title, document.kind) == ("Accounts", Kind.TEXT)
    assert document.text == (
        "Accounts\n\nTwo kinds:\n\ncash\n\nbank\n\nand run:\n\n$ tool --init\n$ tool\n\nBack up first.\n\nKinds\n\n"
        "[TABLE 1]\n| Kind | Use |\n| --- | --- |\n| Cash | coins |\n[END TABLE]\n\nA call\n\na = 1\nb = 2"
    )
    assert document.tables[0].caption == "All kinds"
    assert [block.kind for block in document.blocks].count(BlockKind.CODE) == 2


@pytest.mark.parametrize("root", ["book", "refentry", "section"])
def test_docbook_without_a_declaration_is_known_by_its_elements(root: str) -> None:
    source = f"<{root}><title>Tool</title><para>It counts.</para></{root}>"
    assert choose_parser(Raw("a.xml", source.encode())) == "publisher_xml"


def test_notes_and_loose_words_are_paragraphs() -> None:
    manual = (
        '<article xmlns="http://docbook.org/ns/docbook"><title>Pump</title><section><title>Use</title><para>Never'
        " run dry<footnote><para>See 3.2.</para></footnote> at all.</para><note><para>Mind the seal.</para></note>"
        "</section></article>"
    )
    found = read(Raw("pump.xml", manual.encode()))
    assert found.text.split("\n\n")[2:] == ["Never run dry at all.", "See 3.2.", "Mind the seal."]
    play = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Play</title></titleStmt>'
        "</fileDesc></teiHeader><text><body><div><head>Act I</head><sp><speaker>Anna</speaker><l>To sea,</l></sp>"
        '<quote>Loose <hi>words</hi>.</quote><p>Winter<note place="foot">In 1602.</note> came.</p>'
        "<figure><head>Table 1</head><figDesc>Levels</figDesc><table><row><cell>Year</cell><cell>m</cell></row>"
        "<row><cell>1602</cell><cell>1.2</cell></row></table></figure></div></body></text></TEI>"
    )
    found = read(Raw("play.xml", play.encode()))
    words = ["Play", "Act I", "Anna", "To sea,", "Loose words.", "Winter came.", "In 1602.", "Table 1", "Levels"]
    assert found.text.split("\n\n")[:-1] == words
