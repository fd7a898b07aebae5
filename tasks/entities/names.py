"""Names of people, organisations, places and works: each block is read by the model of its language.

English is read by spaCy's small model and filtered by `NameGate`, Chinese by jieba (`chinese_names`). Blocks are read
rather than chunks, which overlap; a list item by item, a block of both languages sentence by sentence. The models are
the only global state; they are loaded on first use and cached for the process.

The English model reads a line at a time and takes many capitalised words for names: words of menus ("Settings"), first
words of items ("Groceries"), file names, options. The gate decides by a name's form, by whether its words are also
ordinary words (`english_words`), and by how the document uses it: capitalised inside a sentence, never in small
letters, after "met" or before "said". Manuals also write words of menus and products with a capital inside sentences,
so there an ordinary word is not enough. One name has one label in a document, that of most of its occurrences.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tasks.entities.chinese_names import find_chinese_names
from tasks.entities.english_words import english_model, is_common, is_compound, is_listed, is_verb_first, tag_words
from tasks.parsers.language import detect_language, has_chinese
from warehouse.records import BlockKind, Document, Entity
from warehouse.store.words import is_function_word

LABELS = ("PERSON", "ORG", "GPE", "WORK_OF_ART")

_OTHER_PIPES = ("tok2vec", "tagger", "lemmatizer")
_SKIPPED_BLOCK_KINDS = (BlockKind.TABLE, BlockKind.CODE, BlockKind.FURNITURE)
_MAX_PIECE_LENGTH = 5000
_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"[^\n]+?(?:[。！？；]+|[.!?]+(?=\s)|(?=\n)|$)", re.MULTILINE)
_MARKER = re.compile(r"\s*(?:[-*+•–]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX>/-]\]\s+)?(?:\d{1,2}:\d{2}\s+)?")
_CAPITAL = re.compile(r"[A-ZÀ-ÖØ-Þ]|[^\W\d_a-zA-Z]")

_Piece = tuple[int, int]  # A span of a document's text.


def find_entities(documents: Sequence[Document]) -> tuple[tuple[Entity, ...], ...]:
    """For each document its names in the order of the text, with exact spans.

    Tables, code, furniture and text that is neither English nor Chinese are not read. The English of all documents
    goes through the model in one stream.
    """
    pieces = [list(_iter_pieces(document)) for document in documents]
    english = [[piece for piece, language in document_pieces if language == "en"] for document_pieces in pieces]
    entities_by_document = []
    for document, document_pieces, names in zip(
        documents, pieces, _iter_english_names(documents, english), strict=True
    ):
        entities = [
            *names,
            *_iter_chinese_names(document, [piece for piece, language in document_pieces if language == "zh"]),
        ]
        entities_by_document.append(tuple(sorted(entities, key=lambda entity: entity.start)))
    return tuple(entities_by_document)


def _iter_pieces(document: Document) -> Iterator[tuple[_Piece, str]]:
    """The pieces of a document that are read, each with its language."""
    declared = "" if document.language == "zh" else document.language
    for block in document.blocks:
        if block.kind in _SKIPPED_BLOCK_KINDS:
            continue
        text = document.text[block.start : block.end]
        if has_chinese(text):
            for match in _SENTENCE.finditer(text):
                yield (block.start + match.start(), block.start + match.end()), detect_language(match[0])
        else:
            language = detect_language(text, declared)
            lines = (
                [match.span() for match in _LINE.finditer(text)] if block.kind is BlockKind.LIST else [(0, len(text))]
            )
            for start, end in lines:
                if _CAPITAL.search(text, start, end):
                    for piece in _split_long_piece(document.text, block.start + start, block.start + end):
                        yield piece, language


def _split_long_piece(text: str, start: int, end: int) -> Iterator[_Piece]:
    """Cut blocks that are too long for the model's memory, at white space where there is some."""
    while end - start > _MAX_PIECE_LENGTH:
        space = text.rfind(" ", start + 1, start + _MAX_PIECE_LENGTH)
        stop = space if space > 0 else start + _MAX_PIECE_LENGTH
        yield start, stop
        start = stop
    yield start, end


