"""Certainty of a quotation as an answer: a logistic model of features that need no language model.

Measured and fitted by `benchmarks/answers.py --calibrate` on the half of its questions that is for choosing; the curve
of answered questions against right answers is in docs/measurements.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from enum import StrEnum
from math import exp

from tasks.query.question_parser import asks_for_change, get_answer_words, is_asking_word, without_frame
from warehouse.records import DayOrder, Question
from warehouse.search.topic import IRREGULAR_VERBS
from warehouse.store.words import is_unspaced, split_content_words, split_words

_NUMBER = re.compile(
    r"\b(?:how (?:much|many|high|large|big|low|deep|long|old|far)|percent(?:age)?|amount|number of|rate|ratio|average"
    r"|per share|cost|price|value|wie ?viele?|wie (?:hoch|lange|groß|alt)|combien|cu[aá]nt[oa]s?|quant[oiae]s?"
    r"|hoeveel)\b|多少|几|幾",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b(?:when|wann|quand|cu[aá]ndo|wanneer|(?:what|which) (?:time|year|date|month|day|quarter|decade|century)"
    r"|wie ?viel uhr|quelle heure|qu[eé] hora)\b"
    r"|何时|何時|哪一?年|什麼時候|什么时候",
    re.IGNORECASE,
)
_HOUR_ASKED = re.compile(r"\b(?:what time|wie ?viel uhr|quelle heure|qu[eé] hora)\b", re.IGNORECASE)
_HOUR = re.compile(
    r"\b\d{1,2}(?:[:.h]\d\d\b| ?[ap]\.?m\b| (?:uhr|o['’]clock|heures?)\b)|\b(?:noon|midnight|midday)\b", re.IGNORECASE
)
_NAME = re.compile(r"^\W*(?:\w+ ){0,4}?\b(?:who|whom|whose|wer|wem|wen|qui[eé]n)\b|谁|誰|哪位", re.IGNORECASE)
_VALUE_ASKED = re.compile(rf"\W*(?:[\w'’-]+ ){{0,3}}?(?:{_NUMBER.pattern}|{_DATE.pattern})", re.IGNORECASE)
"""A question whose first words ask for a number or a time; "when" may join clauses further on."""
_REASON = re.compile(
    r"\b(?:why|reasons?|what (?:caused|drove|led|explains)|how come|due to what)\b|为什么|為什麼|为何|為何|原因",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"\bwhat (?:does|do|did) .*\b(?:consist|comprise|include|refer|mean|represent|relate|contain|involve|depend"
    r"|stand for)|\bhow (?:is|are|was|were|does|do|did|has|have) (?!much|many).*\b(?:calculat|determin|deriv"
    r"|defin|estimat|comput|measur|recogni[sz]|account|valued|treated|classified|presented|analy[sz])\w*"
    r"|\bwhat (?:is|are|was|were) (?:\w+ ){0,3}(?:included|excluded|meant|composed|comprised)\b|\bdefin(?:e|ition)\b"
    r"|是什么意思|是什麼意思|定义|定義|包括",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|due to|driven by|as a result|resulted? (?:from|in)|reflect\w*|attribut\w+|primarily|owing to"
    r"|thanks to|caused|led to|since|so that|in order to|offset by|mainly)\b|因为|因為|由于|由於|所以|因此",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d[\d,.]*|[一二三四五六七八九十百千万萬]+")
_ITEM_NUMBER = re.compile(r"^\s*\d{1,3}[.)]\s")
_COUNT_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|hundreds?|thousands?|half"
    r"|none|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|dos|tres|cuatro|due|tre"
    r"|twee|drie|vijf)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(r"\b(?:how much|price|cost|amount|wie (?:viel|hoch)|combien|cu[aá]nto)\b", re.IGNORECASE)
_TIME_WORD = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|day|night|week|month|quarter|year|morning|noon|evening|midnight|spring|summer|autumn"
    r"|winter|easter|christmas|immediately|today|tomorrow|daily|weekly|monthly|yearly|annually)s?\b"
    r"|\b\w*(?:tage?s?|woche|monat|jahr|quartal|montag|freitag|mittag|morgen|abend|jour|mois|semaine|année|día|mes"
    r"|semana|año|giorno|mese|maand|week|dag|jaar|januar|februar|märz|juni|juli|oktober|dezember)(?:s|es|en|e|n)?\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NO_TIME = re.compile(
    r"\b(?:every|each|per|within|for|alle|innerhalb von|tous les|cada) (?:\d+|\w+) (?:day|week|month|year)s?\b"
    r"|(?<![\d.,-])\d[\d.,]*[ -]?(?:(?:(?:working |business )?(?:day|week|month|year|hour|minute)s?|tage?n?|wochen?"
    r"|monate?n?|jahre?n?|jours?|mois|ans|días|meses|años|percent|k[gmw]|[cm]?m)\b|[%€$£])"
    r"(?! (?:ago|after|before|later))"
    r"|[€$£] ?\d[\d.,]*",
    re.IGNORECASE,
)
"""Lengths, frequencies and amounts, which do not say when something was."""
_PERCENT = re.compile(r"%|\bper ?cent(?:age)?\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r",(?!\d|\s*(?:up|down|higher|lower|an?|or|compared|versus|representing|reflecting)\b)|;|\b(?:while|whereas|but)\b",
    re.IGNORECASE,
)
"""The end of a statement: in "revenue was $63.1 billion, down 20 percent" the comma does not end it."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


