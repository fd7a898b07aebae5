"""Find the temporal expressions of a text and the days they mean.

The scan walks the tokens of the text once and tries only the rules of each token's head, each of which reads a bounded
distance ahead and back. Each stage of joins walks the items once from left to right and replaces those that it joins;
the same stage may join the result again. So the whole is linear in the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from typing import TypeVar

from tasks.parsers.language import EUROPEAN, has_chinese
from tasks.parsers.written_dates import DAY_FIRST
from tasks.temporal import chinese, english, european
from tasks.temporal.coordination import read_weekday_lists, share_parts
from tasks.temporal.english.lexicon import MONTH_NAMES
from tasks.temporal.grammar import (
    CHINESE_DIGITS,
    CHINESE_NUMBER,
    LETTERED,
    LETTERS,
    LONG_NUMBER,
    MARKED,
    MIDDLE_NUMBER,
    NAMED_GROUP,
    SHORT_NUMBER,
    SKIPPED_SETS,
    GrammarItem,
    GrammarRule,
    JoinRule,
    NextCharacters,
    Part,
    Signal,
    SignalRole,
    may_match,
)
from tasks.temporal.meanings.clocks import TimeOnDay
from tasks.temporal.meanings.spans import Age, TimeBetween, TimeSet
from tasks.temporal.readings import Context, MentionFields, is_week_heading
from tasks.temporal.tense import ExpressionSpan
from warehouse.records import Mention, TimexType
from warehouse.records.calendars import FiscalCalendar, Interval

_CHINESE_LETTERS = {**chinese.PLAIN, **LETTERS}

# A run of digits or of letters, a Chinese numeral, or any other single Chinese character.
_TOKEN = re.compile(
    rf"(?<![0-9A-Za-z])(?:(?P<word>[A-Za-z]+)|(?P<number>[0-9]+))|(?P<numeral>[{CHINESE_DIGITS}]+)|[\u4e00-\u9fff]"
)
_NUMBERS = {1: SHORT_NUMBER, 2: SHORT_NUMBER, 3: MIDDLE_NUMBER, 4: LONG_NUMBER}
_YEAR_DIGITS = re.compile("[0-9]{2}")
_MARKS = frozenset(":/.-–—~")
_APOSTROPHES = frozenset("'’")
_ENDS_OF_SKIPPED = tuple(re.compile(f"[^{re.escape(''.join(sorted(skipped)))}]") for skipped in SKIPPED_SETS)

_LEAD_REACH = 40  # The greatest distance of a lead from its head, in characters.
_STEM_LENGTH = 3  # A word before a head may be one of a lead if they begin with the same letters, so many of them.
_WORD = re.compile(r"(?<!\\)[A-Za-z]{2,}")
_DIGIT = "0"
_DIGITS, _COUNTS = re.compile(r"[0-9]|\\d"), re.compile(r"\{[0-9,]*\}")
_WORD_BEFORE = re.compile(r"(?<![0-9A-Za-z])(?:[A-Za-z]+|[^\sA-Za-z])")

_FILE_SIZE = re.compile(
    r"(?<!\S)[-dlbcps](?:[r-][w-][xsStT-]){3}[.+@]?[\s|]+(?:\d+[\s|]+(?:\S+[\s|]+){2}|\S+[\s|]+)"
    r"(?P<listed>(?:\d+,\s*)?\d+)(?=[\s|])"
    r"|(?<![\w.,:/-])(?P<before>\d+)(?=[ \t]+\d{4}-\d\d-\d\d[ \t]+\d\d:\d\d)"
    r"|(?:\d{4}-\d\d-\d\d|\d\d[/.]\d\d[/.]\d{4})[ \t]+\d\d:\d\d(?::\d\d)?(?:[ \t]?[AP]M)?"
    r"[ \t]+(?P<behind>\d+)(?=[ \t]+\S)"
)
"""How `ls`, `tar`, `unzip` and `dir` list a file: its size is where a year may be."""

_MAX_GAP = 24  # No gap between joined items is wider, in characters.

Result = TypeVar("Result")
ItemKind = type | SignalRole
_IndexedRule = tuple[GrammarRule, frozenset[str]]  # A rule and the stems of its lead.
JoinsByEnding = Callable[[ItemKind, ItemKind], Sequence[JoinRule]]


class NextCharacterFinder:
    """Finds the characters behind the numbers of a text, from left to right, so that nothing is skipped twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._positions = [-1] * len(SKIPPED_SETS)

    def find(self, start: int) -> NextCharacters:
        """The first character from `start` on that is not skipped, once for each of the two sets."""
        for index, position in enumerate(self._positions):
            if position < start:
                match = _ENDS_OF_SKIPPED[index].search(self._text, start)
                self._positions[index] = match.start() if match else len(self._text)
        characters = (self._text[position : position + 1] for position in self._positions)
        return tuple(character.lower() if character.isascii() else None for character in characters)


