"""Language detection of documents and questions: letters identify Chinese, small words European languages."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from tasks.parsers.written_dates import CALENDAR_WORDS
from warehouse.records import Block, BlockKind
from warehouse.store.words import fold_text
from warehouse.table_notation import HEAD, MARKER

_SAMPLE_LENGTH = 25_000
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA_OR_HANGUL = re.compile(r"[\u3041-\u30ff\u31f0-\u31ff\uac00-\ud7af\u1100-\u11ff]")
_LATIN_LETTER = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"(?<![\d_])[^\W\d_]+(?![\d_])")
_FOREIGN_LETTER = re.compile(r"[À-ɏḀ-ỿ]")
_UNREAD_WORD = re.compile(
    r"(?<![^\W\d_])(?=[^\W\d_]*[ąćęłńśźżčďěňřšťůžľĺŕőűğışțșăđøåæơưạảấầẩậắằặẹẻẽếềểễệịỉọỏốồổộớờởợụủứừửữựỳỵỷỹ])"
    r"[a-zß-öø-ÿāăąćčďđęěğĩłĺľńňőŕřśšșşťțũůűươźżžı\u1ea0-\u1ef9]+(?![^\W\d_])"
)
"""A word in small letters, which is no name, with a letter of none of the languages whose times are read."""
_LABEL = re.compile(r"^\| ([^|\n]*) \|", re.MULTILINE)
"""The first cell of a row."""
_LETTERS_PER_WORD = 5
_MAX_FOREIGN_SHARE = 0.1  # Of non-English letters in a text that may be English.
_MIN_SMALL_WORD_SHARE = 0.05  # The share of small words below which a text is no prose; prose has four times as many.


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SMALL_WORDS = _split_words(
    "the and of to in a is that for with was this are be from have has not by which were been their its will would"
    " there what when who how we you they it he she an as at or if on than these those into about"
)
_ENGLISH = _SMALL_WORDS | _split_words(
    "year years ended quarter months first second third fourth total net income revenue revenues sales cost costs share"
    " shares assets cash tax rate change other average number name date table per non use plus"
)
_READ_WORDS = {
    "de": _split_words(
        "der die das und ist nicht den dem des ein eine einen einer mit von zu auf für sich auch wird wurde werden sind"
        " im als aus bei nach über zum zur vom bis seit januar februar märz mai juni juli oktober dezember quartal jahr"
        " jahre jahren gestern heute am um uhr wegen herr herrn frau noch kein keine dass bitte oder mein meine vor"
    ),
    "fr": _split_words(
        "le la les des et est une dans que qui pour pas sur avec sont par du au aux ce cette ont été nous vous de"
        " depuis janvier février mars avril mai juin juillet août septembre octobre novembre décembre trimestre année"
        " années ans hier aujourd en fait mais chez sans"
    ),
    "es": _split_words(
        "el la los las de del que y en es por con para una se su más como pero fue han al lo son está desde hasta enero"
        " febrero marzo abril mayo junio julio septiembre octubre noviembre diciembre trimestre año años ayer"
    ),
    "it": _split_words(
        "il lo la gli le di che è con una del della nel sono si come più alla dei anche dal dalla fino gennaio febbraio"
        " marzo aprile maggio giugno luglio agosto settembre ottobre dicembre trimestre anno anni ieri"
    ),
    "pt": _split_words(
        "os de da que e em não para uma por se na dos mais foi ao são pelo desde até janeiro fevereiro março abril maio"
        " junho julho setembro outubro novembro dezembro trimestre ano anos ontem"
    ),
    "nl": _split_words(
        "de het een en van niet dat met voor zijn op aan te ook wordt werd bij door naar uit sinds tot januari februari"
        " maart mei juni juli augustus oktober kwartaal jaar gisteren"
    ),
}
"""Small words and words of times of the other languages whose times are read, without those of English."""
_ENGLISH_HOMOGRAPHS = _split_words(
    "die des den auf pour sur par est son sans mais fait con per van met door het dat del una las los mar sera ans pas"
    " qui que vous bei bis im maggio junio dan foi dos das da ne"
)
"""Small words that are English ones too, or of names and loans that English texts have."""
_SURE_WORDS = frozenset[str]().union(*_READ_WORDS.values()) - _ENGLISH_HOMOGRAPHS
_MIN_SURE_LETTERS = 3  # Of a small word that alone shows a language.
_AUXILIARY_VERBS = {
    "de": _split_words("war waren hat haben hatte hatten wurden worden kann können muss soll gibt"),
    "fr": _split_words("a ont avait était étaient sera fut"),
    "es": _split_words("ha era eran será fueron hay"),
    "it": _split_words("ha hanno era erano sarà"),
    "pt": _split_words("tem era eram será foram há"),
    "nl": _split_words("is was waren heeft hebben had werden kan moet"),
}
EUROPEAN = tuple(_READ_WORDS)
"""German, French, Spanish, Italian, Portuguese and Dutch."""
_UNREAD_LANGUAGES = (
    _split_words("och att det som en är på för med av den till inte ett var har om"),
    _split_words("og det er en på til av som med ikke den et har var de fra"),
    _split_words("ja ei että se oli hän mutta kun ovat myös sekä joka tai"),
    _split_words("na nie się jest że jak po co dla od przez był są oraz nad"),
    _split_words("na se je že jako po pro ale jsou které byl nebo"),
    _split_words("bir ve bu da de için ile olarak olan çok daha gibi en kadar ise"),
    _split_words("dan yang di dengan untuk dari pada ini itu tidak dalam adalah ke oleh akan telah"),
    _split_words("și în de la cu pe nu este care din un pentru mai sunt au fost"),
    _split_words("és az hogy nem egy ez van volt meg de csak mint"),
    _split_words("và của là có trong được cho không các một những với này đã để người"),
)
"""Small words of Swedish, Danish and Norwegian, Finnish, Polish, Czech, Turkish, Indonesian, Romanian, Hungarian and
Vietnamese."""
_TABLE_WORDS = {
    language: _split_words(words)
    | _split_words(" ".join(CALENDAR_WORDS[language]["months"] if language in CALENDAR_WORDS else []).replace(",", ""))
    for language, words in tomllib.loads(
        Path(__file__).with_name("table_words.toml").read_text(encoding="utf-8")
    ).items()
}
"""Words of the headers and labels of tables, and months, by language, English ones too."""
_MIN_TABLE_WORDS = 2  # Different words of a table that identify its language: several languages share single words.
_MIN_SURE_LETTERS_OF_TABLE = 5  # Of a word that alone does so, in a table without any English word.
_MAX_TITLE_WORDS = 20  # Outside the tables of a document that has only titles beside them.
_MAX_LABELS = 300  # The rows whose labels are read: an export may have a million.


_TABLE_KINDS = (BlockKind.TABLE, BlockKind.CODE, BlockKind.FURNITURE)
_SENTENCE_IN_CELL = re.compile(r"(?:[^\W\d_]+[,;]? ){6}[^\W\d_]")  # So many words in a row are no name.
_PROSE_KINDS = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST)


def detect_document_language(text: str, blocks: Sequence[Block], declared: str = "") -> str:
    """The language of most of a document's words outside tables and code, as `detect_language` gives it.

    One paragraph of Chinese in an English diary does not make it Chinese, nor an English one a Chinese diary English.
    A document with only tables is in the language of their headers, which determines the order of its dates.
    """
    kinds = {block.kind for block in blocks}
    if BlockKind.TABLE in kinds:
        titles = " ".join(text[block.start : block.end] for block in blocks if block.kind not in _TABLE_KINDS)
        title_words = islice(_WORD.finditer(titles), _MAX_TITLE_WORDS + 1)
        is_titled = sum(1 for _ in title_words) <= _MAX_TITLE_WORDS
        has_only_tables = is_titled or kinds <= {BlockKind.TABLE, BlockKind.HEADING}
        if has_only_tables and (language := _detect_table_language(text, titles if is_titled else "")):
            return language
    if not has_chinese(text):
        # Furniture is names and addresses of a mail, or running headers.
        body = [text[block.start : block.end] for block in blocks if block.kind is not BlockKind.FURNITURE]
        return detect_language("\n\n".join(body) or text, declared)
    prose = [text[block.start : block.end] for block in blocks if block.kind in _PROSE_KINDS]
    is_chinese = [detect_language(words) == "zh" for words in prose]
    counts = [_count_words(words) for words in prose]
    chinese = sum(count for count, is_member in zip(counts, is_chinese, strict=True) if is_member)
    if not sum(counts):
        return detect_language(text, declared)
    if 2 * chinese >= sum(counts):
        return "zh"
    other_text = "\n".join(text for text, is_member in zip(prose, is_chinese, strict=True) if not is_member)
    return detect_language(_CHINESE.sub("", other_text), declared)


def _detect_table_language(text: str, titles: str) -> str:
    """English, or the European language of most words in the headers, labels and titles of tables; else nothing.

    Small words do not count in labels, which may be names: "Los Angeles", "La Paz".
    """
    headers = MARKER.sub("", " ".join(match[0] for match in HEAD.finditer(text)))
    header_words = set(_WORD.findall(f"{headers} {titles}".lower()))
    labels = " ".join(match[1] for match in islice(_LABEL.finditer(text), _MAX_LABELS))
    label_words = set(_WORD.findall(labels.lower()))
    words = {
        code: header_words & (table_words | _READ_WORDS.get(code, _ENGLISH)) | label_words & table_words
        for code, table_words in _TABLE_WORDS.items()
    }
    highest = max(map(len, words.values()))
    codes = [code for code, code_words in words.items() if len(code_words) == highest]
    if "en" in codes and highest >= _MIN_TABLE_WORDS and not has_chinese(text):
        # Names in the cells may be of any language, sentences are in that of the document.
        return "" if _SENTENCE_IN_CELL.search(text) else "en"
    if len(codes) > 1 or codes[0] not in EUROPEAN:
        return ""
    is_sure = not words["en"] and any(len(word) >= _MIN_SURE_LETTERS_OF_TABLE for word in words[codes[0]])
    return codes[0] if highest >= _MIN_TABLE_WORDS or is_sure else ""


def get_small_words(language: str) -> frozenset[str]:
    """The small words and words of times of a European language; none for another language."""
    return _READ_WORDS.get(language, frozenset()) | _AUXILIARY_VERBS.get(language, frozenset())


def has_chinese(text: str) -> bool:
    """Whether a text has a Chinese character; Japanese has them too."""
    return _CHINESE.search(text) is not None


def count_letters(text: str) -> int:
    """The letters of a text; a character of Chinese counts for two."""
    return sum(letter.isalpha() + (letter >= "\u2e80") for letter in text)


def _count_words(text: str) -> float:
    return len(_CHINESE.findall(text)) + len(_LATIN_LETTER.findall(text)) / _LETTERS_PER_WORD


def detect_language(text: str, declared: str = "") -> str:
    """Return "zh" where a fifth of the words is Chinese, one of `EUROPEAN`, "en" for what may be English, or "und".

    A Chinese character counts as a word and so do five Latin letters; with fewer Chinese than Latin words, two small
    words of English make it English. Kana or Hangul make it "und". More small words of another language than of English
    make it that language, or "und" where it is not read. Latin letters without evidence, as in a table of names, are
    in the language that the document declares (a primary subtag such as "de"), else English.
    """
    middle = len(text) // 2
    sample = text if len(text) <= 2 * _SAMPLE_LENGTH else text[:_SAMPLE_LENGTH] + " " + text[middle:][:_SAMPLE_LENGTH]
    sample = MARKER.sub("", sample)  # Its words are no English of the document's.
    chinese_count, kana_or_hangul_count = len(_CHINESE.findall(sample)), len(_KANA_OR_HANGUL.findall(sample))
    latin_count = len(_LATIN_LETTER.findall(sample))
    if kana_or_hangul_count > chinese_count / 10 and chinese_count + latin_count < 10 * kana_or_hangul_count:
        return "und"
    latin_words = latin_count / _LETTERS_PER_WORD
    if chinese_count and chinese_count >= 0.2 * (chinese_count + latin_words):
        english_count = _count_shared(Counter(_WORD.findall(sample.lower())), _SMALL_WORDS)
        return "en" if chinese_count < latin_words and english_count > 1 else "zh"
    if not latin_count or 2 * latin_count < len(_LETTER.findall(sample)):
        return "und"
    return _detect_latin_language(sample, latin_count, declared)


def _detect_latin_language(sample: str, latin_count: int, declared: str) -> str:
    words = Counter(_WORD.findall(sample.lower()))
    english = _count_shared(words, _ENGLISH)
    read_counts = {code: _count_shared(words, language_words) for code, language_words in _READ_WORDS.items()}
    highest = max(read_counts.values())
    unread_count = max(_count_shared(words, language) for language in _UNREAD_LANGUAGES)
    unread_words = len(_UNREAD_WORD.findall(sample))
    if unread_words > 1 and unread_words > max(highest, english):
        return "und"
    foreign = len(_FOREIGN_LETTER.findall(sample))
    has_foreign_letters = foreign > 1 and foreign > _MAX_FOREIGN_SHARE * latin_count
    if max(highest, unread_count) > english:
        if max(highest, unread_count) == 1 and not foreign and not declared and not _has_sure_word(sample):
            return "en"
        best = [code for code, count in read_counts.items() if count == highest]
        is_prose = highest >= _MIN_SMALL_WORD_SHARE * words.total()
        is_clear = is_prose and highest > unread_count and (len(best) == 1 or declared in best)
        return (declared if declared in best else best[0]) if is_clear else "und"
    if english:
        return "en" if not has_foreign_letters or english > words.total() / _LETTERS_PER_WORD else "und"
    if declared in _READ_WORDS:
        return declared
    return "en" if declared in ("", "en") and not has_foreign_letters else "und"


def _has_sure_word(sample: str) -> bool:
    """Whether a small word in small letters, so that it is of no name, is no English word either."""
    return any(len(word) >= _MIN_SURE_LETTERS and word in _SURE_WORDS for word in _WORD.findall(sample))


def _count_shared(words: Counter[str], language: frozenset[str]) -> int:
    return sum(words[word] for word in words.keys() & language)


_INTERROGATIVES_WRITTEN = {
    "de": "welche welcher welches welchen welchem wer wen wem wessen was wann wie viel viele wieviel wieviele wo wohin"
    " woher warum wieso weshalb",
    "fr": "quel quelle quels quelles lequel laquelle lesquels lesquelles qui que qu' est-ce quoi quand combien comment"
    " où pourquoi",
    "es": "qué cuál cuáles quién quiénes cuándo cuánto cuánta cuántos cuántas cómo dónde adónde",
    "it": "che cosa quale quali chi quando quanto quanta quanti quante come dove perché",
    "pt": "que qual quais quem quando quanto quanta quantos quantas como onde porque porquê",
    "nl": "welk welke wie wiens wat wanneer hoe veel hoeveel waar waarheen waarom",
}
_INTERROGATIVES = {code: frozenset(fold_text(words).split()) for code, words in _INTERROGATIVES_WRITTEN.items()}
_INTERROGATIVES["pt"] |= {"o que"}
_INTERROGATIVES["de"] |= {"wie hoch", "wie lautet", "wie heisst", "wie lange", "wie gross"}
_AMBIGUOUS = frozenset(
    fold_text(
        "wer wen was wie viel wo quelle qui que qu' comment ou como che cosa quale chi quanto quanta come dove perche"
        " qual quais onde welk welke wat hoe veel waar"
    ).split()
)
"""Interrogatives that are other words or names in another language: "was", "comment", "Como"."""
_SURE_INTERROGATIVES = (
    frozenset[str]().union(*_INTERROGATIVES.values(), " ".join(_INTERROGATIVES_WRITTEN.values()).split()) - _AMBIGUOUS
)
_EVENT_WORDS = {
    "de": _split_words(
        "passiert passierte passieren geschah geschehen ereignet los ich wir mir uns habe hast gemacht getan"
        " erlebt unternommen letzte letzten letzter letztes vorige vorigen voriges vergangene vergangenen nächste"
        " nächsten diese diesen dieser vorgestern morgen tag tage tagen woche wochen wochenende monat monate"
        " wochentag montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag tagebuch eintrag"
        " einträge"
    ),
    "fr": _split_words(
        "il s'est est-il passé passe arrivé produit je j'ai ai avons fait dernier dernière derniers dernières"
        " prochain prochaine jour jours semaine semaines mois lundi mardi mercredi jeudi vendredi samedi dimanche"
        " avant-hier demain journal note notes"
    ),
    "es": _split_words(
        "pasó pasa pasado pasada ocurrió sucedió hice hicimos hizo hecho he hemos último última próximo próxima"
        " día días semana semanas mes meses lunes martes miércoles jueves viernes sábado domingo anteayer mañana"
        " diario nota notas"
    ),
    "it": _split_words(
        "successo accaduto fatto ho abbiamo cosa scorso scorsa ultimo ultima prossimo prossima giorno giorni"
        " settimana settimane mese mesi lunedì martedì mercoledì giovedì venerdì sabato domenica domani diario"
    ),
    "pt": _split_words(
        "o a aconteceu passou fiz fizemos feito passado passada último última próximo próxima dia dias semana"
        " semanas mês meses segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo amanhã"
        " diário"
    ),
    "nl": _split_words(
        "er gebeurde gebeurd gebeurt deed deden gedaan ik we wij heb vorige afgelopen volgende dag dagen week"
        " weken maand maanden maandag dinsdag woensdag donderdag vrijdag zaterdag zondag eergisteren morgen"
        " dagboek"
    ),
}
"""Words of questions about what happened, and about times relative to today, that name no event."""
_QUESTION_WORD = re.compile(
    r"\b(?:est-ce|o que|wie (?:hoch|lautet|heißt|lange|groß))\b|\bqu['’]|[^\W\d_]+", re.IGNORECASE
)


def detect_question_language(question: str) -> str:
    """The language of a question, as `detect_language` gives it; after an interrogative, one small word is enough.

    So is a word of questions about a time: "Was passierte letzte Woche?".
    """
    language, first = detect_language(question), None
    question_languages: list[str] = []
    # The interrogative is the first word, or follows a preposition: "Bis wann", "Avant quelle date".
    for first in islice(_QUESTION_WORD.finditer(question), 2):
        question_languages = [code for code in EUROPEAN if _fold_interrogative(first[0]) in _INTERROGATIVES[code]]
        if question_languages:
            break
    if language in EUROPEAN or not first or not question_languages:
        return language
    following_words = set(_WORD.findall(question[first.end() :].lower()))
    counts = {code: len(following_words & (_EVENT_WORDS[code] | get_small_words(code))) for code in question_languages}
    best_code = max(question_languages, key=lambda code: counts[code])
    is_single = list(counts.values()).count(counts[best_code]) == 1
    if is_single and counts[best_code] > len(following_words & (_ENGLISH | _split_words("week"))):
        return best_code
    # A text without evidence is in whatever language is declared.
    possible_languages = {code for code in EUROPEAN if detect_language(question[first.end() :], code) == code}
    languages = [code for code in question_languages if code in possible_languages]
    return languages[0] if languages and len(possible_languages) < len(EUROPEAN) else language


def ask_for_events(words: Iterable[str], language: str) -> bool:
    """Whether words of a question in a European language only ask what happened, and name no event."""
    uninformative_words = get_small_words(language) | _EVENT_WORDS.get(language, frozenset())
    interrogatives = _INTERROGATIVES.get(language, frozenset())
    return all(word.lower() in uninformative_words or _fold_interrogative(word) in interrogatives for word in words)


def without_interrogatives(text: str, language: str) -> str:
    """A text without the interrogatives of a European language, "Welcher", unless nothing else is left.

    The keyword index leaves out English and Chinese ones; a word that another language also has is removed
    only in a text of the `language`.
    """
    interrogatives = _INTERROGATIVES.get(language, frozenset())

    def replace_word(match: re.Match[str]) -> str:
        return " " if is_interrogative(match[0]) or _fold_interrogative(match[0]) in interrogatives else match[0]

    remainder = _QUESTION_WORD.sub(replace_word, text)
    return " ".join(remainder.split()) if remainder != text and any(map(str.isalnum, remainder)) else text


def is_interrogative(word: str) -> bool:
    """Whether a word is an interrogative of a European language other than English, and no other word of another."""
    return not {word.lower(), fold_text(word)}.isdisjoint(_SURE_INTERROGATIVES)


def _fold_interrogative(word: str) -> str:
    return fold_text(word).replace("’", "'")
