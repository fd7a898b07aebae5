"""Expected answers: the type of answer that a question asks for, and the words that must be near it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tasks.parsers.language import EUROPEAN, get_small_words
from tasks.query.question_parser import asks_for_change, get_answer_words, is_asking_word, without_frame
from warehouse.records import DayOrder, Question
from warehouse.search.topic import IRREGULAR_VERBS
from warehouse.store.words import fold_text, is_unspaced, split_content_words, split_words

_NUMBER_QUESTION = re.compile(
    r"\b(?:how (?:much|many|high|large|big|low|deep|long|old|far|heavy|tall|wide|thick|fast|loud|hot|cold|warm)"
    r"|percent(?:age)?|amount|number of|rate|ratio|average|total|vat|mwst|mehrwertsteuer|tva|iva|betrag|summe|montant"
    r"|importe|was kostet|was kosten|salar(?:y|ies)|wages?|gehalt|salaire|salario|sueldo|stipendio"
    r"|per share|cost|price|value|wie ?viele?|wie (?:hoch|lange|groß|alt|schwer|breit|tief|schnell|weit)"
    r"|combien|cu[aá]nt[oa]s?|quant[oiae]s?"
    r"|hoeveel)\b|多少|几|幾",
    re.IGNORECASE,
)
_DATE_QUESTION = re.compile(
    r"\b(?:when|wann|quand|cu[aá]ndo|wanneer|(?:what|which) (?:time|year|date|month|day|quarter|decade|century)"
    r"|deadline|due date|wie ?viel uhr|quelle heure|qu[eé] hora|welche[mnrs]? (?:tag|datum|monat|jahr)|frist"
    r"|quel(?:le)? (?:date|jour|mois|ann[ée]e)|date (?:limite|d['’]échéance)|échéance"
    r"|qu[ée] (?:d[íi]a|fecha|mes|a[ñn]o)"
    r"|fecha (?:l[íi]mite|de vencimiento))\b"
    r"|何时|何時|哪一?年|什麼時候|什么时候|哪一?天|截止日",
    re.IGNORECASE,
)
_HOUR_QUESTION = re.compile(r"\b(?:what time|wie ?viel uhr|quelle heure|qu[eé] hora)\b", re.IGNORECASE)
_HOUR = re.compile(
    r"\b\d{1,2}(?:[:.h]\d\d\b| ?[ap]\.?m\b| (?:uhr|o['’]clock|heures?)\b)|\b(?:noon|midnight|midday)\b", re.IGNORECASE
)
_NAME_QUESTION = re.compile(r"^\W*(?:\w+ ){0,4}?\b(?:who|whom|whose|wer|wem|wen|qui[eé]n)\b|谁|誰|哪位", re.IGNORECASE)
_PERSONAL_VALUE = re.compile(
    r"\b(?:salar(?:y|ies)|wages?|age|birthday|gehalt|lohn|alter|geburtstag|salaire|âge|salario|sueldo|edad|stipendio|età)\b"
    r"|工资|薪|年龄|生日|給料|給与|年齢",
    re.IGNORECASE,
)
"""What somebody has alone: that of another person in the same passage is none."""
_VALUE_QUESTION = re.compile(
    rf"\W*(?:[\w'’-]+ ){{0,3}}?(?:{_NUMBER_QUESTION.pattern}|{_DATE_QUESTION.pattern})", re.IGNORECASE
)
"""A question whose first words ask for a number or a time; later, "when" may join clauses."""
_REASON_QUESTION = re.compile(
    r"\b(?:why|reasons?|what (?:caused|drove|led|explains)|how come|due to what)\b|为什么|為什麼|为何|為何|原因",
    re.IGNORECASE,
)
_MEANING_QUESTION = re.compile(
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
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundreds?|thousands?|half"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:thir|for|fif|six|seven|eigh|nine)ty|none|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|dos|tres|cuatro|due|tre"
    r"|twee|drie|vijf)\b",
    re.IGNORECASE,
)
_MONEY_QUESTION = re.compile(r"\b(?:how much|price|cost|amount|wie (?:viel|hoch)|combien|cu[aá]nto)\b", re.IGNORECASE)
_TIME_WORD = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|day|night|week|month|quarter|year|morning|noon|evening|midnight|spring|summer|autumn"
    r"|winter|easter|christmas|immediately|today|tomorrow|daily|weekly|monthly|yearly|annually)s?\b"
    r"|\b\w*(?:tage?s?|woche|monat|jahr|quartal|montag|freitag|mittag|morgen|abend|jour|mois|semaine|année|día|mes"
    r"|semana|año|giorno|mese|maand|week|dag|jaar|januar|februar|märz|juni|juli|oktober|dezember)(?:s|es|en|e|n)?\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_DURATION_OR_AMOUNT = re.compile(
    r"\b(?:every|each|per|within|for|alle|innerhalb von|tous les|cada) (?:\d+|\w+) (?:day|week|month|year)s?\b"
    r"|(?<![\d.,-])\d[\d.,]*[ -]?(?:(?:(?:working |business )?(?:day|week|month|year|hour|minute)s?|tage?n?|wochen?"
    r"|monate?n?|jahre?n?|jours?|mois|ans|días|meses|años|percent|k[gmw]|[cm]?m)\b|[%€$£])"
    r"(?! (?:ago|after|before|later))"
    r"|[€$£] ?\d[\d.,]*"
    r"|(?<![\d.,:])(?:(?:\d{1,3}(?:[.,]\d{3})+|\d{3,}|[4-9]\d|3[2-9])[.,]\d\d|\d{1,3}(?:,\d{3})+)(?![\d.,:])",
    re.IGNORECASE,
)
"""Durations, frequencies and amounts, which are not times."""
_PLACE_PREPOSITION = re.compile(r"\b(?:in|at|near|im|bei|nach|aus|à|en|ein)\s+\Z", re.IGNORECASE)
"""Words after which a name is that of a place, not of a person or an organisation."""
_PERCENT = re.compile(r"%|\bper ?cent(?:age)?\b", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r",(?!\d|\s*(?:up|down|higher|lower|an?|or|compared|versus|representing|reflecting)\b)|;|\b(?:while|whereas|but)\b",
    re.IGNORECASE,
)
"""The end of a statement: in "revenue was $63.1 billion, down 20 percent" the comma does not end it."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