class Grammar:
    """A set of rules, found by head, and the stages of joins for what they find."""

    def __init__(self, rules: Iterable[GrammarRule], stages: Iterable[Sequence[JoinRule]] = ()) -> None:
        """The order of rules, and of the joins of a stage, decides between equals: the first wins."""
        self._by_head: defaultdict[str, list[_IndexedRule]] = defaultdict(list)
        self._by_number = cache(self._select_rules)
        for rule in rules:
            stems = _collect_stems(rule.lead_words) if rule.lead_words else frozenset()
            for head in rule.heads:
                for shape in ("", LETTERED, MARKED) if head in _NUMBERS.values() else ("",):
                    self._by_head[head + shape].append((rule, stems))
        self._stages = [_index_by_ending(joins) for joins in stages]

    def find_items(self, text: str) -> list[GrammarItem]:
        """The items of the rules in order, joined by the stages, each with the parts that its list shares."""
        items = _keep_longest(self.scan(text))
        for joins in self._stages:
            items = _join_items(items, text, joins)
        recur = any(isinstance(item.value, (TimeBetween, TimeOnDay, TimeSet)) for item in items)
        items = read_weekday_lists(items, text) if recur else items
        times = [item for item in items if not isinstance(item.value, Signal)]
        return share_parts(times, text) if len(times) > 1 else times

    def scan(self, text: str) -> Iterator[GrammarItem]:
        """Every item in the order of its head: the longest at its place; they may still overlap."""
        next_characters = NextCharacterFinder(text)
        for token in _TOKEN.finditer(text):
            head = token[0].lower() if token.lastgroup == "word" else _find_head(text, token)
            rules: Sequence[_IndexedRule] | None = self._by_head.get(head)
            if rules and token.lastgroup == "number":
                rules = self._by_number(head, next_characters.find(token.end()))
            item = _match_longest(rules, text, token.start()) if rules else None
            if item is not None:
                yield item

    def _select_rules(self, head: str, next_characters: NextCharacters) -> Sequence[_IndexedRule]:
        """The rules of a kind of number that may match before these characters."""
        return [
            (rule, stems)
            for rule, stems in self._by_head[head]
            if rule.lead_words or may_match(rule.words, next_characters)
        ]


def _collect_stems(lead: str) -> frozenset[str]:
    """How the words of a lead begin; a digit stands for every number, where it has one."""
    words = NAMED_GROUP.sub("(?:", lead)
    stems = {word[:_STEM_LENGTH].lower() for word in _WORD.findall(words)}
    return frozenset(stems | {_DIGIT} if _DIGITS.search(_COUNTS.sub("", words)) else stems)


def _find_head(text: str, token: re.Match[str]) -> str:
    """The head of a token that is not an English word."""
    if token.lastgroup != "number":
        return CHINESE_NUMBER if token.lastgroup == "numeral" else token[0]
    number, next_character = _NUMBERS.get(token.end() - token.start(), ""), text[token.end() : token.end() + 1]
    if next_character in _MARKS:
        return number and number + MARKED
    return number and number + (LETTERED if next_character.isalpha() or next_character in _APOSTROPHES else "")


