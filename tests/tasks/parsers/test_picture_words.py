"""What is said of pictures, in every format that says it."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers import raw_docx, raw_epub, raw_odt, raw_office

MAP = "Map of the mooring array in the bay"
SAID = {
    "described": (MAP, True),
    "in Chinese": ("海湾中系泊设备的分布图和水深", True),
    "a name of a file": ("image1.png", False),
    "a noun": ("Picture 7", False),
    "nothing": ("", False),
    "guessed": ("A cat on a mat in a room. Description automatically generated", False),
    "guessed lately": ("A cat on a mat in a room AI-generated content may be incorrect.", False),
}


def make_file(name: str, said: str) -> bytes:
    picture = f'<img src="a.png" alt="{said}"/>'
    in_word = f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="{said}"/></wp:inline></w:drawing></w:r>'
    in_slide = f'<p:pic><p:nvPicPr><p:cNvPr id="1" name="x" descr="{said}"/><p:nvPr/></p:nvPicPr><p:spPr/></p:pic>'
    framed = f'<draw:frame><draw:image xlink:href="a.png"/><svg:desc>{said}</svg:desc></draw:frame>'
    if name == "a.odt":
        return raw_odt.odt(f"<text:p>Before.{framed}</text:p><text:p>After.</text:p>")
    return {
        "a.html": f"<p>Before.</p><div>{picture}</div><p>After.</p>".encode(),
        "a.epub": raw_epub.epub({"a.xhtml": raw_epub.page(f"<p>Before.</p><div>{picture}</div><p>After.</p>")}),
        "a.docx": raw_docx.package(raw_docx.p("Before.", extra="") + f"<w:p>{in_word}</w:p>" + raw_docx.p("After.")),
        "a.pptx": raw_office.deck(raw_office.slide(raw_office.shape("Before."), in_slide)),
    }[name]


@pytest.mark.parametrize(("said", "is_shown"), SAID.values(), ids=SAID)
@pytest.mark.parametrize("name", ["a.html", "a.epub", "a.docx", "a.odt", "a.pptx"])
def test_what_is_said_of_a_picture_is_read_in_its_place(name: str, said: str, is_shown: bool) -> None:
    text = read(Raw(name, make_file(name, said))).text
    found = [place for place in (text.find(words) for words in ("Before.", said or "-", "After.")) if place >= 0]
    assert not said or (said in text) is is_shown
    assert found == sorted(found)


@pytest.mark.parametrize(
    "page",
    [
        f'<a href="b"><img alt="{MAP}"></a>',
        f'<figure><img alt="{MAP}"><figcaption>In 1850</figcaption></figure>',
        '<img alt="Portrait of Ann">',
    ],
)
def test_links_captions_and_names_of_a_page_are_no_descriptions(page: str) -> None:
    assert "Map" not in read(Raw("a.html", f"<p>Before.</p><div>{page}</div>".encode())).text