class AnswerType(StrEnum):
    """The type of answer that a question asks for."""

    NUMBER = "number"
    CHANGE = "change"
    DATE = "date"
    NAME = "name"
    REASON = "reason"
    MEANING = "meaning"
    ANY = "any"


def find_answer_type(question: str) -> AnswerType:
    """What a question asks for, by its words."""
    if _REASON_QUESTION.search(question):
        return AnswerType.REASON
    if _MEANING_QUESTION.search(question):
        return AnswerType.MEANING
    if asks_for_change(question) and _NUMBER_QUESTION.search(question):
        return AnswerType.CHANGE
    for pattern, kind in (
        (_DATE_QUESTION, AnswerType.DATE),
        (_NAME_QUESTION, AnswerType.NAME),
        (_NUMBER_QUESTION, AnswerType.NUMBER),
    ):
        if pattern.search(question):
            return kind
    return AnswerType.CHANGE if asks_for_change(question) else AnswerType.ANY


def asks_about_person(question: str) -> bool:
    """Whether a question is about what a person has, as a salary or an age."""
    return bool(_PERSONAL_VALUE.search(question))


def asks_for_value(question: str) -> bool:
    """Whether the first words of a question ask for a number, a time or a name."""
    question_text = without_frame(question)
    return bool(_VALUE_QUESTION.match(question_text) or _NAME_QUESTION.match(question_text))