def _iter_english_names(documents: Sequence[Document], pieces: Sequence[Sequence[_Piece]]) -> Iterator[list[Entity]]:
    proposed_names: list[list[ProposedName]] = [[] for _ in documents]
    # The mark of a list item means nothing to the model.
    marked_lines = [
        (index, start, start + len(_match_text(_MARKER, document.text[start:end])), end)
        for index, (document, line_spans) in enumerate(zip(documents, pieces, strict=True))
        for start, end in line_spans
    ]
    spans_by_line = _find_labelled_spans([documents[index].text[first:end] for index, _, first, end in marked_lines])
    for (index, start, first, end), spans in zip(marked_lines, spans_by_line, strict=True):
        labelled_spans = [(first - start + begin, first - start + stop, label) for begin, stop, label in spans]
        proposed_names[index] += iter_proposed_names(documents[index].text[start:end], start, labelled_spans)
    for document, line_spans, names in zip(documents, pieces, proposed_names, strict=True):
        gate = NameGate([document.text[start:end] for start, end in line_spans])
        yield [
            Entity(name.start, name.end, name.text, name.label, normalize_name(name.text))
            for name in gate.select_names(names)
        ]


def _find_labelled_spans(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """The names that the model finds in each text: starts, ends and labels.

    They are judged afterwards, with words that the same model tags.
    """
    if not texts:
        return []
    with english_model() as model:
        parsed_texts = model.pipe(texts, batch_size=64, disable=_OTHER_PIPES)
        return [
            [(span.start_char, span.end_char, span.label_) for span in parsed.ents if span.label_ in LABELS]
            for parsed in parsed_texts
        ]


def _match_text(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return match[0] if match else ""


def _iter_chinese_names(document: Document, pieces: Sequence[_Piece]) -> Iterator[Entity]:
    for start, end in pieces:
        text = document.text[start:end]
        for first, last, label in find_chinese_names(text):
            yield Entity(start + first, start + last, text[first:last], label, normalize_name(text[first:last]))


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MAX_NAME_WORDS = {"PERSON": 4, "GPE": 5, "ORG": 7, "WORK_OF_ART": 10}
_MIN_COMPUTING_SHARE = 0.03
_MIN_COMPUTING_WORDS = 4
"""The share of a document's words that are of computing, and how many different ones, that make it a manual."""
_COMPUTING_WORDS = _split_words(
    "click clicks select press toggle hover drag dropdown dropdowns menu menus sidebar toolbar button buttons"
    " checkbox dialog tab tabs hotkey hotkeys shortcut shortcuts keyboard cursor pane settings setting option"
    " options default defaults preferences config configuration install installed installs installation uninstall"
    " command commands plugin plugins file files folder folders directory path paths syntax code api app apps url"
    " urls json yaml html css csv sql cli server servers browser desktop parameter parameters argument arguments"
    " function functions module modules package packages script scripts password login user users database query"
    " queries markdown python javascript vault theme themes template templates widget widgets column columns"
    " variable variables terminal shell icon icons editor"
)
"""Words of which a manual has many: actions on a screen, parts of programs."""
_CALENDAR_WORD = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?\.?|(?:jan|febr)uary|jan|feb|mar(?:ch)?|apr(?:il)?"
    r"|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|(?:octo|novem|decem)ber|oct|nov|dec|to-?day|tomorrow|yesterday|week(?:end)?"
)
_NON_NAME_SIGNS = re.compile(r"[/\\<>=*#$%{}\[\]|~^@`_+→]|\w\w\.\w|--|\d{4}|[A-Za-z]\d|\d[A-Za-z]|'{2}|\bhttps?\b")
"""What names of people and places never have: signs of paths, code and mark-up, a dot or digits within a word."""
_CAMEL_CASE = re.compile(r"\b(?!(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|O['’])[A-Z])[A-Za-z]+[a-z][A-Z]")
_ACRONYM = re.compile(r"[A-Z]{2,6}s?")
_TOKEN = re.compile(r"[^\W\d_](?:[\w’'&-]*\w)?\.?")
_NAME_END = re.compile(r"\s+[-–—|→]+\s+|[:;!?]\s|\s*[\n\t(]\s*")
_POSSESSIVE = re.compile(r"['’]s?$")
_ARTICLE = re.compile(r"(?:the|an?|my|our|your|his|her|their|this|that)\s+", re.IGNORECASE)
_THE = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)
_PERSON_TITLE = re.compile(
    r"\b(?:(?:Great-)?(?:Aunt|Auntie|Uncle|Grandma|Grandpa|Granny|Cousin)|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Prof\.?) $"
)
_ORGANISATION_WORD = re.compile(
    r"\b(?:University|Institute|College|Foundation|Company|Corporation|Inc|Ltd|GmbH|Bank|Museum|Ministry|Council|Association"
    r"|Society|School|Hospital|Laborator(?:y|ies))\b"
)
"""Words in the full name of an organisation."""
_NEGATION = re.compile(r"n?['’](?:t|m|re|ve|ll|d)\b")
_PARTICLES = _split_words("of the and for de da del der van von la le di du e y in on at to a an & bin al el")
_LIST_MARKER = re.compile(
    r"\s*(?:(?:[-*+•–]|\d{1,3}[.)])\s+)?(?:\[[ xX>/-]\]\s+)?(?:\d{1,2}:\d{2}(?:\s?[ap]m)?\b[\s:–-]*)?"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]|[-–—→|])\s*[\"“'‘(]*$")
