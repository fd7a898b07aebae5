"""Pages of MediaWiki: their source, and the XML that a wiki exports (Special:Export, dumps).

The source is read as plain text with headings, lists and tables after its markup is rendered: links as their words,
templates as their values, notes as numbers, with their texts at the end of the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import read_day
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.refusals import report_lost_part
from tasks.parsers.text import add_text
from tasks.parsers.trees import MARKUP, collect_text, find_root_tag, read_damaged_xml
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Kind

_WIKI_MARKS = (
    re.compile(r"^={2,5}[ \t]*[^=\s](?:[^=\n]{0,80}[^=\s])?[ \t]*={2,5}[ \t]*$", re.MULTILINE),
    re.compile(r"^\{\|", re.MULTILINE),
    re.compile(r"<ref[ >]"),
)
_SHARED_MARKS = (
    re.compile(r"'''[^'\n]{1,100}'''"),
    re.compile(r"\{\{[^{}\n|]{1,60}[|}\n]"),
    re.compile(r"\[\[[^\[\]\n]{1,100}\]\]"),
)
"""Marks that other texts may have as well, of which one is no evidence."""
_MIN_MARKS = 3  # Signs of this markup that a text has.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MAGIC_WORD = re.compile(r"__[A-Z]{3,20}__")
_NOTE = re.compile(
    r"<ref(?P<attributes>(?:\s[^<>]*?)?)(?:/>|>(?P<text>(?:[^<]|<(?!/?ref[\s/>]))*)</ref\s*>)", re.IGNORECASE
)
_NAME = re.compile(r"name\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s/>]+))", re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_PARAMETER = re.compile(r"\{\{\{[^{}]*\}\}\}")
_CATEGORY = re.compile(
    r"\[\[\s*(?:Category|Kategorie|Catégorie|Categoría|Categoria|Categorie|分类)\s*:\s*([^\[\]|]+)[^\[\]]*\]\]",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"\[\[\s*(?:File|Image|Datei|Bild|Fichier|Archivo|Imagen|文件)\s*:(?P<parts>(?:[^\[\]]|\[\[[^\[\]]*\]\])*)\]\]",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_EXTERNAL_LINK = re.compile(r"\[((?:https?|ftp|mailto):[^\s\[\]]+)(?:\s+([^\[\]\n]+))?\]")
_QUOTES = re.compile(r"'{2,5}")
_HEADING = re.compile(r"^(={1,6}[^=\n](?:[^\n]*[^=\n])?={1,6})[ \t]*$", re.MULTILINE)
_CAPTION = re.compile(r"^(\{\|[^\n]*\n)\|\+(?:[^|\n]*\|)?[ \t]*([^|\n]*)\n", re.MULTILINE)
"""The caption of a table, in its second line."""
_ITEM = re.compile(r"^([*#:;]+)[ \t]*(.*)$", re.MULTILINE)
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
_OPTION = re.compile(
    r"thumb(?:nail)?|mini|frame(?:d|less)?|border|left|right|center|none|upright.*|\d*x?\d+px|(?:alt|link|lang|page)=.*",
    re.IGNORECASE,
)
_MAX_TEMPLATE_DEPTH = 40  # Templates inside of one another.
_MIN_BOX_VALUES = 3  # Named values of a template that is a box of facts.
_CITATION_VALUES = (
    "last", "first", "author", "title", "chapter", "work", "journal", "newspaper", "website", "publisher", "date",
    "year", "url",
)  # fmt: skip
"""The values of a reference, in the order in which it is shown."""


@dataclass(slots=True)
class _Note:
    """A reference of a page: its number, from 1, and its text."""

    number: int
    text: str = ""


class MediaWiki:
    """The words of a page, or of all pages of an export, each below the day of its newest revision and its title."""

    version = 2
    media_type = "text/x-wiki"
    suffixes: tuple[str, ...] = (".wiki", ".mediawiki", ".wikitext", ".mw")
    heavy = False
    signature: Signature | None = Signature(
        text=MARKUP, confirms=lambda raw: find_root_tag(decode_head(raw.data)) == "mediawiki"
    )

    def measure_confidence(self, raw: Raw) -> float:
        """Whether a text has several of its marks; with a suffix of wikis any text except XML."""
        beginning = decode_head(raw.data)
        if not beginning.strip() or beginning.lstrip().startswith("<?xml"):
            return 0.0
        wiki_count, shared_count = (
            sum(mark.search(beginning) is not None for mark in marks) for marks in (_WIKI_MARKS, _SHARED_MARKS)
        )
        return 0.5 if raw.suffix in self.suffixes or (wiki_count and wiki_count + shared_count >= _MIN_MARKS) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text, or XML of which nothing can be read."""
        assembly = Assembly()
        tags: dict[str, None] = {}
        if find_root_tag(decode_head(raw.data)) != "mediawiki":
            _add_page(assembly, decode_text(raw.data), tags)
            return assembly.finish(Kind.TEXT, self.media_type, attributes=Attributes(tags=tuple(tags)))
        titles, dates = list[str](), list[DateClaim]()
        root, problem = read_damaged_xml(raw.data)
        findings = [report_lost_part("the end of it", problem.problem)] if problem else []
        for page in root.iter("page"):
            if page.find("redirect") is not None:
                continue
            # The newest revision is the last.
            title, timestamp, text, model = (
                ([""] + [collect_text(element).strip() for element in page.iter(name)])[-1]
                for name in ("title", "timestamp", "text", "model")
            )
            titles.append(title)
            assembly.end_sections(1)
            day = read_day(timestamp)
            assembly.add_heading(f"{day.isoformat()} {title}" if day else title, 1)
            if model in ("", "wikitext"):
                _add_page(assembly, text, tags)
            else:
                assembly.add(BlockKind.CODE, text)
            if day:
                dates.append(DateClaim(day, DateOrigin.HEADING))
        return assembly.finish(
            Kind.NOTE,
            self.media_type,
            title=titles[0] if len(titles) == 1 else "",
            dates=dates,
            attributes=Attributes(tags=tuple(tags)),
            findings=findings,
        )