def _match_longest(rules: Iterable[_IndexedRule], text: str, head_start: int) -> GrammarItem | None:
    """The longest item that the rules find with their head at `head_start`, each with its longest lead."""
    best: GrammarItem | None = None
    words_before: list[_WordBefore] | None = None
    for rule, stems in rules:
        start: int | None = head_start
        if rule.lead is not None:
            if words_before is None:
                words_before = _list_words_before(text, head_start)
            start = _find_lead_start(rule.lead, stems, text, head_start, words_before)
        match = None if start is None else rule.pattern.match(text, start)
        if match is None or match.end() <= head_start:
            continue
        if best is None or match.end() - match.start() > best.end - best.start:
            value = _try_call(rule.reader, match)
            best = best if value is None else GrammarItem(match.start(), match.end(), value)
    return best


_WordBefore = tuple[int, str]
"""The offset of a word, digit or mark, and its stem if leads are compared with it: empty for a letter or mark."""


def _list_words_before(text: str, end: int) -> list[_WordBefore]:
    """The words before an offset, nearest first; no lead reaches over the bar of a cell."""
    words = []
    first = max(0, end - _LEAD_REACH)
    for word in _WORD_BEFORE.finditer(text, max(first, text.rfind("|", first, end) + 1), end):
        stem = word[0][:_STEM_LENGTH].lower()
        words.append((word.start(), stem if len(stem) > 1 else _DIGIT if stem.isdigit() else ""))
    return words[::-1]


def _find_lead_start(
    lead: re.Pattern[str], stems: frozenset[str], text: str, head_start: int, words_before: Iterable[_WordBefore]
) -> int | None:
    """The start of the longest lead that ends at `head_start`, with only words of the lead, letters and marks."""
    starts = [head_start]
    for start, stem in words_before:
        if stem and stem not in stems:
            break
        starts.append(start)
    for start in reversed(starts):
        if lead.fullmatch(text, start, head_start):
            return start
    return None


def _try_call(function: Callable[..., Result], *arguments: object) -> Result | None:
    """The function's result; None if it raises `ValueError` or `OverflowError`: there is no such date."""
    try:
        return function(*arguments)
    except (ValueError, OverflowError):
        return None


def _keep_longest(items: Iterable[GrammarItem]) -> list[GrammarItem]:
    """Of items that overlap, the longest, and the first of equals."""
    longest_items: list[GrammarItem] = []
    for item in items:
        first = len(longest_items)
        while first and item.start < longest_items[first - 1].end:
            first -= 1
        size = item.end - item.start
        if all(size > other_item.end - other_item.start for other_item in longest_items[first:]):
            longest_items[first:] = [item]
    return longest_items


def _index_by_ending(joins: Iterable[JoinRule]) -> JoinsByEnding:
    """The joins whose last two parts may be of two kinds: the class of a meaning, the word of a signal."""
    join_rules = tuple(joins)
    return cache(
        lambda previous, last: [
            join for join in join_rules if _is_part(last, join.parts[-1]) and _is_part(previous, join.parts[-2])
        ]
    )


def _join_items(items: Iterable[GrammarItem], text: str, joins: JoinsByEnding) -> list[GrammarItem]:
    """The items after one stage."""
    result: list[GrammarItem] = []
    for item in items:
        result.append(item)
        while len(result) > 1 and result[-1].start - result[-2].end <= _MAX_GAP and _join_last(result, text, joins):
            pass
    return result


def _join_last(items: list[GrammarItem], text: str, joins: JoinsByEnding) -> bool:
    """Join the last items where a join fits; whether one did. Each join makes the list shorter."""
    for join in joins(_get_kind(items[-2]), _get_kind(items[-1])):
        last_items = items[-len(join.parts) :]
        if len(last_items) == len(join.parts) and _fits(join, last_items, text):
            values = [item.value for item in last_items if not isinstance(item.value, Signal)]
            signals = [item.value.modifier for item in last_items if isinstance(item.value, Signal)]
            meaning = _try_call(join.make, *values, *(signals[-1:] if join.takes_modifier else ()))
            if meaning is not None:
                extent = last_items[slice(*join.extent)]
                items[-len(last_items) :] = [GrammarItem(extent[0].start, extent[-1].end, meaning, tuple(last_items))]
                return True
    return False


