"""Attribution lines, which mail programs write above a message that they quote or forward: who wrote it, and when.

Two forms: a line that ends in "wrote:", in the language of who answers, and the headers of the message as lines of text
("From: …", "Sent: …"), often below a rule with a title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time

from tasks.parsers.mail.header_fields import parse_addresses
from tasks.parsers.mail.moments import find_day, fold_letters
from tasks.parsers.trees import collapse_spaces

MAX_LINES = 4  # Lines that a program breaks the words above a quotation into, at the most.
_MAX_LENGTH = 400  # Characters of these words.
_FINAL_VERBS = {"on": "wrote", "le": "a écrit", "el": "escribió", "il": "ha scritto", "em": "escreveu"}
_INNER_VERBS = {"am": "schrieb", "op": "schreef", "den": "skrev"}
"""The word before the date in each language, and the verb at the end of the line, or before the name."""
_DATED_FORMS = "|".join(
    (
        *(rf"{first}\b.{{4,250}}\b{verb}" for first, verb in _FINAL_VERBS.items()),
        *(rf"{first}\b.{{4,200}}\b{verb}\b.{{0,150}}" for first, verb in _INNER_VERBS.items()),
    )
)
_VERB = "|".join(
    (
        *_FINAL_VERBS.values(), *_INNER_VERBS.values(),
        "writes", "pisze", "napisała?", "napsala?", "napísala?", "a scris",
        "kirjoitti", "yazdı", "írta", "va escriure", "menulis", "đã viết", "пишет", "писала?", "написала?",
        "пише", "написа(?:в|ла)", "έγραψε",
    )
)  # fmt: skip
_CHINESE_VERBS = "写道|寫道|写到|寫到"
_ATTRIBUTION_LINE = re.compile(
    rf"(?:{_DATED_FORMS}|.{{2,250}}(?:{_CHINESE_VERBS}|のメール|書きました))\s?[:：]?|[^:：]{{2,150}}\b(?:{_VERB})\b.{{0,80}}[:：]",
    re.IGNORECASE,
)
_LINE_WITH_ADDRESS = re.compile(r".{0,250}<[^<>@\s]{1,100}@[^<>\s]{1,100}>.{0,40}[:：]")
_LINE_WITH_VERB = re.compile(rf".{{2,250}}\b(?:{_VERB})\b.{{0,80}}[:：]", re.IGNORECASE)
_CLOCK = r"(?:\d[\d:.h]*\d(?:\s?[ap]\.?m\.?)?(?:\s?uhr)?|\d{4})[,，;]?"
_SENDER_FORMS = (
    re.compile(r"(?:schrieb|schreef|skrev)\s+(?P<name>[^<>:]{2,80}?)\s*(?:<|\(|:|$)", re.IGNORECASE),
    re.compile(r"(?P<name>[^<>,，:：;\d]{1,80}?)[\s\"']*[<(]\s*(?:mailto:)?[^<>@\s()]{1,100}@[^<>\s()]{1,100}\s*[>)]"),
    re.compile(rf"{_CLOCK}\s+(?P<name>[^\d<>:：]{{2,80}}?),?\s+(?:{_VERB}|{_CHINESE_VERBS})", re.IGNORECASE),
    re.compile(rf"(?P<name>[^\d<>:：,，]{{2,80}}?)\s*(?:{_VERB}|{_CHINESE_VERBS}|于\s?\d)", re.IGNORECASE),
)
"""The places of the sender's name in such a line, the most reliable first."""
_WORDS_BEFORE_NAME = re.compile(
    r"^(?:(?:[ap]\.?m\b\.?|uhr|um|at|schrieb|schreef|wrote|gmt|utc|cet|est|pst|le|à|a las|de|von|from|by|the|user)\b"
    r"[\s,;]*|[+\-–,，;\s]+)+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[^\s<>()@,;:\[\]]{1,100}@[^\s<>()@,;:\[\]]{1,100}")
