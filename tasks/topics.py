"""Topics of papers, from metadata files next to them: JSON that maps papers, by title or identifier, to topics.

Three forms are read: a list of records that each have a topic and a title, PMCID or DOI (perhaps under one key of an
object); an object from titles or identifiers to topics or to such records; an object from topics to lists of papers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import PurePosixPath
from unicodedata import normalize

SUFFIX = ".json"
MAX_FILE_BYTES = 16 * 2**20  # The largest file that is read, in bytes.

_TOPIC_FIELDS = ("topic", "primarytopic", "topics", "category")
_NAME_FIELDS = ("pmcid", "pmc", "doi", "title", "papertitle", "articletitle", "name")
_METADATA_FILE_NAME = re.compile(r"metadata|topic|papers|articles|catalog", re.IGNORECASE)
_PMCID = re.compile(r"(?:https?://\S*/)?(PMC\d+)(?:\.\d+)?/?", re.IGNORECASE)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_MARKUP_TAG = re.compile(r"<[^<>]{1,40}>")
_MAX_TITLE_LENGTH = 200
_MAX_TOPIC_LENGTH = 100
_MAX_VALUE_LENGTH = 400
_MIN_TITLE_WORDS = 3

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics by the names of papers, each as its `make_name_key`."""

    topics_by_name: Mapping[str, str] = field(default_factory=dict)

    def find_topic(self, title: str, pmcid: str = "", doi: str = "") -> str:
        """The topic of a paper, or nothing; identifiers count before the title."""
        keys = (make_name_key(name) for name in (pmcid, doi, title) if name.strip())
        return next((self.topics_by_name[key] for key in keys if key in self.topics_by_name), "")


def merge_topics(files: Iterable[Topics]) -> Topics:
    """The topics of all files; if two differ, the first counts."""
    topics: dict[str, str] = {}
    for file in files:
        topics = {**file.topics_by_name, **topics}
    return Topics(topics)


def make_name_key(name: str) -> str:
    """A PMCID, a DOI, or the words of a title without case, marks, markup and punctuation."""
    text = name.strip()
    if pmcid := _PMCID.fullmatch(text):
        return pmcid[1].upper()
    if doi := _DOI.fullmatch(text):
        return doi[1].lower()
    words = re.findall(r"\w+", normalize("NFKC", _MARKUP_TAG.sub("", unescape(text))).casefold())
    return " ".join(words)[:_MAX_TITLE_LENGTH]


def read_topics(data: bytes, name: str) -> Topics | None:
    """The topics in a file's bytes; None if it has none. `name` is the file's, which decides ambiguous cases."""
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    is_named = _METADATA_FILE_NAME.search(PurePosixPath(name).stem) is not None
    pairs = _read_records(content, is_named=is_named) or _read_mapping(content, is_named=is_named)
    topics: dict[str, str] = {}
    for paper, topic in pairs:
        topics.setdefault(make_name_key(paper), topic)
    topics.pop("", None)
    return Topics(topics) if topics else None


def _read_records(value: object, *, is_named: bool) -> Pairs:
    """Each paper and its topic, if every record names both and the records are no documents themselves."""
    if isinstance(value, dict):
        parts = [part for part in value.values() if isinstance(part, list | dict) and part]
        is_keyed = value and len(parts) == len(value) and all(isinstance(part, dict) for part in parts)
        records = [{"title": key, **_lower_keys(part)} for key, part in value.items()] if is_keyed else None
        if records is None:
            return _read_records(parts[0], is_named=is_named) if len(parts) == 1 and isinstance(parts[0], list) else []
    elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        records = [_lower_keys(part) for part in value]
    else:
        return []
    pairs = [(names, _find_topic(record)) for record in records if (names := list(_iter_names(record)))]
    if len(pairs) < len(records) or not all(topic for _, topic in pairs):
        return []
    all_names = [name for names, _ in pairs for name in names]
    texts = (part for record in records for part in record.values() if isinstance(part, str))
    is_known = is_named or all(len(text) <= _MAX_VALUE_LENGTH for text in texts) or _are_identified(all_names)
    return [(name, topic) for names, topic in pairs for name in names] if is_known else []


def _lower_keys(record: object) -> dict[str, object]:
    """A record's fields, with their names in small letters and without joints."""
    return {re.sub(r"[\W_]", "", key).lower(): part for key, part in record.items()} if isinstance(record, dict) else {}


def _find_topic(record: Mapping[str, object]) -> str:
    """The topic, the first of several."""
    value = next((record[key] for key in _TOPIC_FIELDS if record.get(key)), "")
    first = value[0] if isinstance(value, list) else value
    return first.strip() if isinstance(first, str) and len(first) <= _MAX_TOPIC_LENGTH else ""


def _iter_names(record: Mapping[str, object]) -> Iterator[str]:
    for key in _NAME_FIELDS:
        text = str(record.get(key) or "").strip()
        if text:
            yield f"PMC{text}" if key in ("pmcid", "pmc") and text.isdigit() else text


def _read_mapping(value: object, *, is_named: bool) -> Pairs:
    """Each paper and its topic from an object of papers to topics, or of topics to papers, without named fields.

    The file's name or the papers' identifiers must distinguish it from other objects, and titles have several words.
    """
    if not isinstance(value, dict) or not value:
        return []
    if all(isinstance(part, str) for part in value.values()):
        pairs = [(paper, topic.strip()) for paper, topic in value.items()]
    elif all(isinstance(part, list) for part in value.values()):
        pairs = [
            (paper, topic.strip())
            for topic, papers in value.items()
            for paper_names in papers
            for paper in ([paper_names] if isinstance(paper_names, str) else _iter_names(_lower_keys(paper_names)))
        ]
    else:
        return []
    title_count = sum(len(paper.split()) >= _MIN_TITLE_WORDS for paper, _ in pairs)
    is_likely = all(0 < len(topic) <= _MAX_TOPIC_LENGTH for _, topic in pairs) and (
        is_named and 2 * title_count >= len(pairs)
    )
    return pairs if is_likely or _are_identified([paper for paper, _ in pairs]) else []


def _are_identified(names: list[str]) -> bool:
    """Whether at least a third of the names are identifiers of papers."""
    count = sum(bool(_PMCID.fullmatch(name.strip()) or _DOI.fullmatch(name.strip())) for name in names)
    return count > 0 and 3 * count >= len(names)
