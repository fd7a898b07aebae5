"""The form of a report by its first pages: a form of the SEC, a report, a release, a transcript.

Questions ask for one by the same words: "in its 10-K", "according to the annual report", "the earnings release".
"""

from __future__ import annotations

import re

from tasks.parsers.covers import REPORT, find_running_titles

_TOP = 2_500  # How far into a document it says what it is, in characters; a cover's own form comes before its name.
_CHINESE_TOP = 400
_SEC_FORM = re.compile(
    r"\bform\s+(?P<form>10-?K(?:T|SB|405)?|10-?QT?|8-?K|20-?F|40-?F|6-?K|11-?K|S-[1348])(?:/A)?(?![\w-])"
    r"|\b(?P<proxy>schedule\s+14A|(?:notice\s+of\s+(?:\d{4}\s+)?annual\s+meeting|proxy\s+statement)\b)",
    re.IGNORECASE,
)
_FORM_LINE = re.compile(rf"^\W*(?:{_SEC_FORM.pattern})\W*$", re.IGNORECASE | re.MULTILINE)
"""A release or an agreement only speaks of forms; a cover has its own on a line."""
_TRANSCRIPT = re.compile(r"\b(?:earnings|results|conference)\s+(?:conference\s+)?call\b", re.IGNORECASE)
_SPOKEN = re.compile(
    r"^(?:operator|(?:company|corporate|conference call)\s+participants|presentation)\b", re.IGNORECASE | re.MULTILINE
)
_RELEASE = re.compile(
    r"(?:for\s+immediate|news|press|media|earnings)\s+release|\b(?:today|has)\s+(?:announced|reported)\b|\bexhibit\s+99\b"
    r"|\b(?:reports?|announces?|delivers?|posts?)\s[^\n]{0,80}(?:results|earnings|quarter)\b",
    re.IGNORECASE,
)
_RESULTS = re.compile(r"\b(?:results|earnings|quarter|full[- ]year|eps)\b", re.IGNORECASE)
_TITLE = re.compile(rf"(?<!\w){REPORT}", re.IGNORECASE)
_SHORT = 110  # Characters of a line that names a report and does not merely speak of one.
_CHINESE = re.compile(
    r"(?:半年度?|中期)(?P<interim>报告|報告)|(?:第[一二三四]季度?|季度)(?P<quarter>报告|報告)|年(?:度报告|度報告|报|報)"
)

_SEC_FORMS = ("10-K", "10-Q", "8-K", "20-F", "40-F", "6-K", "11-K")
ANNUAL, QUARTERLY, INTERIM = "annual report", "quarterly report", "interim report"
EARNINGS, RELEASE, PROXY, TRANSCRIPT = "earnings release", "press release", "proxy statement", "transcript"
REPORT_FORMS = (*_SEC_FORMS, ANNUAL, QUARTERLY, INTERIM, EARNINGS, RELEASE, PROXY, TRANSCRIPT)
"""All that `find_report_form` may say, but for the S forms."""


def find_report_form(text: str, cover: str) -> str:
    """What a document calls itself: "10-K", "annual report", "earnings release" …; empty where it does not say.

    `cover` is the cover of its form, be it behind the pages of a glossy report; empty without one. The form of an
    amendment or a transition period is the plain one.
    """
    top = text[:_TOP]
    filed = _SEC_FORM.search(cover) if cover else _FORM_LINE.search(top)
    if filed:
        return PROXY if filed["proxy"] else normalize_form(filed["form"])
    if _TRANSCRIPT.search(top) and _SPOKEN.search(text[: 2 * _TOP]):
        return TRANSCRIPT
    lines = [line.strip() for line in top.splitlines() if line.strip() and not line.startswith("|")]
    titles = [line for line in lines if len(line) <= _SHORT and line[-1] not in ".;,"]
    chinese = next(filter(None, map(_CHINESE.search, text[:_CHINESE_TOP].splitlines())), None)
    if chinese:
        return INTERIM if chinese["interim"] else QUARTERLY if chinese["quarter"] else ANNUAL
    if _RELEASE.search(top):
        return EARNINGS if _RESULTS.search(top[: _TOP // 2]) else RELEASE
    named = (found for line in (*titles, *find_running_titles(text)) if (found := _TITLE.search(line)))
    return next(map(_classify_title, (found[0] for found in named)), "")


def normalize_form(form: str) -> str:
    """A form of the SEC without what marks an amendment or a transition period: "10-KT/A" is "10-K"."""
    bare = form.upper().replace("-", "")
    return next((each for each in _SEC_FORMS if bare.startswith(each.replace("-", ""))), form.upper())


def _classify_title(title: str) -> str:
    words = title.lower()
    if words.startswith("form"):
        return normalize_form(words.split()[-1])
    if "half" in words or "mid" in words or "interim" in words:
        return INTERIM
    return QUARTERLY if "quarter" in words else ANNUAL
