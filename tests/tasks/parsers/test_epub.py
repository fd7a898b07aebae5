"""Books as documents."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser
from tests.examples import examples
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_epub import META, encryption, epub, page, point, read_book
from tests.tasks.parsers.raw_mail import headings, texts
from tests.tasks.parsers.test_parser_contract import attempt
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateClaim, DateOrigin, Kind

ONE = page("<h1>One</h1><p>It rained.</p>")
TWO = page("<h1>Two</h1><p>It snowed.</p>")
SENTENCES = ["It rained.", "It snowed."]


def test_a_book_is_a_document_with_chapters() -> None:
    document = read_book(epub({"a.xhtml": ONE, "b.xhtml": TWO}))
    assert (document.kind, document.title, document.authors) == (Kind.BOOK, "The Lamp Keeper", ("Mara Ellison",))
    assert document.dates == (DateClaim(date(2019, 5, 2), DateOrigin.PUBLICATION),)
    assert headings(document) == [(1, "One"), (1, "Two")]
    assert texts(document, BlockKind.PARAGRAPH) == SENTENCES
    keeps_its_promises(document)


TITLED = (
    '<dc:title id="s">A Tale</dc:title><meta refines="#s" property="title-type">subtitle</meta>'
    '<dc:title id="t">Tides</dc:title><meta refines="#t" property="title-type">main</meta>'
    '<dc:creator id="i">Joe Ink</dc:creator><meta refines="#i" property="role">ill</meta>'
    '<dc:creator>Ida Krog</dc:creator><meta property="dcterms:modified">2021-01-01T00:00:00Z</meta>'
)
OLDER = (
    '<dc:title>Tides</dc:title><dc:creator opf:role="aut">Ida Krog</dc:creator>'
    '<dc:date opf:event="modification">2020-02</dc:date><dc:date opf:event="publication">2018</dc:date>'
)


@pytest.mark.parametrize(
    ("meta", "title", "authors", "days"),
    [
        (TITLED, "Tides: A Tale", ("Ida Krog",), ["2021-01-01"]),
        (OLDER, "Tides", ("Ida Krog",), ["2018-01-01", "2020-02-01"]),
        ("<dc:title>book.epub</dc:title><dc:date>soon</dc:date>", "", (), []),
        ("", "", (), []),
    ],
)
def test_the_metadata_of_both_versions_are_read(
    meta: str, title: str, authors: tuple[str, ...], days: list[str]
) -> None:
    document = read_book(epub({"a.xhtml": ONE}, meta=meta))
    assert (document.title, document.authors) == (title, authors)
    assert [claim.date.isoformat() for claim in document.dates] == days


def test_publisher_and_description_stand_before_the_text() -> None:
    meta = f"{META}<dc:publisher>Quay</dc:publisher><dc:description>&lt;p&gt;A novel.&lt;/p&gt;</dc:description>"
    document = read_book(epub({"a.xhtml": ONE}, meta=f"{meta}<dc:subject>Fiction</dc:subject>"))
    assert texts(document)[0] == "Publisher: Quay\nDescription: A novel."
    assert document.attributes.keywords == ("Fiction",)


def test_names_of_parts_may_be_written_in_other_ways() -> None:
    book = epub({"Ch%20One.xhtml": ONE, "two.XHTML": TWO}, hidden=["mimetype", "OPS/Ch%20One.xhtml", "OPS/two.XHTML"],
                more={"OPS/ch one.xhtml": ONE, "OPS/Two.xhtml": TWO})  # fmt: skip
    assert texts(read_book(book), BlockKind.PARAGRAPH) == SENTENCES
    assert read_book(book).findings == ()


def test_a_book_without_container_is_read_by_its_package() -> None:
    assert headings(read_book(epub({"a.xhtml": ONE}, hidden=["META-INF/container.xml", "mimetype"]))) == [(1, "One")]


def test_what_is_not_linear_comes_last_and_contents_are_left_out() -> None:
    spine = [
        '<itemref idref="i1" linear="no"/>',
        '<itemref idref="nav"/>',
        '<itemref idref="i2"/>',
        '<itemref idref="i0"/>',
    ]
    cover = page('<p>Cover words</p><img src="c.jpg" alt="Cover"/>')
    book = epub(
        {"a.xhtml": ONE, "answers.xhtml": page("<p>Answers.</p>"), "cover.xhtml": cover},
        navigation='<nav epub:type="toc"><ol><li><a href="a.xhtml">One</a></li></ol></nav>',
        spine=spine,
        guide='<reference type="cover" href="cover.xhtml"/>',
    )
    document = read_book(book)
    assert texts(document) == ["One", "It rained.", "Answers."]
    assert document.blocks[-1].section == ()


def test_a_book_of_one_page_is_read_whatever_the_guide_calls_it() -> None:
    for kind in ("cover", "toc"):
        book = epub({"a.xhtml": ONE}, guide=f'<reference type="{kind}" href="a.xhtml"/>')
        assert headings(read_book(book)) == [(1, "One")]


def test_missing_and_unreadable_chapters_are_findings() -> None:
    deep = page("<div>" * 400 + "deep")
    spine = ['<itemref idref="i0"/>', '<itemref idref="i1"/>', '<itemref idref="i2"/>', '<itemref idref="gone"/>']
    document = read_book(epub({"a.xhtml": ONE, "b.xhtml": TWO, "c.xhtml": deep}, spine=spine, hidden=["OPS/b.xhtml"]))
    assert [finding.name for finding in document.findings] == ["lost-part"] * 3
    assert [finding.message.split()[2] for finding in document.findings] == ["b.xhtml", "ops/c.xhtml", "gone"]
    assert texts(document) == ["One", "It rained."]


@pytest.mark.parametrize(
    "body",
    [
        "<html><head><title/></head><body><h1>One<p>It rained.<p>It &middot; snowed.",
        "<html><body><h1>One</h1><p>It rained.</p><script src='x'/><p/><a id='x'/><p>It &middot; snowed.</b></body>",
        '<?xml version="1.0"?><html><body><h1>One</h1><p>It rained.</p><p>It &middot; snowed.</p></body></html>',
    ],
)
def test_malformed_pages_are_read_as_browsers_do(body: str) -> None:
    document = read_book(epub({"a.xhtml": body}))
    assert headings(document) == [(1, "One")]
    assert texts(document, BlockKind.PARAGRAPH) == ["It rained.", "It · snowed."]


def test_a_table_of_contents_heads_what_has_no_heading() -> None:
    body = '<p><a id="p"></a>First.</p><div id="c"><p>Second.</p></div><p>Third.</p>'
    points = [point("Part", "a.xhtml#p", point("Chapter", "a.xhtml#c")), point("End", "b.xhtml")]
    document = read_book(epub({"a.xhtml": page(body), "b.xhtml": page("<p>Fourth.</p>")}, points=points))
    assert texts(document) == ["Part", "First.", "Chapter", "Second.", "Third.", "End", "Fourth."]
    assert headings(document) == [(1, "Part"), (2, "Chapter"), (1, "End")]


def test_headings_get_the_levels_of_the_table_of_contents() -> None:
    chapter = page("<h2>Chapter One</h2><p>x</p><h3>A section</h3><p>y</p>")
    navigation = (
        '<nav epub:type="toc"><ol><li><a href="a.xhtml">Part I</a><ol><li><a href="a.xhtml">Chapter One</a></li></ol>'
        '</li></ol></nav><nav epub:type="landmarks"><ol><li><a href="a.xhtml">Begin</a></li></ol></nav>'
    )
    document = read_book(epub({"a.xhtml": chapter}, navigation=navigation))
    assert headings(document) == [(1, "Part I"), (2, "Chapter One"), (3, "A section")]


def test_a_heading_that_is_called_otherwise_is_not_doubled() -> None:
    document = read_book(epub({"a.xhtml": ONE}, points=[point("Chapter the First", "a.xhtml")]))
    assert headings(document) == [(1, "One")]


@pytest.mark.parametrize("piece", ["&#31;", "&#x1;", "&#65535;", "\x1f"])
def test_characters_that_xml_has_not_cost_nothing(piece: str) -> None:
    body = (
        f'{piece}<p>Words{piece}<a epub:type="noteref" href="#n">1{piece}</a></p>{piece}'
        f'<aside epub:type="footnote" id="n">{piece}A note.</aside>{piece}<img alt="A map{piece}"/>'
    )
    document = read_book(epub({"a.xhtml": page(body)}, points=[point("One", "a.xhtml")]))
    said = "".join(texts(document)).replace("\ufffd", "").replace(" ", "")
    assert said.startswith("OneWords[1][1]Anote.")
    assert "Amap" in said


NOTED = (
    '<p>Some words<a epub:type="noteref" href="#n1">1</a> and<a epub:type="noteref" href="#n2">2</a> more.</p>'
    '<p>Next.</p><aside epub:type="footnote" id="n1"><p>A note.</p></aside>'
    '<aside epub:type="footnote" id="n2">2. Another.</aside>'
)


def test_notes_stand_below_what_refers_to_them() -> None:
    document = read_book(epub({"a.xhtml": page(NOTED)}))
    assert texts(document) == ["Some words[1] and[2] more.", "[1] A note.", "2. Another.", "Next."]


def test_a_note_that_nothing_refers_to_stays() -> None:
    body = '<p>Words.</p><aside epub:type="footnote" id="n1"><p>A note.</p></aside><p>Next.</p>'
    assert texts(read_book(epub({"a.xhtml": page(body)}))) == ["Words.", "A note.", "Next."]


def test_pictures_are_told_by_their_words() -> None:
    body = (
        '<p>The letter <img src="th.png" alt="þ"/> is old.</p><figure><img src="m.png" alt="Map of the harbour"/>'
        '<figcaption>In 1850</figcaption></figure><div><img src="x.png" alt="image1.png"/></div>'
        '<p>Here <span epub:type="pagebreak" title="12">12</span>it ends.</p>'
    )
    assert texts(read_book(epub({"a.xhtml": page(body)}))) == [
        "The letter þ is old.", "[Image: Map of the harbour]", "In 1850", "Here it ends.",
    ]  # fmt: skip


def test_tables_and_lists_of_a_chapter_are_read() -> None:
    body = "<table><tr><th>Year</th><th>m</th></tr><tr><td>2021</td><td>2.44</td></tr></table><ul><li>one</li></ul>"
    document = read_book(epub({"a.xhtml": page(body)}))
    assert document.tables[0].rows == (("Year", "m"), ("2021", "2.44"))
    assert texts(document)[-1] == "- one"


@pytest.mark.parametrize("part", ["OPS/a.xhtml", "ops/A.xhtml"])
def test_a_protected_book_is_refused_with_the_way_out(part: str) -> None:
    scheme = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
    with pytest.raises(UnreadableFile, match="protected") as caught:
        read_book(epub({"a.xhtml": ONE}, more={"META-INF/encryption.xml": encryption(scheme, part)}))
    assert (caught.value.code, "without DRM" in caught.value.cure) == ("DOC003", True)


@pytest.mark.parametrize(
    ("scheme", "part"),
    [
        ("http://www.idpf.org/2008/embedding", "OPS/font.otf"),
        ("http://ns.adobe.com/pdf/enc#RC", "OPS/font.otf"),
        ("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OPS/font.otf"),
    ],
)
def test_hidden_typefaces_hide_no_words(scheme: str, part: str) -> None:
    book = epub({"a.xhtml": ONE}, more={"META-INF/encryption.xml": encryption(scheme, part)})
    assert headings(read_book(book)) == [(1, "One")]


def test_a_book_of_pictures_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="pictures"):
        read_book(epub({"a.xhtml": page('<img src="1.jpg" alt="image"/>')}))


@pytest.mark.parametrize("name", ["a.epub", "a.zip", "a"])
def test_a_book_is_known_by_its_parts(name: str) -> None:
    assert choose_parser(Raw(name, epub({"a.xhtml": ONE}))) == "epub"
    assert choose_parser(Raw(name, epub({"a.xhtml": ONE}, hidden=["mimetype"]))) == "epub"


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_a_cut_book_ends_too_early(share: float) -> None:
    data = epub({"a.xhtml": ONE, "b.xhtml": TWO})
    with pytest.raises(UnreadableFile, match="ends too early") as caught:
        read_book(data[: int(len(data) * share)])
    assert choose_parser(Raw("a.epub", data[: int(len(data) * share)])) == "epub"
    assert caught.value.code == "DOC004"


PIECES = st.sampled_from(
    [
        "<h1>One</h1>", "<p>words", "</p>", '<a epub:type="noteref" href="#n">1</a>', "</aside>", '<div id="c">',
        '<aside epub:type="footnote" id="n">', "</div>", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<ul><li>x",
        "&nbsp;", "&x;", '<img alt="A map"/>', "<title/>", "<script/>", "<h2>", "</h2>", "<br/>", "<pre> x", "&#31;",
        '<span epub:type="pagebreak"/>', '<nav epub:type="toc">', "</nav>", "<!-- c -->", "<?pi x?>", "中文", "<li>",
    ]
)  # fmt: skip


@examples(2)
@given(st.lists(st.one_of(PIECES, st.text(max_size=10)), max_size=20).map("".join), st.sampled_from(["", "#n", "#c"]))
def test_any_page_keeps_the_contract(body: str, place: str) -> None:
    data = epub({"a.xhtml": page(body)}, points=[point("One", f"a.xhtml{place}"), point("Two", "a.xhtml#c")])
    document = attempt(lambda: read_book(data))
    if isinstance(document, UnreadableFile):
        assert "parser failed" not in document.problem
    else:
        keeps_its_promises(document)