class AnswerType(StrEnum):
    """The sort of answer that a question asks for."""

    NUMBER = "number"
    CHANGE = "change"
    DATE = "date"
    NAME = "name"
    REASON = "reason"
    MEANING = "meaning"
    ANY = "any"


def find_answer_type(question: str) -> AnswerType:
    """What a question asks for, by its words."""
    if _REASON.search(question):
        return AnswerType.REASON
    if _MEANING.search(question):
        return AnswerType.MEANING
    if asks_for_change(question) and _NUMBER.search(question):
        return AnswerType.CHANGE
    for pattern, kind in ((_DATE, AnswerType.DATE), (_NAME, AnswerType.NAME), (_NUMBER, AnswerType.NUMBER)):
        if pattern.search(question):
            return kind
    return AnswerType.CHANGE if asks_for_change(question) else AnswerType.ANY


def fits_type(kind: AnswerType, question: str, text: str) -> float:
    """1 if a text has an answer of the type that the question does not have itself, -1 if not, 0 for `ANY`."""
    text = _ITEM_NUMBER.sub("", text)
    new_figures = set(_FIGURE.findall(text)) - set(_FIGURE.findall(question))
    match kind:
        case AnswerType.ANY:
            return 0.0
        case AnswerType.REASON:
            is_fitting = bool(_CAUSE.search(text))
        case AnswerType.MEANING:
            is_fitting = not text.startswith("|")
        case AnswerType.NAME:
            question_words = set(split_words(question))
            names = [each[0] for each in _WORD.finditer(text) if each[0][0].isupper() and each.start() > 0]
            is_fitting = is_unspaced(text) or any(
                not is_asking_word(each) and not question_words & set(split_words(each)) for each in names
            )
        case AnswerType.CHANGE:
            is_fitting = len(new_figures) > 1 or (bool(new_figures) and "percent" in text.lower()) or "%" in text
        case AnswerType.NUMBER:
            is_fitting = bool(new_figures) or bool(_COUNT_WORD.search(text) and not _MONEY.search(question))
        case AnswerType.DATE:
            text = _NO_TIME.sub("", text)
            has_figure = bool(new_figures.intersection(_FIGURE.findall(text)))
            is_fitting = bool(has_figure or _YEAR.search(text) or _TIME_WORD.search(text))
            is_fitting = bool(_HOUR.search(text)) if _HOUR_ASKED.search(question) else is_fitting
    return 1.0 if is_fitting else -1.0


