"""Tense of a sentence: past, future or unknown.

The nearest verb before an expression decides, else the first one after it, within the sentence and a short distance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

_REACH_BEFORE, _REACH_AFTER = 160, 80
_CLAUSE_END = re.compile(
    r"[.!?;。！？]\s|\n\s?\n|\n(?=[\[(<\u200e]{0,2}\d{1,4}[-/.:]\d)|\n\s{0,3}(?:[-*•–]|\d{1,2}[.)])\s"
)
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_LETTERS = re.compile(r"[^\W\d_]+")

_TIME_PREPOSITION = re.compile(
    r"\b(?:in|on|during|back\sin|by|since|until|till|through|of)\s(?:the\s)?\Z", re.IGNORECASE
)
_ORIGIN = re.compile(
    r"\b(?:from|of|since|after|vom?|seit|de|du|depuis|desde|da|dal|di|van|sinds)\s(?:the\s)?\Z", re.IGNORECASE
)
"""Words before a day that has been, where no verb says otherwise: "the photos from Saturday"."""
_PREPOSITION_REACH = 24
_MOVED = re.compile(
    r"\b(?:(?:mov(?:e[sd]?|ing)|shift(?:s|ed|ing)?|push(?:es|ed|ing)?|delay(?:s|ed|ing)?|movid[oa]s?)(?:\s[^\W\d]{1,12}){0,2}"
    r"|(?:postpon(?:e[sd]?|ing)|reschedul(?:e[sd]?|ing)|deferred|brought\sforward|report[ée]e?s?|d[ée]plac[ée]e?s?"
    r"|d[ée]cal[ée]e?s?|aplazad[oa]s?|trasladad[oa]s?|spostat[oaie]|rinviat[oaie]|adiad[oa]s?)(?:\s[^\W\d]{1,12}){0,7})\s\Z",
    re.IGNORECASE,
)
"""Verbs before "from one day to another" that move something."""
_MOVED_TO = re.compile(
    r"\b(?:mov(?:e[sd]|ing)|shifted|pushed|delayed|postponed|rescheduled|deferred|brought\sforward)(?:\s[\w,]{1,14}){0,9}\sto\s"
    r"(?:the\s)?\Z",
    re.IGNORECASE,
)
"""Words before the day to which something is moved, which is still to come: "postponed to 3 April"."""
_DUE = re.compile(r"\bdue:?\s(?:(?:on|by)\s)?(?:the\s)?\Z", re.IGNORECASE)
_NEXT_EVENT = re.compile(
    r"\bnext\s(?:\w{3,12}\s)?(?:meeting|session|call|appointment|visit|sync|stand-?up|review|check-?in|class|lecture|game|match"
    r"|release|demo|hearing|deadline|date|due)(?:\s(?:is|on|at)){0,2}:?\s(?:the\s)?\Z",
    re.IGNORECASE,
)
"""Words right before a future day: "homework due Friday", "Next meeting: Thursday"."""
_PLAN_QUESTION = re.compile(
    r"\bdo(?:es)?\s(?:I|we|you)\s(?:have|need)\s(?:(?!to\b)[a-z]{2,12}\s){0,3}(?:on|for|by)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
"""Words before a day in a question about plans: "what do I have on Thursday"."""
_DEADLINE_WORDS = re.compile(
    r"\b(?:by|no later than|deadline:?|eta:?)\s(?:(?:on|the)\s)?"
    r"(?:(?:cob|cop|eob|eod|close of business|end of(?: the)? day)\s(?:on\s)?)?\Z",
    re.IGNORECASE,
)
"""Words before a future day if no verb says otherwise: "send the draft by Friday"."""
_YEARLY = re.compile(
    r"\b(?:(?:fiscal|financial|tax|accounting|reporting|academic)\syears?\b(?:\s(?!ended\b)[\w.’'-]{1,20}){0,5}\s"
    r"(?:ends?|begins?|starts?|runs?|closes?|commences?)(?:\s(?:each|every)\syear|\sannually)?"
    r"|(?:geschäfts|wirtschafts|rechnungs)jahr(?:es)?\b(?:\s[\w.&-]{1,20}){0,6}\s(?:beginnt|endet|läuft)"
    r"|exercice\s(?:social|comptable)(?:\s[\w.&'’-]{1,20}){0,6}\s(?:commence|débute|se\stermine|est\sclos)"
    r"|(?:ejercicio|esercizio|exercício)\s(?:económico|social|sociale|fiscal)(?:\s[\w.&-]{1,20}){0,6}\s"
    r"(?:comienza|empieza|termina|finaliza|inizia|si\schiude|começa|encerra)"
    r"|boekjaar(?:\s[\w.&-]{1,20}){0,6}\s(?:begint|eindigt|loopt))"
    r"(?:\s[\w.]{1,12}){0,2}?(?:(?:\s\d{1,2}\.?|\s[^\W\d_]{3,10}){2}(?:\s[\w.]{1,10}){1,3}?)?\s\Z",
    re.IGNORECASE,
)
"""Words before a day of every year: "Our financial year ends on 30 April"."""
_PLAN = (
    "roadmap|goals?|milestones?|okrs?|priorities|objectives|action items|next steps|ziele|planung|fahrplan|objectifs"
    "|feuille de route|objetivos|metas|hoja de ruta|obiettivi|doelen"
)
_PLANNED_BEFORE = re.compile(
    rf"\b(?:(?:{_PLAN}|plan(?:s|ned|ning)?\sfor|targets?:|targeted\sfor|stretch:|releases?\sin|launch(?:es)?\sin)[^.\n!?\d]{{0,30}}"
    rf"|(?:{_PLAN})\b[^.\n!?]{{0,40}}\n(?:[^\S\n]{{0,8}}(?:\n|[-*•–|\d][^\n]{{0,120}}\n)){{0,12}}[\W\d]{{0,8}})\Z",
    re.IGNORECASE,
)
"""A heading or label of plans, or the lines of a list below it."""
_PLANNED_AFTER = re.compile(
    r"\W{0,3}(?:\s?[:–—-]\s|\s?\|\s)\W{0,3}(?:alpha|beta|ga|mvp|launch|release|roll-?out|pilot|prototype|kick-?off|migrat(?:e|ion)|ship"
    r"|hire|build|finish|complete|start|deliver|rewrite|add|move|open|expand|implement|design|deploy|set up|write|learn"
    r"|publish|integrate|redesign|refactor|evaluate|prepare|finali[sz]e|improve|buy|sell|introduce|replace|remove)\b",
    re.IGNORECASE,
)
"""Words after the label of a plan: a stage of a product, or a task."""
_PLAN_REACH = 400
_ADJACENT_WORD = re.compile(r"\s[a-z]")  # The word after an expression with no mark between them.

_WANT = (
    "(?:plan|expect|hope|aim|intend|agree|want|need|promise|vow|pledge|decide|threaten|prepare|seek)(?:e?[sd])?"
    "|planned|planning|expecting|hoping"
)
_WILL = r"will|won['’]t|shall|would|until|till|upcoming|forthcoming|deadline|let['’]s|[a-z]+['’]ll"
_FORESEE = "(?:expect|predict|anticipate|foresee)s?|forecasts"
_SCHEDULED = (
    "arrives|commences|departs|lands|starts|begins|ends|expires|opens|resumes|concludes|premieres|airs|kicks|matures"
)
_PAST = (
    "was|were|had|been|did|said|says|told|came|went|got|made|took|gave|rose|fell|grew|began|met|held|won|lost|led|left"
    "|saw|found|became|ran|hit|sent|kept|wrote|spoke|broke|struck|shot|died|bought|sold|paid|brought|thought|drew|flew"
    "|knew|threw|built|spent|felt|heard|since|ago|[a-z]{2,}ed"
)
_NOT_PAST = "need|indeed|speed|seed|feed|hundred|united|exceed|proceed|related|based"
_ROLES = {
    "will": re.compile(_WILL),
    "may": re.compile("should|could|may|might|must|can|cannot|can['’]t"),
    "planned": re.compile(
        "expected|scheduled|due|set|slated|planned|projected|forecast|poised|likely|planning|hoping|ready|about"
    ),
    "owed": re.compile("payable|repayable|redeemable"),
    "want": re.compile(_WANT),
    "be": re.compile("is|are|was|were|be|been|being"),
    "ahead": re.compile(f"{_WILL}|{_FORESEE}|{_SCHEDULED}"),
    "next to": re.compile("to|for|on|by"),
    "past": re.compile(f"(?!(?:{_NOT_PAST})\\Z)(?:{_PAST})"),
    "orders": re.compile("(?:order|ask|invite|summon|require|urge|force|direct|instruct)(?:e?[sd])?|told|tells"),
}
"""The roles in which a word indicates the tense. What somebody is told ("orders") to do is in the future."""
_HEADLINE_INFINITIVE = re.compile(
    r"(?:\A|\n)[^\n.!?]{1,90}(?<!according)(?<!due)(?<!prior)(?<!thanks)(?<!next)(?<!close)(?<!back)\sto\s"
    r"(?!(?:the|an?|its|his|her|their|our|my|this|that|these|those|some|all)\b)[a-z]{2,15}\b[^\n.!?]{0,60}\Z"
)
"""A headline without another verb: "Minister to visit Paris Wednesday"."""


class Tense(Enum):
    """Whether a sentence is about the past or the future; it decides which Friday "on Friday" is."""

    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TenseWords:
    """Patterns of the words of a language, in lower case, that show the past (mostly verbs) or the future."""

    past: re.Pattern[str]
    future: re.Pattern[str]
    until: re.Pattern[str]
    """Words before a future day if no verb says otherwise: "bis Freitag"."""

    def infer_tense(self, text_before: str, text_after: str) -> Tense:
        """The tense of a clause by its words before an expression, the nearest first, then by those after it."""
        for word in (*reversed(_LETTERS.findall(text_before.lower())), *_LETTERS.findall(text_after.lower())):
            if self.future.fullmatch(word):
                return Tense.FUTURE
            if self.past.fullmatch(word):
                return Tense.PAST
        return Tense.UNKNOWN


@dataclass(frozen=True, slots=True)
class ExpressionSpan:
    """An expression in its text, `text[start:end]`; `words` are those of its language, if it is not English."""

    text: str
    start: int
    end: int
    words: TenseWords | None = None

    @property
    def is_adverbial(self) -> bool:
        """Whether it is an adverbial, after a preposition: "sold in April", not "an April hearing"."""
        return bool(_TIME_PREPOSITION.search(self.text, max(0, self.start - _PREPOSITION_REACH), self.start))

    @property
    def is_origin(self) -> bool:
        """Whether it is a day from which something is: "the photos from Saturday"."""
        return bool(_ORIGIN.search(self.text, max(0, self.start - _PREPOSITION_REACH), self.start))

    @property
    def is_moved(self) -> bool:
        """Whether something is moved there: "the visit moves from Tuesday to Wednesday" names two times, no range."""
        return bool(_MOVED.search(self.text, max(0, self.start - _REACH_BEFORE), self.start))

    @property
    def is_due(self) -> bool:
        """Whether it is a day until which something is to be done, if no verb says otherwise: "by Friday"."""
        text_before = self.text[max(0, self.start - _REACH_BEFORE) : self.start]
        return bool(self.words.until.search(text_before.lower()) if self.words else _DEADLINE_WORDS.search(text_before))

    @property
    def is_yearly(self) -> bool:
        """Whether it is the day on which each fiscal year begins or ends."""
        return bool(_YEARLY.search(self.text, max(0, self.start - _REACH_BEFORE), self.start))

    @property
    def is_planned(self) -> bool:
        """Whether it is under a heading or before the words of a plan: "Goals for Q2", "Q2: ship the beta"."""
        return bool(
            _PLANNED_AFTER.match(self.text, self.end)
            or _PLANNED_BEFORE.search(self.text, max(0, self.start - _PLAN_REACH), self.start)
        )

    @property
    def tense(self) -> Tense:
        """The tense of the clause around it; a verb right after it decides first: "a hearing in April will"."""
        text_after = self.text[self.end : self.end + _REACH_AFTER]
        stop = _CLAUSE_END.search(text_after)
        clause = text_after[: stop.start()] if stop else text_after
        text_before = self.text[max(0, self.start - _REACH_BEFORE) : self.start]
        words_before = text_before[max((stop.end() for stop in _CLAUSE_END.finditer(text_before)), default=0) :]
        if self.words:
            return self.words.infer_tense(words_before, clause)
        following = _split_words(clause)
        if any(pattern.search(text_before) for pattern in (_DUE, _NEXT_EVENT, _PLAN_QUESTION, _MOVED_TO)):
            return Tense.FUTURE
        if self.is_moved:
            return Tense.UNKNOWN  # The day from which something is moved may have been or not.
        if following and _ADJACENT_WORD.match(text_after) and "will" in _find_roles(following[0]):
            return Tense.FUTURE
        words = _split_words(words_before)
        for index in reversed(range(len(words))):
            if tense := _infer_tense(words, index):
                return tense
        # Text in brackets after a due date is a remark: "by Thursday (carried forward)".
        following = _split_words(clause.partition("(")[0]) if self.is_due else following
        tenses = (_infer_tense(following, index) for index in range(len(following)))
        headline = Tense.FUTURE if _HEADLINE_INFINITIVE.search(text_before) else Tense.UNKNOWN
        return next((tense for tense in tenses if tense), headline)


def _split_words(clause: str) -> list[str]:
    """The words in lower case, except the month May, which is no verb."""
    return [word if word == "May" else word.lower() for word in _WORD.findall(clause)]


@lru_cache(maxsize=8192)
def _find_roles(word: str) -> frozenset[str]:
    """Those of `_ROLES` that a word has; cached, for a text repeats its words."""
    return frozenset(role for role, pattern in _ROLES.items() if pattern.fullmatch(word))


def _infer_tense(words: list[str], index: int) -> Tense | None:
    """The tense by one word, with the three before it and the one after; None if the word indicates none."""
    word, roles = words[index], _find_roles(words[index])
    previous_word = words[index - 1] if index else ""
    next_word = words[index + 1] if index + 1 < len(words) else ""
    if _looks_ahead(word, roles, previous_word, next_word):
        return Tense.FUTURE
    if "orders" in roles and "to" in words[index + 1 : index + 4]:
        return Tense.FUTURE
    if "past" in roles:
        return Tense.FUTURE if _follows_will(words[max(0, index - 3) : index]) else Tense.PAST
    return None


def _looks_ahead(word: str, roles: frozenset[str], previous_word: str, next_word: str) -> bool:
    if "ahead" in roles or ("owed" in roles and previous_word not in ("was", "were")):
        return True
    if "may" in roles:
        return next_word != "have"
    if "planned" in roles and (
        "next to" in _find_roles(next_word) or "be" in _find_roles(previous_word) or ("past" in roles and not next_word)
    ):
        return True
    if next_word == "to":
        return not roles.isdisjoint(("want", "be"))
    return word == "be" and previous_word == "to"


def _follows_will(previous_words: list[str]) -> bool:
    """Whether a participle follows an auxiliary of the future: "will be finalized", "to be held"."""
    if previous_words[-1:] == ["have"]:
        return any("will" in _find_roles(word) for word in previous_words)
    return previous_words[-1:] == ["be"] or any(
        not _find_roles(word).isdisjoint(("will", "may")) for word in previous_words[-2:]
    )