_MAILTO = re.compile(r"\[mailto:[^\]\n]{1,200}\]|<mailto:[^>\n]{1,200}>", re.IGNORECASE)
_LABELS = {
    "from": "from|von|de|da|van|från|fra|od|de la|feladó|kimden|gönderen|lähettäjä|от|від|από|보낸 사람"
    "|发件人|發件人|寄件者|寄件人|差出人",
    "date": "date|sent|gesendet|datum|envoyé|envoyé le|enviado|enviado el|fecha|data|inviato|verzonden|skickat|sendt"
    "|wysłano|odesláno|odoslané|küldve|dátum|gönderildi|gönderilme tarihi|tarih|lähetetty|päiväys|trimis|dato"
    "|отправлено|дата|надіслано|ημερομηνία|보낸 날짜|发送时间|發送時間|发送日期|日期|时间|寄件日期|送信日時",
    "subject": "subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|temat|předmět|predmet|tárgy|konu|aihe"
    "|subiect|тема|θέμα|제목|主题|主題|主旨|件名",
    "to": "to|an|à|para|a|aan|till|til|do|komu|címzett|kime|alıcı|vastaanottaja|către|кому|προς|받는 사람|收件人|宛先",
    "other": "cc|kopie|dw|másolat|bilgi|kopio|копия|копія|참조|copie|cópia|抄送|副本|bcc|reply-to|message-id|message"
    "|importance|wichtigkeit|attachments|organization|content-type|content-transfer-encoding|mime-version",
}
_FIELDS = {name: field for field, names in _LABELS.items() for name in names.split("|")}
_FOLDED_FIELDS = {fold_letters(name): field for name, field in _FIELDS.items()}
_LABEL = re.compile(
    rf"[\s*_>|]{{0,6}}(?P<label>{'|'.join(sorted(_FIELDS, key=len, reverse=True))})[\s*_]{{0,4}}[:：][\s*_]{{0,4}}"
    r"(?P<value>.*)",
    re.IGNORECASE,
)
_TITLES = (
    "original message", "original appointment", "forwarded message", "begin forwarded message", "message d['’]origine",
    "ursprüngliche nachricht", "weitergeleitete nachricht", "anfang der weitergeleiteten (?:nachricht|e-mail)",
    "originele bericht", "oorspronkelijk bericht", "doorgestuurd bericht", "message (?:transféré|original)",
    "début du message réexpédié", "mensaje (?:original|reenviado)", "messaggio (?:originale|inoltrato)",
    "mensagem (?:original|encaminhada)", "(?:oryginalna wiadomość|wiadomość oryginalna)", "původní zpráva",
    "eredeti üzenet", "özgün ileti", "alkuperäinen viesti", "ursprungligt meddelande", "opprinnelig melding",
    "(?:original|oprindelig) meddelelse", "mesaj original", "(?:исходное|пересылаемое) сообщение", "원본 메시지",
    "原始邮件", "原始郵件", "转发邮件", "转发的邮件", "轉寄郵件",
)  # fmt: skip
_SEPARATOR_LINE = re.compile(
    rf"[-_=\s>*]{{0,60}}(?:{'|'.join(_TITLES)})(?:\s+from [^-]{{1,80}})?[-_=\s:：*]{{0,60}}|[-_=*]{{10,100}}",
    re.IGNORECASE,
)
_MAX_HEADERS = 24  # Lines of headers in a text, with those of long lists of people.
_MAX_PEOPLE_LINES = 3
"""Further lines of a list of people, at the most."""
_PEOPLE_SIGN = re.compile(r"[@;<>]")


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who wrote a quotation, and when: empty and None if that is not stated. `words` are the lines that state it."""

    sender: str = ""
    day: date | None = None
    hour: time | None = None
    subject: str = ""
    words: str = ""


def read_attribution(words: str, latest: date | None) -> Attribution | None:
    """The attribution in a line above a quotation, or None. `latest` is the day of the message that quotes."""
    text = collapse_spaces(words).strip("*_ ")
    if len(text) > _MAX_LENGTH:
        return None
    day, hour = find_day(text, latest)
    is_dated = day is not None and bool(_LINE_WITH_ADDRESS.fullmatch(text) or _LINE_WITH_VERB.fullmatch(text))
    if not (_ATTRIBUTION_LINE.fullmatch(text) or is_dated):
        return None
    return Attribution(_find_sender(text), day, hour, words=text)


def _find_sender(text: str) -> str:
    text_without_links = _MAILTO.sub(" ", text)
    for form in _SENDER_FORMS:
        if match := form.search(text_without_links):
            name = _WORDS_BEFORE_NAME.sub("", match["name"].strip()).strip(" \"'“”*_,(")
            if len(name) > 1 and any(map(str.isalpha, name)):
                return name
    address = _ADDRESS.search(text_without_links)
    return address[0] if address else ""


def read_header_block(lines: Sequence[str], latest: date | None) -> tuple[int, Attribution] | None:
    """The headers of a message that a text begins with, and how many of its lines they are; None where there are none.

    A sender and a date or subject must be there, and a third header unless a rule with a title stands above.
    """
    start = 0
    is_ruled = bool(lines) and _SEPARATOR_LINE.fullmatch(lines[0].strip()) is not None
    if is_ruled:
        start = next((place for place in range(1, min(len(lines), 5)) if lines[place].strip()), 1)
    fields: dict[str, str] = {}
    count, people_line_count, last, name = 0, 0, start, ""
    for place in range(start, min(len(lines), start + _MAX_HEADERS)):
        line = lines[place]
        match = _LABEL.fullmatch(line)
        if match:
            name = _FOLDED_FIELDS[fold_letters(match["label"])]
            if name != "other" and name in fields:
                break
            fields.setdefault(name, match["value"].strip(" *_"))
            count, people_line_count, last = count + 1, 0, place + 1
        elif name in ("to", "other") and _PEOPLE_SIGN.search(line) and people_line_count < _MAX_PEOPLE_LINES:
            people_line_count, last = people_line_count + 1, place + 1
        else:
            break
    is_complete = fields.get("from") and (fields.get("date") or "subject" in fields)
    if not is_complete or count < (2 if is_ruled and any(map(str.isalpha, lines[0])) else 3):
        return None
    people = parse_addresses([_MAILTO.sub("", fields["from"])])
    day, hour = find_day(fields.get("date", ""), latest)
    sender, subject = people[0].shown if people else "", collapse_spaces(fields.get("subject", ""))
    return last, Attribution(sender, day, hour, subject, "\n".join(lines[start:last]))


def may_begin_headers(line: str) -> bool:
    """Whether headers may begin with this line, so that it is worth to look at those below."""
    text = line.strip()
    return len(text) <= _MAX_LENGTH and bool(_LABEL.fullmatch(text) or _SEPARATOR_LINE.fullmatch(text))