"""The text before a word that is capitalised because it comes first."""
_MEETING_VERB = re.compile(
    r"\b(?:met|meet|meeting|with|called|call|phoned|phone|asked|ask|told|tell|saw|visited|visit|thanked|thank|thanks to"
    r"|by|emailed|email|invited|invite|joined|helped|drove|hugged|married|texted|text|mr|mrs|ms|dr|prof)\.?\s+"
    r"(?:up with\s+)?$",
    re.IGNORECASE,
)
_ORGANISATION_VERB = re.compile(r"\b(?:with|by|to|saw|visited|joined)\s+$", re.IGNORECASE)
"""Words that an organisation or a place may follow as well."""
_POSSESSIVE_ENDINGS = ("'s", "’s")
_PERSON_VERB = re.compile(r"\b(?:met|meet|phoned|told|thanked|hugged|married|texted)\s+$", re.IGNORECASE)
"""Words that only a person follows."""
_SPEECH_VERB = re.compile(
    r"['’]?\s+(?:says?|said|thinks?|thought|called|asked|asks|told|tells|wants?|wanted|sent|sends|wrote|writes|came|left"
    r"|brought|cooked|explained|suggested|agreed|agrees|promised|presented|mentioned|laughed|walked|drove|arrived|stayed"
    r"|phoned|emailed|texted|visited|joked|replied|drafts?|and I)\b"
)
_PLACE_PREPOSITION = re.compile(
    r"\b(?:in|from|near|outside|around|visited|visit|off to|trip to|train to|flew to|moved to|drove to)\s+$"
)
_NAME_RUN = r"[A-ZÀ-Þ][\w’'-]+(?: (?:(?:van|von|de|der|da|del|bin|al) )?[A-ZÀ-Þ][\w’'-]+){0,3}"
_RUN = re.compile(rf"(?<![\w.’'/-]){_NAME_RUN}")


@dataclass(frozen=True, slots=True)
class ProposedName:
    """A name proposed in a line: its place in the document's text, its label, and the words before and after it."""

    start: int
    end: int
    text: str
    label: str
    text_before: str
    text_after: str

    @property
    def key(self) -> str:
        """The words of the name in small letters; occurrences with the same key are one name."""
        return normalize_name(self.text).casefold()

    @property
    def is_first(self) -> bool:
        """Whether it may be capitalised only because it comes first."""
        return _SENTENCE_START.search(_LIST_MARKER.sub("", self.text_before, count=1)) is not None

    @property
    def is_person_by_context(self) -> bool:
        """Whether the words around it are those around people."""
        return bool(_MEETING_VERB.search(self.text_before) or _SPEECH_VERB.match(self.text_after))


def normalize_name(text: str) -> str:
    """A name without a possessive ending, an article and line breaks."""
    return _POSSESSIVE.sub("", " ".join(text.split())).strip(" .,")


