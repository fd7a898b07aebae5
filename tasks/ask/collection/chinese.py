"""The grammar of questions about the collection in Chinese: 有哪些关于X的论文, 谁教X课程, 一共有几篇论文."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.ask.collection.records import CollectionQuestion, Condition, Intent, Noun
from tasks.query.question_parser import find_lesson
from warehouse.records import Kind

_NOUNS: tuple[tuple[str, Noun], ...] = (
    ("论文|論文|文献|文獻", Noun("papers", Kind.PAPER)),
    ("课程|課程", Noun("courses", Kind.COURSE)),
    ("笔记|筆記", Noun("notes", Kind.NOTE)),
    ("邮件|郵件", Noun("messages", Kind.MESSAGE, unit="messages", is_ambiguous=True)),
    ("书籍|書籍|图书|圖書", Noun("books", Kind.BOOK)),
    ("财报|財報|年报|季报|报告|報告|公告|简报", Noun("reports", Kind.REPORT, is_ambiguous=True)),
    ("文档|文檔|文件|资料|資料", Noun("documents")),
    ("段落", Noun("passages", unit="passages", is_ambiguous=True)),
    ("表格", Noun("tables", unit="tables", is_ambiguous=True)),
)
_NOUN = "(?:" + "|".join(f"(?P<n{place}>{words})" for place, (words, _) in enumerate(_NOUNS)) + ")"
_VALUES = {
    "companies": "公司|企业|企業",
    "topics": "主题|主題|话题|領域|领域",
    "tags": "标签|標籤",
    "journals": "期刊|杂志|雜誌",
    "authors": "作者",
    "instructors": "讲师|講師|老师|老師",
    "languages": "语言|語言",
    "years": "年份",
}
_COLLECTION_WORD = "(?:这里|這裡|库里|库中|你们?|我们|知识库(?:里|中)?|数据库(?:里|中)?)?"
_MEASURE = "[篇份门門个個条條本部]"
_POLITE_OPENING = f"(?:请问|请|麻烦)?{_COLLECTION_WORD}"
_OPENING = (
    rf"{_POLITE_OPENING}(?:(?P<count>一?共?有?(?:多少|几){_MEASURE}?|(?:一共|总共|總共)有?(?:多少|几){_MEASURE}?)"
    rf"|(?:都|还)?有(?:没有|哪些|什么|甚麼|哪几{_MEASURE})|列出(?:所有|全部)?(?:的)?|哪些|哪几{_MEASURE}"
    r"|(?:给我|我想)?看看|(?:查|找)一?下?|显示(?:所有)?)"
)
_ENDING = f"(?:吗|嗎|呢|有哪些|有多少{_MEASURE}?|有几{_MEASURE}|是什么|是哪些|是哪(?:一)?{_MEASURE}|都有哪些)?"
_VALUE = "|".join(f"(?P<{field}>{words})" for field, words in _VALUES.items())
_LISTED_VALUES = re.compile(rf"{_OPENING}(?:不同的|所有的?)?(?:{_VALUE}){_ENDING}")
_HOW_MANY = f"(?P<count>(?:一共)?有多少{_MEASURE}?|有几{_MEASURE})"
_DOCUMENTS = (
    re.compile(rf"{_OPENING}(?P<before>.{{0,40}}?)的?(?:学术|科研)?{_NOUN}{_ENDING}"),
    re.compile(rf"{_POLITE_OPENING}(?P<before>.{{1,40}}?)的?{_NOUN}(?:{_HOW_MANY}|都?有哪些)"),
    re.compile(
        rf"{_POLITE_OPENING}(?P<before>.{{0,40}}?)(?P<order>最新|最近|最早|最旧|最舊)(?:发布|发表)?的?(?:一?[篇份门个条])?{_NOUN}{_ENDING}"
    ),
)
_PEOPLE = (
    ("instructor", re.compile(r"谁(?:在)?(?:教|讲授|主讲)(?:授|的是)?(?P<name>.+)")),
    ("instructor", re.compile(r"(?P<name>.+?)(?:这门课|課程|课程|课)?(?:是)?(?:由)?谁(?:来)?(?:教|讲|主讲|讲授)的?")),
    ("instructor", re.compile(r"(?P<name>.+?)的?(?:讲师|老师|主讲人?|授课老师)是谁")),
    ("authors", re.compile(r"(?P<name>.+?)(?:的)?作者(?:是谁|有哪些|都有谁)")),
    ("authors", re.compile(r"(?P<name>.+?)是谁写的")),
    ("authors", re.compile(r"谁写了(?P<name>.+)")),
)
_LESSON = r"(?P<lesson>第 ?[\d一二三四五六七八九十]{1,3} ?(?:课|課|讲|講|节课))"
_LESSONS = (
    re.compile(
        rf"(?:(?P<name>.+?)(?:的|中|里)?)?{_LESSON}(?:的)?(?:主要)?(?:讲|讲了|是|有|包含|介绍)(?:的是)?(?:什么|些什么|哪些内容|什么内容)"
    ),
    re.compile(rf"(?:(?P<name>.+?)(?:的|中|里)?)?{_LESSON}(?:的)?(?:内容|标题|链接)(?:是什么|有哪些)?"),
)
_OUTLINES = (
    re.compile(r"(?:列出|给出|显示|给我)?(?P<name>.+?)的?(?:大纲|目录|提纲)(?:是什么)?"),
    re.compile(r"(?P<name>.+?)(?:里|中)?(?:一共)?(?P<count>有(?:多少|几)(?:节|堂|个)?)(?:课时|课|课节|讲)"),
    re.compile(r"(?:列出)?(?P<name>.+?)的?(?:所有)?(?:课时|章节|课节)(?:有哪些|列表)?"),
    re.compile(r"(?P<name>.+?)有哪些(?:课时|章节|课|讲)"),
)
_YEARS = re.compile(r"(?P<name>.+?)(?:覆盖|涵盖|包含|包括|涉及)(?:了)?(?:哪些|哪几)(?:个)?(?:年份|年|季度|时期|期间)")
_HOLDINGS = (
    re.compile(rf"{_POLITE_OPENING}有(?:什么|哪些|没有)?(?:关于|有关)(?P<name>.+?)的?(?:内容|东西|信息)?吗?"),
    re.compile(r"(?:关于|有关)(?P<name>.+?)[，,]?(?:你们?|这里|我们)?(?:都)?有(?:什么|哪些|些什么)(?:内容|东西)?"),
)
_CONDITION = (
    ("about", re.compile(r"^(?:关于|有关|涉及|讲|讨论|研究)(?P<text>.+)$")),
    ("by", re.compile(r"^(?:由)?(?P<text>.+?)(?:写|撰写|发表|讲授|教|所写)$")),
    ("in", re.compile(r"^(?:发表|刊登)(?:在|于)(?P<text>.+?)(?:上|中)?$")),
    ("from", re.compile(r"^(?:在|于)?(?P<text>[\d一二三四五六七八九〇零]{2,4}年.*?)(?:发表|发布|出版|写)?$")),
    ("tagged", re.compile(r"^(?:标签为|带有标签|标签是|带)(?P<text>#?.+?)(?:标签)?$")),
)
_EDGE_CHARACTERS = "《》「」“”\"' 的，,"


def parse_chinese_question(text: str) -> CollectionQuestion | None:
    """A Chinese question about the collection, parsed; None for a question about the content of documents."""
    if not re.search(r"[\u4e00-\u9fff]", text):
        return None
    return _parse_document(text) or _parse_values(text) or _parse_documents(text) or _parse_holdings(text)


def _parse_document(text: str) -> CollectionQuestion | None:
    """A question about a document's author or teacher, lesson, or outline."""
    for field, pattern in _PEOPLE:
        match = pattern.fullmatch(text)
        if match and (name := match["name"].strip(_EDGE_CHARACTERS)):
            return CollectionQuestion(Intent.PEOPLE, field=field, name=name)
    for pattern in _LESSONS:
        match = pattern.fullmatch(text)
        number = find_lesson(match["lesson"].replace("节课", "课")) if match else None
        if match and number is not None:
            return CollectionQuestion(Intent.LESSON, name=(match["name"] or "").strip(_EDGE_CHARACTERS), lesson=number)
    for pattern in _OUTLINES:
        match = pattern.fullmatch(text)
        name = match["name"].strip(_EDGE_CHARACTERS) if match else ""
        if match and name and not re.search(r"哪些|什么|多少|几", name):
            return CollectionQuestion(Intent.OUTLINE, field="count" if "count" in match.groupdict() else "", name=name)
    return None