def _fits(join: JoinRule, items: Sequence[GrammarItem], text: str) -> bool:
    """Whether all items match the join's parts and gaps; the last two are known to match its last parts.

    No join reaches over an empty line.
    """
    if not all(_is_part(_get_kind(item), part) for item, part in zip(items[:-2], join.parts, strict=False)):
        return False
    gaps = [join.gap] * (len(items) - 1) if isinstance(join.gap, re.Pattern) else join.gap
    neighbours = zip(gaps, items, items[1:], strict=False)
    return all(
        text.count("\n", left.end, right.start) <= 1 and gap.fullmatch(text, left.end, right.start)
        for gap, left, right in neighbours
    )


def _get_kind(item: GrammarItem) -> ItemKind:
    return item.value.role if isinstance(item.value, Signal) else type(item.value)


def _is_part(kind: ItemKind, part: Part) -> bool:
    parts = part if isinstance(part, tuple) else (part,)
    if isinstance(kind, SignalRole):
        return kind in parts
    return any(isinstance(part, type) and issubclass(kind, part) for part in parts)


_ENGLISH = Grammar(english.RULES, english.STAGES)
_CHINESE = Grammar((*english.RULES, *chinese.RULES), (*chinese.STAGES, *english.STAGES))


@cache
def _build_european_grammar(language: str) -> Grammar:
    """The grammar of a European language; an unknown language is read as English, with the sure rules of the others."""
    if language in EUROPEAN:
        return Grammar(european.build_rules(language), european.build_stages(language))
    return Grammar((*english.RULES, *european.build_unambiguous_rules()), english.STAGES)


def _select_grammar(text: str, language: str) -> tuple[Grammar, Mapping[int, int | str]]:
    """The grammar of a text, and the table by which its letters are replaced, one for one, before it is read."""
    if language == "zh" or has_chinese(text):
        return _CHINESE, _CHINESE_LETTERS
    if language == "en":
        return _ENGLISH, LETTERS
    # The sure rules of an unknown language need a year in digits: most names of files and headers have none.
    is_english = language not in EUROPEAN and _YEAR_DIGITS.search(text) is None
    return (_ENGLISH if is_english else _build_european_grammar(language)), european.UNACCENTED


def tag(
    text: str,
    anchor: date | None,
    language: str,
    *,
    day_order: str = "",
    fiscal: FiscalCalendar | None = None,
    term: Interval | None = None,
    reported: Interval | None = None,
    period: Interval | None = None,
    in_chat: bool = False,
    in_narrative: bool = False,
    ages: bool = False,
) -> tuple[Mention, ...]:
    """Every temporal expression in the order of the text; none overlap, the longest wins.

    `anchor` is the day (or the moment) that relative expressions count from; without it they keep no dates. `language`
    is "en", "zh", one of `EUROPEAN`, or "und"; Chinese is looked for in "zh" and wherever a letter is Chinese.
    `day_order` is how an ambiguous 03/04/2023 is read (`Attributes.day_order`), `fiscal` the calendar of fiscal
    periods, `term`, `reported`, `period`, `in_chat` and `in_narrative` are those that `Context` has by these names.
    With `ages`, how old somebody is counts as a length, as in TIMEX3; else it is left out.
    """
    # Special letters and full-width digits become ASCII, traditional characters simplified, one for one: spans stay.
    grammar, letters = _select_grammar(text, language)
    normalized_text = _FILE_SIZE.sub(_hide_size, text.translate(letters))
    words = european.build_tense_words(language) if language in EUROPEAN else None
    if words:
        day_order = day_order or f"{DAY_FIRST}, as its language writes dates"
    context = Context(
        anchor.date() if isinstance(anchor, datetime) else anchor,
        day_order=day_order,
        fiscal=fiscal,
        term=term,
        reported=reported,
        period=period,
        in_chat=in_chat,
        in_narrative=in_narrative,
    )
    mentions = []
    pending_items = grammar.find_items(normalized_text)[::-1]
    while pending_items:
        item = pending_items.pop()
        if isinstance(item.value, Signal) or (isinstance(item.value, Age) and not ages):
            continue
        span = ExpressionSpan(text if words else normalized_text, item.start, item.end, words)
        sides = [part for part in item.parts if not isinstance(part.value, Signal)]
        if isinstance(item.value, TimeBetween) and len(sides) > 1 and span.is_moved:
            pending_items += sides[::-1]
            continue
        reading = _try_call(item.value.resolve, replace(context, span=span))
        if reading is None:
            # Two times instead of a range: "between Q2 of 2024 and 2023".
            pending_items += item.parts[::-1] if isinstance(item.value, TimeBetween) else ()
            continue
        if reading.bounds and not reading.is_comparison and reading.type is not TimexType.DURATION:
            context = replace(context, last_reading=reading, last_end=item.end)
            if is_week_heading(reading, normalized_text, item.start, item.end):
                context = replace(context, week=reading.bounds, week_end=item.end)
        mentions.append(_make_mention(text, item, reading))
    return tuple(mentions)