def fits_type(kind: AnswerType, question: str, text: str) -> float:
    """1 if a text has an answer of the type that the question does not have itself, -1 if not, 0 for `ANY`."""
    text = _ITEM_NUMBER.sub("", text)
    new_figures = set(_FIGURE.findall(text)) - set(_FIGURE.findall(question))
    match kind:
        case AnswerType.ANY:
            return 0.0
        case AnswerType.REASON:
            fits = bool(_CAUSE.search(text))
        case AnswerType.MEANING:
            fits = not text.startswith("|")
        case AnswerType.NAME:
            question_words = set(split_words(question))
            names = [
                match[0]
                for match in _WORD.finditer(text)
                if match[0][0].isupper() and match.start() > 0 and not _PLACE_PREPOSITION.search(text[: match.start()])
            ]
            fits = is_unspaced(text) or any(
                not is_asking_word(name) and not question_words & set(split_words(name)) for name in names
            )
        case AnswerType.CHANGE:
            fits = len(new_figures) > 1 or (bool(new_figures) and "percent" in text.lower()) or "%" in text
        case AnswerType.NUMBER:
            fits = bool(new_figures) or bool(_COUNT_WORD.search(text) and not _MONEY_QUESTION.search(question))
        case AnswerType.DATE:
            text = _DURATION_OR_AMOUNT.sub("", text)
            has_figure = bool(new_figures.intersection(_FIGURE.findall(text)))
            fits = bool(has_figure or _YEAR.search(text) or _TIME_WORD.search(text))
            fits = bool(_HOUR.search(text)) if _HOUR_QUESTION.search(question) else fits
    return 1.0 if fits else -1.0


def states_change(question: str, item: frozenset[str], text: str) -> float:
    """1 if one clause of a sentence says by how much the item of the words `item` rose or fell, else 0.

    It must be a percentage if one is asked for. 0 for a question about several years, whose figures are in tables: a
    sentence seldom compares exactly these two.
    """
    if not item or len(set(_YEAR.findall(question))) > 1:
        return 0.0
    if _PERCENT.search(question) and not _PERCENT.search(text):
        return 0.0
    clauses = _CLAUSE_END.split(text)
    changes = (clause for clause in clauses if asks_for_change(clause) and _FIGURE.search(_YEAR.sub("", clause)))
    return float(any(item <= frozenset(split_words(change)) for change in changes))