class NameGate:
    """Judges the names proposed in a document by the document as a whole."""

    def __init__(self, lines: Sequence[str]) -> None:
        """`lines` are the document's lines that are read for names."""
        self._words = Counter(word for line in lines for word in re.findall(r"[^\W\d_]+", line))
        lower_counts = Counter(word.lower() for word in self._words.elements())
        computing = [lower_counts[word] for word in _COMPUTING_WORDS & lower_counts.keys()]
        self.is_manual = (
            len(computing) >= _MIN_COMPUTING_WORDS and sum(computing) >= _MIN_COMPUTING_SHARE * lower_counts.total()
        )

    def select_names(self, proposed: Iterable[ProposedName]) -> list[ProposedName]:
        """The names among those proposed, in order, each with the label that it has in the document."""
        trimmed = [name for name_proposal in proposed for name in self._iter_trimmed(name_proposal)]
        tag_words(word for name in trimmed for word in _list_capitalised_words(name.text))
        names_by_key: defaultdict[str, list[ProposedName]] = defaultdict(list)
        for name in trimmed:
            names_by_key[name.key].append(name)
        labels = {key: _choose_label(places) for key, places in names_by_key.items()}
        name_keys = {key for key, places in names_by_key.items() if self._is_name(places, labels[key])}
        # A single word of the name of a person names that person.
        parts = {
            part
            for key in name_keys
            if labels[key] == "PERSON"
            for part in key.split()
            if len(part) > 2 and part not in _PARTICLES
        }
        people = {key for key in parts & names_by_key.keys() if not self._is_seen_in_lower_case(key)}
        labels |= dict.fromkeys(people, "PERSON")
        return [replace(name, label=labels[name.key]) for name in trimmed if name.key in name_keys | people]

    def _iter_trimmed(self, name: ProposedName) -> Iterator[ProposedName]:
        """The name with the right first and last words: nothing that precedes it, but all of a person's name."""
        text = _NAME_END.split(name.text, maxsplit=1)[0].rstrip()
        start, text_before, text_after = 0, name.text_before, name.text[len(text) :] + name.text_after
        if name.label != "WORK_OF_ART" and (article := _ARTICLE.match(text)):
            start = article.end()
        first = _TOKEN.match(text, start)
        following_words = text[first.end() :].lstrip() if first else ""
        is_first = replace(name, text_before=text_before + text[:start]).is_first
        if first and is_first and following_words[:1].isupper() and _begins_as_verb(first[0]):
            start = len(text) - len(following_words)
        text_before, text = text_before + text[:start], text[start:]
        while (last_word := text.rpartition(" "))[2].islower() and last_word[0]:
            text_after, text = text[len(last_word[0]) :] + text_after, last_word[0]
        start = name.start + start
        if name.label == "PERSON":
            if title := _PERSON_TITLE.search(text_before):
                start, text, text_before = start - len(title[0]), title[0] + text, text_before[: title.start()]
            elif neighbour := re.search(rf"(?<![\w.’'/-]){_NAME_RUN} $", text_before):
                first_names = neighbour[0].split()
                added_words = " ".join(first_names)
                if all(_is_rare(word) and not _ACRONYM.fullmatch(word) for word in first_names):
                    start, text_before = (
                        start - len(added_words) - 1,
                        text_before[: len(text_before) - len(added_words) - 1],
                    )
                    text = f"{added_words} {text}"
            if (neighbour := re.match(rf" {_NAME_RUN}", text_after)) and all(map(_is_rare, neighbour[0].split())):
                text, text_after = text + neighbour[0], text_after[neighbour.end() :]
        if text:
            yield ProposedName(start, start + len(text), text, name.label, text_before, text_after)

    def _is_name(self, places: Sequence[ProposedName], label: str) -> bool:
        text, key = normalize_name(places[0].text), places[0].key
        words = _list_capitalised_words(text)
        if all(map(is_function_word, _NEGATION.sub("", key).split())) or len(text.split()) > _MAX_NAME_WORDS[label]:
            return False
        if not words or _CALENDAR_WORD.fullmatch(key):
            return False
        if _NON_NAME_SIGNS.search(text) and not (label == "WORK_OF_ART" and " " in text):
            return False
        if any(character.isdigit() for character in text) and label in ("PERSON", "GPE"):
            return False
        if label != "WORK_OF_ART" and _CAMEL_CASE.search(text) and (self.is_manual or label != "ORG"):
            return False
        if _ACRONYM.fullmatch(text):
            return not self.is_manual and label != "PERSON"
        rare_words = [word for word in words if _is_rare(word)]
        if self.is_manual:
            return self._is_name_in_manual(places, label, words, rare_words)
        if rare_words:
            return len(words) > 1 or not self._is_seen_in_lower_case(key)
        # All are also ordinary words: "Mark", "Dark Mode", "Scottish Water".
        if len(words) == 1 and is_verb_first(words[0].lower()):
            return False
        is_inside_sentence = any(not name.is_first and not _THE.search(name.text_before) for name in places)
        is_person = label == "PERSON" and any(name.is_person_by_context for name in places)
        return (is_inside_sentence or is_person) and not self._is_seen_in_lower_case(key)

    def _is_name_in_manual(
        self, places: Sequence[ProposedName], label: str, words: Sequence[str], rare_words: Sequence[str]
    ) -> bool:
        if label == "ORG" and len(words) > 1 and _ORGANISATION_WORD.search(places[0].text):
            return True
        simple_words = [word for word in rare_words if not is_compound(word.lower())]
        if not simple_words or (len(words) == 1 and self._is_seen_in_lower_case(words[0].lower())):
            return False
        if label == "PERSON":
            is_no_computing = not any(word.lower() in _COMPUTING_WORDS or is_verb_first(word.lower()) for word in words)
            return (len(words) > 1 and is_no_computing) or any(name.is_person_by_context for name in places)
        if label == "GPE":
            return any(_PLACE_PREPOSITION.search(name.text_before) for name in places) or is_listed(
                simple_words[0].lower()
            )
        return len(simple_words) == len(words) or len(words) > 2

    def _is_seen_in_lower_case(self, key: str) -> bool:
        """Whether the document also has the words in small letters, at least as often as with a capital."""
        words = key.split()
        return all(0 < self._words[word] >= self._words[word.capitalize()] for word in words if word not in _PARTICLES)


