"""Saved web pages: what a reader sees, without the machinery around it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.document_date import choose_date
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as, read
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind, Merge

LINKED = (
    "<script type='application/ld+json'>{'@graph': [{'@type': 'WebPage', 'datePublished': '2020-01-01'}, "
    "{'@type': 'NewsArticle', 'datePublished': '2024-03-05'}]}</script>"
)
SHARED = Path(__file__).resolve().parents[3] / "../shared/data/html"


def page(body: str, head: str = "", encoding: str = "utf-8") -> Document:
    return parse_as("html", Raw("a.html", f"<!doctype html><html><head>{head}</head>{body}</html>".encode(encoding)))


@pytest.mark.parametrize(
    ("raised", "shown"),
    [
        ('<sup><a href="#fn1">1</a></sup>', "In 2024[1] it rose."),
        ('<a href="#n"><sup>12</sup></a>', "In 2024[12] it rose."),
        ('<sup id="r"><a href="#f">[1]</a></sup>', "In 2024[1] it rose."), ("<sup>th</sup>", "In 2024th it rose."),
        ('<sup><a href="x.html">more</a></sup>', "In 2024more it rose."), ("<sup>2</sup>", "In 2024² it rose."),
    ],
)  # fmt: skip
def test_raised_numbers_that_lead_to_notes_are_in_brackets(raised: str, shown: str) -> None:
    assert read(Raw("a.html", f"<p>In 2024{raised} it rose.</p>".encode())).text == shown


def test_a_web_page_without_its_machinery() -> None:
    document = page(
        "<body><nav>Home</nav><h1>One</h1><script>var x</script><p>Two <b>three</b><br>four</p>loose "
        "<ul><li>a<ul><li>b</li></ul></li></ul><table><tr><th colspan=2>H<tr><td rowspan=2>1<td>2<tr><td>3</table>"
        "<pre>  x\n y<br>z</pre></body>",
        "<title>T</title><style>p {}</style>",
    )
    assert document.text == (
        "One\n\nTwo three\nfour\n\nloose\n\n- a\n  - b\n\n"
        "[TABLE 1]\n| H |  |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n[END TABLE]\n\n  x\n y\nz"
    )
    assert document.title == "T"
    assert document.tables[0].merges == (Merge(0, 0, columns=2), Merge(1, 0, rows=2))


def test_boilerplate_goes_by_its_markup_and_the_main_part_stays() -> None:
    document = page(
        "<body class='has-cookie-banner'><header>Site</header><div class='cookie-banner'>We use cookies</div>"
        "<div id='onetrust-consent-sdk'>Accept</div><a class='skip-link'>Skip</a><p hidden>never</p>"
        "<p style='display: none'>unseen</p><main aria-hidden='true'><h1>Main</h1><aside>A note.</aside>"
        "<footer>By Ann</footer></main><aside>Also read</aside><footer>Imprint</footer></body>"
    )
    assert document.text == "Main\n\nA note.\n\nBy Ann"


def test_what_stands_around_a_main_part_with_a_title_is_left_out() -> None:
    around = "<body><div>Press ? for help</div>{}<div>Share</div></body>"
    assert (
        page(around.format("<main><h1>Title</h1><p>All the words of it.</main>")).text
        == "Title\n\nAll the words of it."
    )
    assert page(around.format("<main><p>All the words of it.</main>")).text.startswith("Press")
    assert page(around.format("<main><h1>T</h1></main>")).text.startswith("Press")


PROSE = f"<p>{'A sentence of the article, and then another. ' * 3}</p>" * 12
CITED = [f"<a href=https://a.example/{name}>https://a.example/a/long/path/{name}.html</a>" for name in "xy"]
LINKS = "<a href=a>News of the day</a><a href=b>Sports</a><a href=c>Weather</a>"


@pytest.mark.parametrize(
    "beside",
    [
        f"<div class=top><ul><li>{LINKS}</li></ul></div>",
        f"<div><h3>Most read</h3><ol><li>{LINKS * 2}</ol></div>",
        f"<table><tr><td>{LINKS}</td></tr></table>",
        "<p><a href=x>新闻</a> | <a href=y>体育</a></p>",
    ],
)
def test_lists_of_links_beside_the_prose_of_a_page_are_boilerplate(beside: str) -> None:
    alone = page(f"<body><div>{PROSE}</div></body>").text
    assert page(f"<body>{beside}<div>{PROSE}</div></body>").text == alone
    assert page(f"<body><div><div>{PROSE}</div></div>{beside}</body>").text == alone


@pytest.mark.parametrize(
    "body",
    [
        f"<div>{PROSE}<h2>See also</h2><ul><li>{LINKS}</li></ul></div>",
        f"<article>{PROSE}<section><h2>See also</h2><ul><li>{LINKS}</li></ul></section></article>",
        f"<div><h2>One</h2>{PROSE}</div><div><h2>See also</h2>{LINKS}</div><div><h2>Two</h2>{PROSE}</div>",
        f"<div><p>Short.</p></div><ul><li>{LINKS}</li></ul>",
        f"<div>{PROSE}</div><table><tr><td>1<td>{LINKS}<tr><td>Not in a link and long enough<td>x</table>",
        f"<div>{PROSE}</div><div><p>See {CITED[0]} and {CITED[1]}. Weather</div>",
    ],
    ids=["in the prose", "in an article", "between the parts", "of an index", "in a table of data", "cited"],
)
def test_links_in_the_prose_and_those_of_an_index_stay(body: str) -> None:
    assert "Weather" in page(f"<body>{body}</body>").text


@pytest.mark.parametrize("body", ["<header>Only this</header>", "<footer>Only this</footer>", "<nav>Only this</nav>"])
def test_nothing_is_boilerplate_where_nothing_else_is(body: str) -> None:
    assert page(f"<body>{body}</body>").text == "Only this"


def test_two_breaks_part_paragraphs_and_unknown_elements_stand_in_the_line() -> None:
    document = page("<p>One<br><br>two $<ix:nonFraction>5</ix:nonFraction> <my-tag>mil</my-tag>lion so&shy;on")
    assert document.text == "One\n\ntwo $5 million soon"


def test_lists_keep_marks_depth_and_what_is_wrapped() -> None:
    document = page(
        "<ol type=a start=3><li>c<li value=7>g<div><ul><li>in</ul></div>tail</ol>"
        "<dl><dt>Term</dt><dd>meaning</dd><div><dt>Two</dt><dd>more</dd></div></dl><ul>stray<li><p>e</p><p>f</p></ul>"
    )
    assert document.text == "c. c\ng. g\n  - in\n   tail\n\n- Term\n  meaning\n- Two\n  more\n\nstray\n- e f"


def test_code_and_tables_inside_items_stay_code_and_tables() -> None:
    document = page("<ul><li>one<pre>a\n  b</pre>more<li><table><tr><td>1<td>2<tr><td>3<td>4</table></ul>")
    kinds = [block.kind for block in document.blocks]
    assert kinds == [BlockKind.LIST, BlockKind.CODE, BlockKind.LIST, BlockKind.TABLE]


def test_tables_for_the_layout_are_read_as_what_they_hold() -> None:
    inner = "<table><caption>Data</caption><tr><td>a<td>b<tr><td>c<td>d</table>"
    document = page(f"<table border=0><tr><td><h2>Left</h2>menu<td>{inner}<tr><td>foot<td></table>")
    assert document.text.startswith("Left\n\nmenu\n\nData\n\n[TABLE 1]")
    assert document.tables[0].caption == "Data"
    assert document.text.endswith("foot")


def test_a_table_of_data_inside_one_follows_it() -> None:
    inner = "<table><tr><td>1<td>2<tr><td>3<td>4</table>"
    document = page(f"<table><tr><th>a<th>b<tr><td>c {inner} d<td>e</table>")
    assert [found.rows for found in document.tables] == [(("a", "b"), ("c d", "e")), (("1", "2"), ("3", "4"))]


@pytest.mark.parametrize(
    "table",
    [
        "<form><tr><td>a<td>b</tr><tr><td>c<td>d</tr></form>",
        "<tr><form><td>a</td><td>b</td></form></tr><tr><td>c<td>d",
        "<thead><td>a</td><td>b</td></thead><tbody><td>c</td><td>d</td></tbody>",
        "<td>a</td><td>b</td><tr><td>c</td><td>d</td></tr>",
        "<center><font><tbody><tr><td>a<td>b</tr><tr><td>c<td>d</tr></tbody></font></center>",
        "<a name=x></a><tr><td>a<script>x</script><td>b<tr><input><td>c<td>d",
    ],
)
def test_rows_and_cells_that_stand_wrong_are_a_table_as_a_browser_shows_it(table: str) -> None:
    shown = "[TABLE 1]\n| a | b |\n| --- | --- |\n| c | d |\n[END TABLE]"
    assert page(f"<body><table>{table}</table></body>").text == shown


def test_text_between_cells_comes_before_their_table() -> None:
    document = page("<body><h1>T</h1>one<table>two<tr><td>a<td>b</td>three</tr><p>four</p><tr><td>c<td>d</table>five")
    assert document.text == (
        "T\n\none two three\n\nfour\n\n[TABLE 1]\n| a | b |\n| --- | --- |\n| c | d |\n[END TABLE]\n\nfive"
    )
    assert page("<body><table>Only words</table></body>").text == "Only words"


def test_captions_of_figures_and_feet_that_are_written_first() -> None:
    table = "<table><thead><tr><th>A<th>B</thead><tfoot><tr><td>sum<td>3</tfoot><tr><td>x<td>3</table>"
    document = page(f"<figure>{table}<figcaption>Table 4. Sums</figcaption></figure>")
    assert document.tables[0].caption == "Table 4. Sums"
    assert document.tables[0].rows[-1] == ("sum", "3")
    assert document.text.count("Sums") == 1


def test_formulas_stand_once() -> None:
    tex = "<semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></semantics>"
    katex = f"<span><math>{tex}</math><span aria-hidden='true'>x</span></span>"
    assert page(f"<p>So {katex} and <math alttext='y^2'><mi>y</mi><mn>2</mn></math>.").text == "So x and y^2."


@pytest.mark.parametrize(
    "head",
    [
        "<meta property='article:published_time' content='2024-03-05T10:00'>",
        "<meta name='citation_publication_date' content='2024/3/5'>",
        "<meta name='pubdate' content='20240305'>",
        "<meta name='publish_date' content='Tue, 05 Mar 2024 07:15:45 EST'>",
        "<meta name='date' content='Tuesday, Mar. 5, 2024'>",
        LINKED,
    ],
)
def test_the_date_of_publication(head: str) -> None:
    document = page("<p>x", head.replace("'", '"'))
    assert document.dates == (DateClaim(date(2024, 3, 5), DateOrigin.PUBLICATION),)


def test_a_time_counts_if_it_is_marked_or_the_only_one() -> None:
    assert page("<time datetime='2024-03-05'>x</time>").dates[0].date == date(2024, 3, 5)
    assert page("<time datetime='2024-03-05'>x</time><time datetime='2025-03-05'>y</time>").dates == ()
    marked = "<time datetime='2023-01-01'>e</time><time class='entry-date' datetime='2024-03-05'>x</time>"
    assert page(marked).dates[0].date == date(2024, 3, 5)
    assert page("<time class='datestamp'> March 5, 2024 3:21 PM PST </time><time>noon</time>").dates[0].date == date(
        2024, 3, 5
    )


def test_a_date_in_figures_of_which_one_may_be_the_month_dates_nothing() -> None:
    assert page("<p>x", '<meta name="date" content="3/5/2024 7:31:18 PM">').dates == ()


def test_authors_from_elements_or_linked_data() -> None:
    meta = '<meta name="citation_author" content="Ann B"><meta name="citation_author" content="Cy D">'
    assert page("x", meta).authors == ("Ann B", "Cy D")
    linked = '{"@type": "Article", "datePublished": "x", "author": [{"name": "Ann B"}, "Cy D"]}'
    assert page("x", f'<script type="application/ld+json">{linked}</script>').authors == ("Ann B", "Cy D")


@pytest.mark.parametrize("linked", ["{", "[" * 100_000, '{"@graph": 5, "datePublished": [1]}', "null"])
def test_broken_linked_data_costs_nothing(linked: str) -> None:
    assert page("<p>x", f'<script type="application/ld+json">{linked}</script>').text == "x"


@pytest.mark.parametrize(("declared", "language"), [("de-DE", "de"), ("sv", "und"), ("en", "en"), ("", "en")])
def test_the_declared_language_settles_what_the_words_leave_open(declared: str, language: str) -> None:
    data = f'<html lang="{declared}"><p>Northlight Instruments 2024</p></html>'.encode()
    assert parse_as("html", Raw("a.html", data)).language == language


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("gb2312", "gb18030", "会议"),
        ("big5", "big5", "會議"),
        ("shift_jis", "cp932", "会議①"),
        ("nonsense", "utf-8", "é"),
    ],
)
def test_the_declared_encoding_is_believed(label: str, encoding: str, text: str) -> None:
    assert page(f"<p>{text} 2024", f'<meta charset="{label}">', encoding).text == f"{text} 2024"


def test_a_byte_order_mark_is_believed_more() -> None:
    data = '<meta charset="latin-1"><p>Müller'.encode("utf-8-sig")
    assert parse_as("html", Raw("a.html", data)).text == "Müller"


def test_pictures_inside_the_page_do_not_matter() -> None:
    picture = f'<img src="data:image/png;base64,{"A" * 12_000_000}">'
    assert page(f"<p>before {picture} after").text == "before after"


@pytest.mark.parametrize("outer", ["", "<table>", "<table><tr>"])
def test_nesting_beyond_all_sense_is_refused(outer: str) -> None:
    with pytest.raises(UnreadableFile, match="nested too deeply"):
        page(outer + "<div>" * 3_000 + "deep")


@pytest.mark.skipif(not SHARED.exists(), reason=f"there is no {SHARED}")
def test_cells_over_rows_and_columns_of_a_real_page() -> None:
    path = SHARED / "example_05.html"
    (found,) = read(Raw(path.name, path.read_bytes())).tables
    assert found.rows[2] == ("", "Row 2, Col 2 & 3 (colspan)", "")
    assert found.merges == (Merge(0, 1, columns=2), Merge(1, 0, rows=2), Merge(2, 1, columns=2))


def test_what_edgar_puts_around_a_file_is_no_part_of_it() -> None:
    wrapper = "<DOCUMENT>\n<TYPE>10-Q\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\n{}{}\n</TEXT>\n</DOCUMENT>\n"
    plain = "<html><head><title>T</title></head><body><p>Words.</p></body></html>"
    for xbrl in ("", "<XBRL>\n<?xml version='1.0'?>\n"):
        document = parse_as("html", Raw("a.htm", wrapper.format(xbrl, plain).encode()))
        assert (document.title, document.text) == ("T", "Words.")


def message(moment: str, who: str, words: str) -> str:
    return f"<div class='m'><div class='who'>{who}</div><div>{words}</div><div class='when'>{moment}</div></div>"


def test_the_moment_leads_each_part_of_an_export() -> None:
    messages = message("Mar 13, 2021, 9:00 AM", "Bob", "It leaks") + message("Mar 12, 2021, 2:05 PM", "Ann", "Fix it")
    document = page(f"<div><b>Pump</b></div><div>{messages}</div>")
    assert document.text == "Pump\n\nMar 13, 2021, 9:00 AM\n\nBob\n\nIt leaks\n\nMar 12, 2021, 2:05 PM\n\nAnn\n\nFix it"
    hint = "<div><p title='12.03.2021 14:05:11 UTC+01:00'>14:05</p><p>Fix it</p></div>"
    document = page(hint + hint.replace("12.03", "13.03").replace("Fix it", "It works"))
    assert document.text.split("\n\n")[:3] == ["12.03.2021 14:05:11 UTC+01:00", "14:05", "Fix it"]


def test_an_exported_chat_is_as_new_as_its_last_message_and_called_as_its_page_says() -> None:
    def entry(day: str) -> str:
        return (
            f"<div class='message'><div title='{day} 18:22:10 UTC+01:00'>18:22</div><div>Lena</div><div>Hi</div></div>"
        )

    chat = "<div><b>Garden</b></div><div>5 March 2023</div>" + entry("05.03.2023") + entry("05.04.2024")
    document = read(
        Raw("a.html", f"<html><head><title>Exported Data</title></head><body>{chat}</body></html>".encode())
    )
    claim = choose_date(document.dates, "a.html", document.kind)
    assert document.title == "Garden"
    assert claim == DateClaim(date(2024, 4, 5), DateOrigin.HEADING)


def test_deleted_words_give_way_to_those_put_in_their_place() -> None:
    changed = "<p>It costs <del><b>9</b></del><ins>8</ins> €, <del>99 €</del> <ins>79 €</ins>.</p>"
    assert page(f"{changed}<p>An <del>old</del> word.</p>").text == "It costs 8 €, 79 €.\n\nAn old word."


def test_a_page_that_is_mostly_something_else_stays_as_it_is() -> None:
    comments = "".join(f"<div><p>Nice</p><p>Mar {day}, 2021, 9:00 AM</p></div>" for day in (12, 13))
    document = page(f"<h1>The pump</h1><p>{'It broke again and again. ' * 20}</p>{comments}")
    assert document.text.endswith("Nice\n\nMar 12, 2021, 9:00 AM\n\nNice\n\nMar 13, 2021, 9:00 AM")


def test_bookmarks_are_a_table_with_their_days() -> None:
    text = (
        "<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Bookmarks</TITLE><H1>Menu</H1><DL><p><DT><H3>House</H3><DL><p>"
        "<DT><A HREF='https://a.org/roof' ADD_DATE='1615557911' TAGS='house,roof'>Roof</A><DD>All about slates\n"
        "</DL><p><DT><A HREF='https://a.org/soup' ADD_DATE='1617350400'>Soup</A></DL>"
    )
    document = read(Raw("bookmarks.html", text.encode()))
    assert document.tables[0].rows[1:] == (
        ("2021-03-12 14:05:11", "Roof", "https://a.org/roof", "Menu / House", "house, roof", "All about slates"),
        ("2021-04-02 08:00:00", "Soup", "https://a.org/soup", "Menu", "", ""),
    )


NEW_STORE = """<script class="tiddlywiki-tiddler-store" type="application/json">[
{"created":"20210312140511000","title":"Roof","text":"Called him."},
{"created":"20210313090000000","title":"Soup","text":"Red lentils."},{"title":"$:/core","text":"code"}]</script>"""
OLD_STORE = """<div id="storeArea" style="display:none;">
<div created="20210312140511000" title="Roof"><pre>Called him.</pre></div>
<div created="20210313090000000" title="Soup"><pre>Red lentils.</pre></div></div>"""


@pytest.mark.parametrize("store", [NEW_STORE, OLD_STORE])
def test_the_notes_that_a_wiki_keeps_in_its_page_are_records(store: str) -> None:
    (table,) = page(f"<p>The wiki needs scripts.</p>{store}").tables
    assert sorted(table.rows[1]) == ["2021-03-12 14:05:11", "Called him.", "Roof"]
    assert len(table.rows) == 3


def test_a_broken_store_of_a_wiki_is_told() -> None:
    found = page(f"<p>The wiki needs scripts.</p>{NEW_STORE.replace('[', '[{', 1)}")
    assert "needs scripts" in found.text
    assert any("notes that the wiki keeps" in each.message for each in found.findings)


def test_labels_and_links_that_are_marked_as_tags() -> None:
    body = "<p>Milk</p><span class='chip'><span class='label-name'>Errands</span></span><a rel='tag' href='/t'>food</a>"
    assert page(body).attributes.tags == ("Errands", "food")


def test_a_page_that_begins_with_a_moment_is_a_note() -> None:
    keep = "<div class='note'><div>Mar 12, 2021, 2:05:11 PM</div><div>Shopping</div><div>Milk</div></div>"
    assert page(keep).kind is Kind.NOTE
    assert page("<h2>Friday, March 12, 2021</h2><p>2:05 PM</p><p>Called him.</p>").kind is Kind.NOTE
    assert page(f"<nav>Home</nav>{keep}").kind is Kind.TEXT
    assert page("<p>12 March 2021</p><p>Sales rose.</p>").kind is Kind.TEXT


def test_an_object_shows_its_words_unless_something_else_is_shown() -> None:
    table = "<table><tr><td>Item<td>Cost<tr><td>Roof<td>12,400</table>"
    assert page(f"<h1>House</h1><div><object>{table}</object></div>").tables[0].rows[1] == ("Roof", "12,400")
    assert page("<p>Film</p><object data=film.swf>Get the plug-in</object>").text == "Film"


def test_a_table_of_names_and_values_has_no_header() -> None:
    rows = "<tr><th>Date<td>@March 4, 2023<tr><th>Owner<td>Tuva"
    assert page(f"<table>{rows}</table>").tables[0].header_rows == 0
    assert page(f"<table><tr><th colspan=2>Sprint{rows}</table>").tables[0].header_rows == 1
    assert page("<table><tr><th>A<td>B<td>C<tr><th>x<td>y<td>z</table>").tables[0].header_rows == 1


def test_the_first_heading_is_the_title_with_its_blanks() -> None:
    assert page("<h1><div>The Sea</div><div>Banville, John</div></h1><p>x").title == "The Sea Banville, John"
    onenote = "<meta name=ProgId content=OneNote.File>"
    assert page("<p>Board meeting</p><p>March 14, 2023</p>", onenote).title == "Board meeting"


@pytest.mark.parametrize("program", ["MediaWiki 1.42", "DokuWiki"])
def test_a_page_of_a_wiki_is_dated_by_its_last_change(program: str) -> None:
    data = '{"@type": "Article", "datePublished": "2006-02-11", "dateModified": "2024-08-19"}'
    linked = f'<script type="application/ld+json">{data}</script>'
    page = f'<meta name="generator" content="{program}">{linked}<h1>Dam</h1><p>Old.'
    assert {str(claim.date) for claim in read(Raw("a.html", page.encode())).dates} == {"2024-08-19"}


@pytest.mark.parametrize(
    "part",
    [
        '<a href="e" class="theme-edit-this-page">Plots</a>',
        '<a href="e" class="md-content__button md-icon" title="Edit">Plots</a>',
        '<span class="edit-link"><a href="e">Plots</a></span>',
        '<div class="sharedaddy"><h3>Plots</h3><ul><li><a href="t">A</a></li><li><a href="f">B</a></li></ul></div>',
        '<div class="jp-relatedposts"><h3><em>Plots</em></h3></div>',
    ],
)
def test_what_a_page_offers_to_do_is_left_out(part: str) -> None:
    text = read(Raw("a.html", f"<h1>Rules</h1><p>Each holder works alone. {part}<p>Rent is due.".encode())).text
    assert "Plots" not in text
    assert "Rent is due" in text


@pytest.mark.parametrize("name", ["topbar", "side menu", "share", "nav-wrap", "site-footer"])
def test_links_in_elements_with_a_name_of_menus_are_left_out_of_a_short_page(name: str) -> None:
    links = '<a href="/a">About</a> <a href="/b">Plots</a>'
    page = f'<div class="{name}">{links}</div><h1>Rules</h1><p>Each plot is worked by its holder. Rent is due.</p>'
    text = read(Raw("a.html", page.encode())).text
    assert "Plots" not in text
    assert "Rent is due" in text


def test_the_line_below_the_title_of_a_post_has_its_day() -> None:
    meta = '<div class="post-meta"><span>5. März 2024</span> · 2 Minuten · K. Hansen</div>'
    assert page(f"<h1>Boote</h1>{meta}<p>x").dates == (DateClaim(date(2024, 3, 5), DateOrigin.PUBLICATION),)
    assert page(f"<h1>Boote</h1>{meta}<p>x<h1>Stege</h1>{meta}<p>y").dates == ()


@pytest.mark.parametrize(
    "changed",
    [
        '<time itemprop="dateModified" datetime="2024-05-02">May</time>',
        '<time itemprop="dateModified">2 May 2024</time>',
        '<meta itemprop="dateModified" content="2024-05-02">',
        '<meta name="govuk:public-updated-at" content="2024-05-02T09:30:00+00:00">',
        '<span class="theme-last-updated">Last updated on <b>May 2, 2024</b></span>',
        '<div id="footer-info-lastmod">This page was last edited on 2 May 2024, at 10:00.</div>',
        '<p class="last-modified">Page last modified: Thursday, 2 May 2024</p>',
    ],
)
def test_a_page_says_when_it_was_changed(changed: str) -> None:
    assert page(f"<h1>Setup</h1><p>Run it.{changed}").dates == (DateClaim(date(2024, 5, 2), DateOrigin.PROPERTIES),)


@pytest.mark.parametrize(
    ("title", "heading", "section", "expected"),
    [
        ("Introduction", "Harbour Manual 2022", "Introduction", "Harbour Manual 2022"),
        ("Results", "Acme Q2 2024 Results", "Table", "Acme Q2 2024 Results"),
        ("Acme Q2 Results", "Our company", "Table", "Acme Q2 Results"),
        ("Annual results | Acme", "Acme: annual results 2023", "Table", "Acme: annual results 2023"),
    ],
)
def test_the_heading_is_the_title_where_it_says_more_than_that_of_the_file(
    title: str, heading: str, section: str, expected: str
) -> None:
    body = f"<body><h1>{heading}</h1><h2>{section}</h2><p>Revenue rose in all four regions.</p></body>"
    assert page(body, f"<title>{title}</title>").title == expected


def test_a_time_in_a_table_is_not_the_day_of_publication() -> None:
    saved = '<div class="page-metadata">Created by Kim Vo, last modified on Feb 11, 2022</div>'
    table = '<table><tr><td>Owner</td><td><time datetime="2019-07-01">01 Jul 2019</time></td></tr></table>'
    days = [claim.date.isoformat() for claim in page(f"<body><h1>Runbook</h1>{saved}{table}</body>").dates]
    assert list(dict.fromkeys(days)) == ["2022-02-11"]
