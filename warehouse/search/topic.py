"""Topic of a question: its words except its times, and how many of them a sentence of a passage contains.

A diary describes the same event in different words: a meeting is "sat down with" or "had lunch with" somebody, and what
a question calls "go" is "went". So a word of the question matches any of its forms and other words for the same
activity. Words that only ask what happened ("what did I do") are not part of the topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from warehouse.store.words import list_segments, split_words

_QUESTION_WORDS = """
    happen happens happened happening occur occurred go going went on do doing did note noted write wrote written record
    recorded entry entries diary journal log logbook anything something everything thing things event events time times
    day days week weeks month months year years date value latest last first else people person persons anybody anyone
    name names list note notes take took up place
    哪些 人 在 跟 同 都 些 当天 我们 干嘛 过的
    发生 事情 事 做 干 记录 日记 那天 那 天 周 那一周 一周 什么 时候 我 我们 多少 为 是
    哪天 日期 何时 第 次 了 过 之间 间 时
"""
"""Words that ask what happened, or when, and do not name an event."""
_ACTIVITIES = {
    "meet met meeting met with see saw seen visit visited 见面 会面 碰面 见 见过 见到 遇见 拜访 开会 会议 面谈 见了": (
        r"\b(?:me[et]ts?|meeting|met|saw|seen|visit(?:ed|s)?|sat (?:down )?(?:with|together)|ran into|caught up"
        r"|(?:came|went|dropped|stopped|popped|walked) (?:by|over|in|round|around)|appointment|interview(?:ed)?|joined"
        r"|get-together|got together|(?:had|over|for) (?:a )?(?:coffee|tea|lunch|dinner|breakfast|drinks?|beer)"
        r"|(?:coffee|tea|lunch|dinner|breakfast|drinks?|walk(?:ed)?|stroll) with|introduced to)\b"
        r"|见面|会面|碰面|碰头|见了|见到|遇见|遇到|拜访|探望|开会|会议|面谈|座谈|聚餐|吃饭|喝茶|喝咖啡|约见"
    ),
    "call called calling phone phoned telephone ring rang 电话 打电话 通话 来电 致电 通电话": (
        r"\b(?:call(?:s|ed|ing)?|phone[ds]?|telephoned?|rang|ring|rung|facetimed?|video call|on the phone)\b"
        r"|电话|通话|来电|致电"
    ),
    "email emailed mail mailed message messaged text texted 邮件 发邮件 短信 消息": (
        r"\b(?:e-?mail(?:s|ed)?|mail(?:ed)?|messaged?|texted|texts?|letter|wrote (?:to|back))\b"
        r"|邮件|短信|消息|来信|写信"
    ),
    "buy bought purchase purchased 买 购买 买了": r"\b(?:buy(?:s|ing)?|bought|purchased?|ordered)\b|买|购",
    "talk talked speak spoke spoken discuss discussed 谈 讨论 聊 聊天": (
        r"\b(?:talk(?:ed|s)?|speaks?|spoken?|discuss(?:ed|es)?|discussion|chat(?:ted)?|conversation)\b|谈|讨论|聊"
    ),
}
"""Words that name an activity, and the pattern of words for it in a line."""
_ENCOUNTERS = {words: form for words, form in _ACTIVITIES.items() if words.split()[0] in ("meet", "call", "talk")}
ENCOUNTER = re.compile("|".join(_ENCOUNTERS.values()), re.IGNORECASE)
"""Words for a meeting, call or talk of people."""
IRREGULAR_VERBS = (
    "go went gone,take took taken,give gave given,write wrote written,run ran,eat ate eaten,drink drank drunk"
    ",drive drove driven,fly flew flown,do did done,make made,send sent,pay paid,sell sold,tell told,think thought"
    ",find found,get got gotten,lose lost,leave left,build built,begin began begun,break broke broken,come came"
    ",choose chose chosen,fall fell fallen,feel felt,grow grew grown,hear heard,hold held,keep kept,know knew known"
    ",learn learnt,lend lent,ride rode ridden,rise rose risen,sing sang sung,sit sat,sleep slept,spend spent"
    ",stand stood,steal stole stolen,swim swam swum,teach taught,throw threw thrown,wake woke woken,wear wore worn"
    ",win won,bring brought,catch caught"
)
"""The forms of verbs whose past has another stem, parted by commas: "did we choose" is answered by "we chose"."""
_SENTENCE = re.compile(r"[^\s。！？；](?:[^\n。！？；.!?;]|[.!?;](?!\s+\W?[A-Z0-9]))*[.!?;。！？；]?")
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class TopicWord:
    """A word of a question: its forms as index words, or a pattern of its synonyms; `text` is the word as given."""

    text: str
    forms: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None

    @property
    def is_encounter(self) -> bool:
        """Whether it names a meeting, a call or a talk."""
        return any(self.text.lower() in words.split() for words in _ENCOUNTERS)

    def is_in_line(self, line: str, index_words: frozenset[str]) -> bool:
        """Whether a line, which has these index words, contains it or a synonym."""
        if self.pattern is not None:
            return self.pattern.search(line) is not None
        return bool(self.forms & index_words) or (_HAN.search(self.text) is not None and self.text in line)


@dataclass(frozen=True, slots=True)
class Topic:
    """The words that a question is about; none if it only asks what happened."""

    words: tuple[TopicWord, ...]

    def match_words(self, text: str) -> frozenset[int]:
        """The positions of the words in the best sentence of a text, or in two neighbours of a line together.

        Two sentences do not count together if the question names an activity: "Met Tom. Called Ada." are two events.
        """
        return self._find_best(text)[0]

    def find_span(self, text: str) -> tuple[int, int]:
        """The span of that sentence, or of the two; the first one with the most words."""
        return self._find_best(text)[1]

    def _find_best(self, text: str) -> tuple[frozenset[int], tuple[int, int]]:
        best: tuple[frozenset[int], tuple[int, int]] = frozenset(), (0, 0)
        has_activity = any(word.pattern for word in self.words)
        previous: frozenset[int] = frozenset()
        previous_start = previous_end = 0
        for match in _SENTENCE.finditer(text):
            sentence = match[0]
            index_words = frozenset(split_words(sentence))
            matches = frozenset(
                position for position, word in enumerate(self.words) if word.is_in_line(sentence, index_words)
            )
            has_neighbour = not has_activity and "\n" not in text[previous_end : match.start()] and bool(previous)
            # One sentence with as many words is better than two.
            for positions, start in (
                (matches, match.start()),
                *([(matches | previous, previous_start)] if has_neighbour else []),
            ):
                if len(positions) > len(best[0]):
                    best = positions, (start, match.end() - (sentence[-1] in ";；"))
            previous, previous_start, previous_end = matches, match.start(), match.end()
        return best

    def join_required_words(self, positions: frozenset[int]) -> str:
        """The words at some positions that a passage must contain, joined; an activity has too many forms."""
        topic_words = (self.words[position] for position in sorted(positions))
        return " ".join(word.text for word in topic_words if word.pattern is None and len(word.forms) <= 1)


_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?!\d)(?:\s*([ap])\.?m\b)?", re.IGNORECASE)


def compile_hours(text: str) -> re.Pattern[str] | None:
    """A pattern for the hours that a question names ("8:40", "1:05 pm"), as "08:40:00" too; None without any."""
    patterns = []
    for hour, minute, half_of_day in _CLOCK.findall(text):
        hour_number = int(hour) % 12 + 12 * (half_of_day.lower() == "p") if half_of_day else int(hour)
        twelve_hour_pattern = rf"|0?{hour_number % 12 or 12}:{minute}(?::\d\d)?\s*{'p' if hour_number >= 12 else 'a'}"
        patterns.append(rf"0?{hour_number}:{minute}(?!\d)(?!(?::\d\d)?\s*[ap]\.?m){twelve_hour_pattern}")
    return re.compile(rf"(?<![\d:])(?:{'|'.join(patterns)})", re.IGNORECASE) if patterns else None


def parse_topic(text: str) -> Topic:
    """The topic of a question's text, from which its times are taken."""
    words: dict[str, TopicWord] = {}
    for segment in list_segments(text):
        index_words = split_words(segment)
        if segment.lower() not in _load_question_words():
            words.setdefault(" ".join(index_words), _build_topic_word(segment, index_words))
    return Topic(tuple(words.values()))


def _build_topic_word(segment: str, index_words: Sequence[str]) -> TopicWord:
    activity = _compile_activities().get(segment.lower())
    if activity is not None:
        return TopicWord(segment, pattern=activity)
    if not index_words:
        return TopicWord(segment)
    # The index has a Chinese word by its characters and by their pairs: "电" alone is also in "电话".
    index_word = max(index_words, key=len) if _HAN.search(segment) else index_words[0]
    return TopicWord(segment, frozenset({index_word, *_load_verb_forms().get(index_word, ())}))


@cache
def _load_question_words() -> frozenset[str]:
    return frozenset(_QUESTION_WORDS.split())


@cache
def _compile_activities() -> dict[str, re.Pattern[str]]:
    patterns = {words: re.compile(pattern, re.IGNORECASE) for words, pattern in _ACTIVITIES.items()}
    return {word: pattern for words, pattern in patterns.items() for word in words.split()}


@cache
def _load_verb_forms() -> dict[str, frozenset[str]]:
    """The forms of each irregular verb as index words, by any of them."""
    return {form: forms for forms in map(frozenset, map(split_words, IRREGULAR_VERBS.split(","))) for form in forms}