def iter_proposed_names(line: str, offset: int, spans: Iterable[tuple[int, int, str]]) -> Iterator[ProposedName]:
    """The names that the model found in a line, and people whom it missed where the line mentions somebody.

    `spans` are starts and ends in the line, with a label; `offset` is where the line begins in the document.
    """
    all_spans = list(spans)
    for match in _RUN.finditer(line):
        verb, _, following_words = match[0].partition(" ")
        text = _POSSESSIVE.sub("", following_words if following_words and _begins_as_verb(verb) else match[0])
        start = line.index(text, match.start())
        end = start + len(text)
        name = ProposedName(0, 0, text, "PERSON", line[:start], line[end:])
        is_free = all(end <= first or last <= start for first, last, _ in all_spans)
        is_met = _PERSON_VERB.search(name.text_before) is not None and not any(map(is_function_word, text.split()))
        if is_free and (is_met or (name.is_person_by_context and all(map(_is_unlisted_name, text.split())))):
            all_spans.append((start, end, "PERSON"))
    for start, end, label in sorted(all_spans):
        yield ProposedName(offset + start, offset + end, line[start:end], label, line[:start], line[end:])


def _begins_as_verb(word: str) -> bool:
    return _MEETING_VERB.search(f"{word} ") is not None or is_verb_first(word.lower())


def _is_unlisted_name(word: str) -> bool:
    lower_word = word.lower()
    return (
        word[1:].islower()
        and not is_listed(lower_word)
        and not is_compound(lower_word)
        and not _CALENDAR_WORD.fullmatch(lower_word)
    )


def _is_rare(word: str) -> bool:
    """Whether a capitalised word is a name and no ordinary word of the language."""
    lower_word = _POSSESSIVE.sub("", word).lower().strip(".")
    return (
        len(lower_word) > 1
        and not is_common(lower_word)
        and lower_word not in _COMPUTING_WORDS
        and not _CALENDAR_WORD.fullmatch(lower_word)
    )


def _list_capitalised_words(text: str) -> list[str]:
    return [word for word in _TOKEN.findall(text) if word[0].isupper()]


def _choose_label(places: Sequence[ProposedName]) -> str:
    counts: Counter[str] = Counter()
    for name in places:
        counts[name.label] += 2
        is_owner = name.text.endswith(_POSSESSIVE_ENDINGS) or name.text_after.startswith(_POSSESSIVE_ENDINGS)
        is_met = name.is_person_by_context and not is_owner and not _ORGANISATION_VERB.search(name.text_before)
        counts["PERSON"] += 3 * (is_met and name.label in ("GPE", "ORG") and " " not in name.text)
    return counts.most_common(1)[0][0]