_MORE_VERBS = (
    "become became,buy bought,draw drew drawn,lay laid,lead led,mean meant,meet met,say said,see saw seen"
    ",sell sale,speak spoke spoken"
)
_CANONICAL_WORDS = {
    word: words.split()[0]
    for words in (
        "number numbers no nr nos num id code nummer numéro n° №",
        "date day datum data fecha deadline frist limite límite échéance vencimiento",
        "phone telephone tel mobile telefon téléphone",
        "mail email e-mail",
        "amount total sum betrag summe montant importe totale",
        "holder owner",
        "cost price fee kosten kostet kostete gekostet preis prix coût coûte coûté precio coste cuesta costó costará",
        "pay paid payment payable due zahlen zahlbar bezahlen bezahlt überweisen überwiesen fällig",
        "pay payer payé payée paiement régler réglé réglée pagar pagado pagarse pago",
        "vat mwst mehrwertsteuer ust umsatzsteuer tva iva",
        "weight weigh weighs weighed heavy gewicht wiegt schwer poids pèse peso pesa",
        "depth deep",
        "width wide",
        "height tall",
        "speed fast",
        "temperature hot cold warm",
        "succeed succeeds succeeded successor",
        "win winner winners",
        "contract vertrag contrat contrato",
        "invoice bill rechnung facture factura",
        *f"{IRREGULAR_VERBS},{_MORE_VERBS}".split(","),
    )
    for word in (stem for text in words.split() for stem in split_words(text))
}
PAYMENTS = frozenset(
    _CANONICAL_WORDS.get(word, word)
    for word in split_words("pay payee expense spend expenditure buy purchase cost amount invoice debit charge")
)
"""Words that ask for money that was paid, or that name it in the title or head of a list."""
_MONEY_SUM = re.compile(
    r"[€$£¥] ?\d|\d ?(?:[€$£¥元]|(?:eur|euros?|usd|gbp|chf|dollars?|pounds|francs?|fr)\b)", re.IGNORECASE
)
"""A sum of money, by its currency."""
_DEADLINE_QUESTION = re.compile(
    r"\b(?:by when|deadline|due|have to|has to|must|bis wann|muss|zahlbar|fällig|avant|faut|limite|échéance|hasta"
    r"|hay que)\b",
    re.IGNORECASE,
)
_PERCENTAGE = re.compile(r"\d[\d.,]*\s?%")  # The rate in "VAT 20 %", which a question about VAT need not name.
_FUNCTION_WORDS = frozenset(map(fold_text, frozenset[str]().union(*map(get_small_words, EUROPEAN))))
_NAMING_MEANINGS = frozenset(("number", "date", "amount"))
NAMING_WORDS = frozenset(word for word, meaning in _CANONICAL_WORDS.items() if meaning in _NAMING_MEANINGS)
"""Words that say which of several values is asked for: "invoice number", "bill date"."""
_MEASURE_WORDS = re.compile(
    r"\b(?:how (?:long|high|far|old|big|large|low)|wie (?:hoch|lange|weit|alt|gro(?:ß|ss)))\b", re.IGNORECASE
)
"""Words that ask for a number and do not occur next to it."""
_OPTIONAL_WORDS = frozenset(
    split_words("new current now time back uhr neu neue neuer nouveau nouvelle heure nuevo hora")
)
"""Words of a question for a name or a time that are not needed in its answer."""
_MEANING_WORDS = frozenset(
    split_words("mean means meaning meant stand stands include includes consist bedeutet signifie significa")
)
_IMPLIED_WORDS = {AnswerType.DATE: "date", AnswerType.NAME: "name", AnswerType.NUMBER: "amount"}
_OTHER_VALUES = {
    AnswerType.DATE: frozenset(("amount", "number")),
    AnswerType.NAME: frozenset(("amount", "date")),
    AnswerType.NUMBER: frozenset(("date",)),
    AnswerType.ANY: frozenset(("date",)),
}
"""Values that are not what a type of question asks for, unless it names them."""


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words that a quotation and its context must have, except for times; and the type of the answer.

    Words of the same meaning are one word: "no." and "number", "bill" and "invoice".
    """

    words: frozenset[str]
    time_words: frozenset[str]
    kind: AnswerType

    def measure_label(self, label: str) -> float:
        """The share of a label's words that are asked for or implied: "Due date" by "when … due"; 0 without such words.

        A label with fewer than half of its words in the question names something else.
        """
        label = _PERCENTAGE.sub(" ", label)
        label_words = get_canonical_words(
            word for word in split_words(label) if word in _CANONICAL_WORDS or word not in _FUNCTION_WORDS
        )
        label_words -= {_IMPLIED_WORDS.get(self.kind, "")} - self.words
        share = len(label_words & self.words) / len(label_words) if label_words else 0.0
        return share if share >= 0.5 and not self.names_other_value(label) else 0.0

    def names_other_value(self, label: str) -> bool:
        """Whether a label names a value of another type than is asked for: "Invoice date" if no date is."""
        other_values = _OTHER_VALUES.get(self.kind, frozenset()) - self.words
        return not other_values.isdisjoint(get_canonical_words(split_words(label)))

    def names_asked_value(self, label: str) -> bool:
        """Whether a label names the value that the question names, if it does: a number, a date or an amount.

        A value whose label names none of these is a number: "Phone", "Contract".
        """
        naming_words = get_canonical_words(split_words(label)) & _NAMING_MEANINGS
        return self.words & _NAMING_MEANINGS <= (naming_words or {"number"})

    def has_topic(self, words: frozenset[str]) -> bool:
        """Whether a text has a word that is asked for, other than that for a number, a date or an amount."""
        return bool((self.words - _NAMING_MEANINGS or self.words) & words)

    def list_implied_words(self, question: str, text: str) -> frozenset[str]:
        """The words of paying and costing if a text has a sum of money: "the band, £480" is what the band charges.

        A time counts as that of a payment only if the question asks for a deadline.
        """
        asks_for_payment = self.kind is AnswerType.NUMBER or (
            self.kind is AnswerType.DATE and _DEADLINE_QUESTION.search(question)
        )
        return PAYMENTS if asks_for_payment and _MONEY_SUM.search(text) else frozenset()

    def has_all_words(self, *texts: frozenset[str]) -> bool:
        """Whether each word is in one of some sets of words."""
        return bool(self.words) and self.words <= frozenset[str]().union(*texts)


def get_canonical_word(word: str) -> str:
    """The first of the words with the same meaning."""
    return _CANONICAL_WORDS.get(word, word)


def get_canonical_words(words: Iterable[str]) -> frozenset[str]:
    """The canonical words of words."""
    return frozenset(map(get_canonical_word, words))


def find_asked_words(question: Question) -> AskedWords:
    """The words that an answer must be near, with "number", "date" or "name" if the question has it."""
    time_words, recent_words = (
        get_canonical_words(
            word for window in question.windows if window.recent is recent for word in split_content_words(window.text)
        )
        for recent in (False, True)
    )
    words = get_canonical_words([*get_answer_words(question.rest), *(set(split_words(question.rest)) & NAMING_WORDS)])
    words -= time_words | recent_words
    kind = find_answer_type(question.text)
    # "Who is the new treasurer?" is answered by "Treasurer: …", "What time …" by an hour.
    optional_words = _OPTIONAL_WORDS if kind in (AnswerType.NAME, AnswerType.DATE) else frozenset()
    if kind is AnswerType.NUMBER:
        optional_words = frozenset(split_words(" ".join(_MEASURE_WORDS.findall(question.text))))
    elif kind is AnswerType.MEANING:
        optional_words = _MEANING_WORDS
    return AskedWords((words - optional_words) or words, time_words, kind)


_NEWEST_WORDS = re.compile(
    r"\b(?:now|at the moment|to ?day|aktuell\w*|derzeit\w*|zurzeit|momentan|jetzt|neueste\w*|letzte[rns]?"
    r"|actuel(?:le)?s?|actuellement|maintenant|derni[eè]re?s?|actualmente|[uú]ltim[oa]s?|attual[ei]|attualmente)\b",
    re.IGNORECASE,
)
_RECENT_WORDS = re.compile(
    r"(?<!most )\brecent(?:ly)?\b|\b(?:lately|nowadays|these days)\b|最近|近期|近来|近來", re.IGNORECASE
)


def asks_for_newest(question: Question) -> bool:
    """Whether a question asks for the newest statement: "latest", "current", "now"; not for recent ones."""
    if question.named_times or _RECENT_WORDS.search(question.text):
        return False
    is_newest = question.order is DayOrder.NEWEST or any(window.recent for window in question.windows)
    return is_newest or bool(_NEWEST_WORDS.search(question.text))


def fits_times(question: Question, text: str) -> float:
    """1 if a text names a year that the question asks about, -1 if it names only others, else 0."""
    asked_years: set[int] = set()
    for window in question.windows:
        if window.required and not window.excluded:
            asked_years.update(map(int, _YEAR.findall(window.text)))
            asked_years.update(bound.year for bound in (window.start, window.end) if bound)
    named_years = set(map(int, _YEAR.findall(text)))
    if not asked_years or not named_years:
        return 0.0
    return 1.0 if asked_years & named_years else -1.0
