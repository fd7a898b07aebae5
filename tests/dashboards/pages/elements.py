"""What a page says, read from the elements that Streamlit would send to a browser."""

from __future__ import annotations

from html.parser import HTMLParser

from streamlit.testing.v1 import AppTest


class Reading(HTMLParser):
    """The text, the elements and the links of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def html_of(page: AppTest) -> str:
    """All HTML of a page."""
    return "\n".join(str(element.value) for element in page.html)


def said(page: AppTest) -> str:
    """All text of a page's HTML, as a reader sees it."""
    return Reading(html_of(page)).text


def markdown_of(page: AppTest) -> str:
    """Everything on a page that Streamlit reads as Markdown."""
    kinds = (page.markdown, page.caption, page.title, page.header, page.subheader, page.error, page.warning, page.info)
    texts = [str(element.value) for kind in kinds for element in kind]
    return "\n".join((*texts, *(expander.label for expander in page.expander), *(m.label for m in page.metric)))