def states_change(question: str, item: frozenset[str], text: str) -> float:
    """1 if one clause of a sentence says by how much the item of the words `item` rose or fell, else 0.

    It must be a percentage if one is asked for. 0 for a question about several years, whose figures are side by side
    in tables: a sentence seldom compares exactly these two.
    """
    if not item or len(set(_YEAR.findall(question))) > 1:
        return 0.0
    if _PERCENT.search(question) and not _PERCENT.search(text):
        return 0.0
    clauses = _CLAUSE.split(text)
    changes = (each for each in clauses if asks_for_change(each) and _FIGURE.search(_YEAR.sub("", each)))
    return float(any(item <= frozenset(split_words(each)) for each in changes))


_FURTHER_VERBS = (
    "become became,buy bought,draw drew drawn,lay laid,lead led,mean meant,meet met,say said,see saw seen"
    ",sell sale,speak spoke spoken"
)
_SAME_WORDS = {
    word: words.split()[0]
    for words in (
        "number numbers no nr nos num id code nummer numéro n° №",
        "date day datum data fecha",
        "invoice bill",
        "phone telephone tel mobile telefon téléphone",
        "mail email e-mail",
        "amount total sum betrag summe montant importe totale",
        "holder owner",
        "cost price fee",
        *f"{IRREGULAR_VERBS},{_FURTHER_VERBS}".split(","),
    )
    for word in (stem for text in words.split() for stem in split_words(text))
}
_NAMING_MEANINGS = frozenset(("number", "date", "amount"))
NAMING_WORDS = frozenset(word for word, meaning in _SAME_WORDS.items() if meaning in _NAMING_MEANINGS)
"""Words that say which of several values is asked for: "invoice number", "bill date"."""
_LIGHT_WORDS = frozenset(split_words("new current now time back uhr neu neue neuer nouveau nouvelle heure nuevo hora"))
"""Words of a question for a name or a time that its answer need not have: what is so now is written without them."""
_IMPLIED_WORDS = {AnswerType.DATE: "date", AnswerType.NAME: "name", AnswerType.NUMBER: "amount"}


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words that a quotation and what it stands in must have, without those of times; and the type of the answer.

    Words of the same meaning are one word: "no." and "number", "bill" and "invoice".
    """

    words: frozenset[str]
    time_words: frozenset[str]
    kind: AnswerType

    def measure_label(self, label: str) -> float:
        """The share of a label's words that are asked for or implied: "Due date" by "when … due"; 0 without such words.

        A label that has fewer than half of its words in the question names something else.
        """
        own = unite_words(split_words(label)) - ({_IMPLIED_WORDS.get(self.kind, "")} - self.words)
        share = len(own & self.words) / len(own) if own else 0.0
        return share if share >= 0.5 else 0.0

    def are_named_by(self, label: str) -> bool:
        """Whether a label says which value is asked for where the question does: a number, a date or an amount.

        A number is also a value whose label says nothing of it: "Phone", "Contract".
        """
        own = unite_words(split_words(label)) & _NAMING_MEANINGS
        return self.words & _NAMING_MEANINGS <= (own or {"number"})

    def has_topic(self, words: frozenset[str]) -> bool:
        """Whether a text has a word that is asked for, other than that for a number, a date or an amount."""
        return bool((self.words - _NAMING_MEANINGS or self.words) & words)

    def are_within(self, *texts: frozenset[str]) -> bool:
        """Whether each word is in one of some sets of words."""
        return bool(self.words) and self.words <= frozenset[str]().union(*texts)


def unite_word(word: str) -> str:
    """The word that stands for all of the same meaning."""
    return _SAME_WORDS.get(word, word)


def unite_words(words: Iterable[str]) -> frozenset[str]:
    """Words, those of the same meaning as one."""
    return frozenset(map(unite_word, words))


def find_asked_words(question: Question) -> AskedWords:
    """The words that an answer must stand beside; a number, date or name that is asked for by this word is one."""
    time_words, recent_words = (
        unite_words(
            word for each in question.windows if each.recent is recent for word in split_content_words(each.text)
        )
        for recent in (False, True)
    )
    words = unite_words([*get_answer_words(question.rest), *(set(split_words(question.rest)) & NAMING_WORDS)])
    words -= time_words | recent_words
    kind = find_answer_type(question.text)
    # "Who is the new treasurer?" is answered by "Treasurer: …", "What time …" by an hour.
    light_words = _LIGHT_WORDS if kind in (AnswerType.NAME, AnswerType.DATE) else frozenset()
    return AskedWords((words - light_words) or words, time_words, kind)


_NOW = re.compile(
    r"\b(?:now|at the moment|to ?day|aktuell\w*|derzeit\w*|zurzeit|momentan|jetzt|neueste\w*|letzte[rns]?"
    r"|actuel(?:le)?s?|actuellement|maintenant|derni[eè]re?s?|actualmente|[uú]ltim[oa]s?|attual[ei]|attualmente)\b",
    re.IGNORECASE,
)
_RECENT = re.compile(
    r"(?<!most )\brecent(?:ly)?\b|\b(?:lately|nowadays|these days)\b|最近|近期|近来|近來", re.IGNORECASE
)


def asks_for_newest(question: Question) -> bool:
    """Whether a question asks for the newest statement there is: "latest", "current", "now"; not for recent ones."""
    if question.named_times or _RECENT.search(question.text):
        return False
    is_newest = question.order is DayOrder.NEWEST or any(window.recent for window in question.windows)
    return is_newest or bool(_NOW.search(question.text))


def fits_times(question: Question, text: str) -> float:
    """1 if a text names a year that the question asks about, -1 if it names only others, else 0."""
    asked_years: set[int] = set()
    for window in question.windows:
        if window.required and not window.excluded:
            asked_years.update(map(int, _YEAR.findall(window.text)))
            asked_years.update(side.year for side in (window.start, window.end) if side)
    named_years = set(map(int, _YEAR.findall(text)))
    if not asked_years or not named_years:
        return 0.0
    return 1.0 if asked_years & named_years else -1.0


@dataclass(frozen=True, slots=True)
class CertaintyFeatures:
    """Features of a question and a quotation; each is 0 if it does not apply.

    `cosine` and `coverage` (the share of the question's words, rare ones weighing more) in [0, 1]; `answer_type` and
    `times` in {-1, 0, 1}; `names`: the share of the names asked for that the passage has; `rank`: the passage's score
    as its share of the best one's; `relevance`: its cosine; `passage`: the coverage of the whole passage; `phrases`:
    the share of the question's pairs of neighbouring words. Of a table row: `label`, whether its header consists of the
    question's words; `label_fit`, `time_fit` and `margin`: how well a figure lookup matches its label and its time, and
    its lead over the others, in [-1, 1]. `change`: 1 if a sentence says by how much the item asked about rose or fell;
    `complete`: 1 if it has all that is asked for. `value_fit`: how much of the label of a value is asked for.
    """

    cosine: float = 0.0
    coverage: float = 0.0
    answer_type: float = 0.0
    times: float = 0.0
    names: float = 1.0
    rank: float = 0.0
    relevance: float = 0.0
    passage: float = 0.0
    phrases: float = 0.0
    label: float = 0.0
    label_fit: float = 0.0
    time_fit: float = 0.0
    margin: float = 0.0
    change: float = 0.0
    complete: float = 0.0
    value_fit: float = 0.0


NAMES = tuple(field.name for field in fields(CertaintyFeatures))


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model: the weight of each feature, in the order of `CertaintyFeatures`, and the constant."""

    constant: float
    values: tuple[float, ...]

    def compute_probability(self, features: CertaintyFeatures) -> float:
        """The probability that a quotation with these features answers, in (0, 1)."""
        pairs = zip(self.values, astuple(features), strict=True)
        total = self.constant + sum(weight * feature for weight, feature in pairs)
        return 1 / (1 + exp(-max(min(total, 50.0), -50.0)))


SENTENCE = Weights(
    -6.22, (2.51, 0.00, 0.00, 0.00, 0.43, 2.71, 0.82, 0.00, 1.44, 0.00, 0.00, 0.00, 0.00, 2.00, 2.00, 3.00)
)
ROW = Weights(-7.49, (0.19, 3.31, 0.41, 1.23, 2.02, 0.00, 0.00, 0.00, 1.45, 2.19, 0.00, 0.00, 0.00, 0.00, 0.00, 4.00))
FIGURE = Weights(
    -5.60, (0.00, 0.02, 0.86, 0.92, 2.83, 0.00, 0.00, 0.00, 0.19, 0.14, 1.75, 0.75, 3.71, 0.00, 0.00, 0.00)
)
FOREIGN = Weights(
    -9.29, (0.00, 2.19, 0.87, 0.00, 0.04, 10.28, 0.00, 1.13, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 2.00)
)
"""Fitted on 4,933 sentences, 1,477 rows, 155 rows of a lookup and 816 quotations in Chinese, labelled right or wrong.

A weight of 0 means that the feature added nothing to the others or had a negative weight, which is not allowed. The
weight of `change` was chosen by hand, as the questions have few such sentences: of 34 questions about how something in
seven short documents rose or fell 33 are answered with it and 29 without. `FOREIGN` was fitted with the cosine of a
passage, weight 1.23; as such passages no longer have vectors, its mean of .49 is in the constant. Those of `complete`
and `value_fit` were chosen by hand too, by 74 questions to six folders of household papers, bills, minutes, reports and
notes: with them the first quotation is right for 45 of 57, without for 24. Of 38 complete sentences that
`benchmarks/answers.py` would quote 26 answer, of the 1,058 other ones 217.
"""
ANSWERED = 0.3
"""The least probability of the best quotation for it to be shown as the answer.

The lowest that keeps wrong answers below 5 % of all on the half of the questions that is for choosing.
"""
ALSO = 0.1  # The least probability of further quotations.
ALSO_SHARE = 0.4
"""The least probability of further quotations, as a share of the best one's.

Of 283 questions of the half that is for choosing 169 are answered rightly with .4, and .70 of the quotations shown have
the answer; 170 and .67 with .3, 168 and .73 with .5, 171 and .51 with no such share.
"""


def select_weights(question: Question, *, is_row: bool, is_figure: bool) -> Weights:
    """The model for a kind of quotation; `FOREIGN` if the embedder does not know the script."""
    if is_figure:
        return FIGURE
    if question.foreign:
        return FOREIGN
    return ROW if is_row else SENTENCE


def is_answered(probabilities: Sequence[float]) -> bool:
    """Whether the best of some quotations is sure enough to be the answer."""
    return bool(probabilities) and max(probabilities) >= ANSWERED


def lacks_value(question: str, features: CertaintyFeatures) -> bool:
    """Whether a quotation has no figure, or no time, where a question asks for just that: "when", "how much".

    A dated entry that has all that is asked for gives the time by its date.
    """
    return bool(features.answer_type < 0 and not features.complete and _VALUE_ASKED.match(without_frame(question)))


def select_surest(features: Sequence[CertaintyFeatures], probabilities: Sequence[float]) -> list[int]:
    """The indexes of the quotations to show of some that answer, the surest first: those not much less sure than it.

    Beside one that has all that is asked for, only others that have it are shown, beside a figure none of another time.
    """
    best = max(probabilities, default=0.0)
    is_whole = [bool(each.complete or each.value_fit) for each in features]
    return [
        index
        for index, probability in enumerate(probabilities)
        if probability >= max(ALSO, ALSO_SHARE * best)
        and (is_whole[index] or features[index].label_fit or not is_whole[0])
        and (features[index].time_fit >= features[0].time_fit or not features[index].label_fit)
    ]