def _add_page(assembly: Assembly, source: str, tags: dict[str, None]) -> None:
    """Adds the blocks of a page, its notes last, and its categories to the tags."""
    notes: dict[str, _Note] = {}
    text = _MAGIC_WORD.sub("", _COMMENT.sub("", source.replace("\r\n", "\n")))
    text = _NOTE.sub(lambda note: _replace_note(note, notes), text)
    for category in _CATEGORY.finditer(text):
        tags.setdefault(category[1].strip())
    add_text(assembly, _render_text(_CATEGORY.sub("", text)))
    lines = (f"[{note.number}] {' '.join(_render_text(note.text).split())}" for note in notes.values() if note.text)
    assembly.add(BlockKind.LIST, "\n".join(lines))


def _replace_note(note: re.Match[str], notes: dict[str, _Note]) -> str:
    """The number of a note, whose text is stored by its name, or by its number where it has none."""
    name_match = _NAME.search(note["attributes"] or "")
    name = next(filter(None, name_match.groups()), "") if name_match else ""
    known_note = notes.setdefault(name or f"#{len(notes)}", _Note(len(notes) + 1))
    known_note.text = known_note.text or (note["text"] or "").strip()
    return f"[{known_note.number}]"


def _render_text(text: str) -> str:
    """Source with its markup rendered as text; headings, items and tables are kept."""
    text = _PARAMETER.sub("", text)
    for _ in range(_MAX_TEMPLATE_DEPTH):
        text, count = _TEMPLATE.subn(_render_template, text)
        if not count:
            break
    text = _PICTURE.sub(_render_picture, text)
    text = _LINK.sub(lambda link: (link[2] or link[1].lstrip(":")).strip(), text)
    text = _EXTERNAL_LINK.sub(lambda link: link[2] or link[1], text)
    # A heading needs no blank line around it.
    text = _HEADING.sub(r"\n\n\1\n\n", _CAPTION.sub(r"\n\n\2\n\n\1", text))
    text = _ITEM.sub(_render_item, _QUOTES.sub("", text))
    return unescape(_TAG.sub("", _LINE_BREAK.sub("\n", text)))


def _render_template(template: re.Match[str]) -> str:
    """The text of a template: facts as lines, a reference, a date, or the last of its unnamed values."""
    # The pipes of links do not separate values of the template.
    inner = _LINK.sub(lambda link: (link[2] or link[1]).strip(), template[1])
    name, *parts = (part.strip() for part in inner.split("|"))
    named_values, other_values = dict[str, str](), list[str]()
    for part in parts:
        key, mark, value = part.partition("=")
        if mark and re.fullmatch(r"[\w .-]{1,40}", key.strip()):
            named_values[key.strip()] = value.strip()
        else:
            other_values.append(part)
    kind = name.lower()
    if kind.startswith(("cite", "citation", "literatur", "internetquelle")):
        return ". ".join(named_values[key] for key in _CITATION_VALUES if named_values.get(key))
    if "date" in kind and len(other_values) > 2 and all(map(str.isdigit, other_values[:3])):
        return f"{other_values[0]}-{other_values[1]:0>2}-{other_values[2]:0>2}"
    if kind in ("convert", "cvt") and len(other_values) > 1:
        return " ".join(other_values[:2])
    values = [value for value in named_values.values() if value]
    if len(values) >= _MIN_BOX_VALUES or (values and ("\n" in inner or kind.startswith("infobox"))):
        lines = (f"{key.replace('_', ' ')}: {' '.join(value.split())}" for key, value in named_values.items() if value)
        return "\n\n" + "\n".join(lines) + "\n\n"
    return other_values[-1] if other_values else ""


def _render_picture(picture: re.Match[str]) -> str:
    """The caption of a picture, as a separate paragraph."""
    text = _LINK.sub(lambda link: (link[2] or link[1]).strip(), picture["parts"])
    captions = [part.strip() for part in text.split("|")[1:] if not _OPTION.fullmatch(part.strip())]
    return f"\n\n{captions[-1]}\n\n" if captions else ""


def _render_item(item: re.Match[str]) -> str:
    """An item of a list with the mark of plain text, indented by its depth; a term and its definition on one line."""
    marks, words = item.groups()
    if marks.endswith(":"):
        return words if marks.strip(":") == "" else f"{'  ' * (len(marks) - 1)}{words}"
    if marks.endswith(";"):
        return words.replace(" : ", ": ", 1)
    return f"{'  ' * (len(marks) - 1)}- {words}" if words else ""


member = MediaWiki()