def _parse_values(text: str) -> CollectionQuestion | None:
    if match := _LISTED_VALUES.fullmatch(text):
        field = next(name for name in _VALUES if match[name])
        return CollectionQuestion(Intent.VALUES, field=field, names_collection=True)
    if match := _YEARS.fullmatch(text):
        return CollectionQuestion(Intent.YEARS, name=match["name"].strip(_EDGE_CHARACTERS))
    return None


def _parse_documents(text: str) -> CollectionQuestion | None:
    match = next((match for pattern in _DOCUMENTS if (match := pattern.fullmatch(text))), None)
    if match is None:
        return None
    noun = next(noun for index, (_, noun) in enumerate(_NOUNS) if match[f"n{index}"])
    modifier, groups = match["before"].strip(_EDGE_CHARACTERS), match.groupdict()
    order = groups.get("order") or next((word for word in ("最新", "最早", "最近") if modifier.endswith(word)), "")
    modifier = modifier.removesuffix(order).strip(_EDGE_CHARACTERS)
    intent = Intent.COUNT if groups.get("count") else Intent.LIST
    if order:
        intent = Intent.NEWEST if order in ("最新", "最近") else Intent.OLDEST
    conditions = tuple(_iter_conditions(modifier))
    return CollectionQuestion(intent, noun, conditions, "" if conditions else modifier, names_collection=not modifier)


def _iter_conditions(text: str) -> Iterator[Condition]:
    for part in re.split(r"(?<=[写表年])的(?=.)", text):
        for marker, pattern in _CONDITION:
            if match := pattern.match(part.strip(_EDGE_CHARACTERS)):
                yield Condition(marker, match["text"].strip(_EDGE_CHARACTERS))
                break


def _parse_holdings(text: str) -> CollectionQuestion | None:
    for pattern in _HOLDINGS:
        match = pattern.fullmatch(text)
        if match and (name := match["name"].strip(_EDGE_CHARACTERS)):
            return CollectionQuestion(Intent.LIST, conditions=(Condition("about", name),), names_collection=True)
    return None