def _hide_size(match: re.Match[str]) -> str:
    """A listed file without the digits of its size, as long as before."""
    start, end = (place - match.start() for place in match.span(match.lastgroup or 0))
    return f"{match[0][:start]}{'#' * (end - start)}{match[0][end:]}"


def _make_mention(text: str, item: GrammarItem, reading: MentionFields) -> Mention:
    start_date, end_date = reading.interval or (None, None)
    other_start, other_end = reading.other_interval or (None, None)
    return Mention(
        start=item.start,
        end=item.end,
        text=text[item.start : item.end],
        type=reading.type,
        value=reading.value,
        start_date=start_date,
        end_date=end_date,
        grain=reading.grain,
        relative=reading.relative,
        anchor=reading.anchor,
        calendar=reading.calendar,
        modifier=reading.modifier,
        quant=reading.quant,
        freq=reading.freq,
        other_start=other_start,
        other_end=other_end,
        basis=reading.basis,
    )


_SPACED_WORDS = ("three", "six", "nine", "twelve", "months", "weeks", "ended")
_LETTERSPACED = tuple((re.compile(r"\b" + r"\s?".join(word) + r"\b", re.IGNORECASE), word) for word in _SPACED_WORDS)
_NUMERIC_DAY = re.compile(r"(?<![0-9/])([0-9]{1,2})/([0-9]{1,2})/((?:19|20)[0-9]{2})(?![0-9/])")
_SPACED_YEAR = re.compile(r"(?<![0-9] )(?<![0-9])([12]) ([0-9]) ([0-9]) ([0-9])(?! ?[0-9])")


def normalize_dates(part: str, day_order: str, language: str = "") -> str:
    """A header as the tagger reads it: spaced letters joined, numeric days with their month's name.

    "2 0 1 9", "Three M on ths E nded" and "3/25/2023" become 2019, "three months ended" and "March 25, 2023", or
    2023-03-25 in a European `language`; the last is read month first unless `day_order` (`Attributes.day_order`) says
    otherwise.
    """
    for pattern, word in _LETTERSPACED:
        part = pattern.sub(word, part)
    day, month = (1, 2) if day_order.startswith("day") else (2, 1)

    def name_month(match: re.Match[str]) -> str:
        number = int(match[month])
        if language in EUROPEAN and 1 <= number <= 12:
            return f"{match[3]}-{number:02}-{int(match[day]):02}"
        return f"{MONTH_NAMES[number - 1].title()} {int(match[day])}, {match[3]}" if 1 <= number <= 12 else match[0]

    return _NUMERIC_DAY.sub(name_month, _SPACED_YEAR.sub(r"\1\2\3\4", part))
