"""Exports of notes, messages and posts: each record is an entry of its day, its words first and its ids behind them."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.chunkers.packed import DatedChunker
from tasks.document_date import choose_date
from tasks.parsers.data.record_values import rank_moment_name, read_moment
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.temporal.document import find_mentions
from tasks.temporal.entries import find_entries
from tests.tasks.parsers.data.test_json_data import bare, scalars
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import BlockKind, Document, Kind

FIRST, SECOND = "Ordered the new float for the gauge.", "Met Grace at the old pier; we agreed on the budget."
TEXTS = (FIRST, SECOND)
ISO = ("2021-03-10T09:15:00", "2021-03-12T14:05:11")
SECONDS = (1615367700, 1615557911)
DAYS = [date(2021, 3, 10), date(2021, 3, 12)]
WORDS = "The gauge was read again by two people who did not know of each other. " * 6


def read_export(value: object, name: str = "export.json") -> Document:
    text = value if isinstance(value, str) else json.dumps(value)
    document = read(Raw(name, text.encode()))
    keeps_its_promises(document)
    return document


def shown(document: Document) -> list[str]:
    """The blocks that passages hold."""
    return [document.text[b.start : b.end] for b in document.blocks if b.kind is not BlockKind.FURNITURE]


def entry_days(document: Document) -> list[date]:
    claim = choose_date(document.dates, "export.json", document.kind)
    return [entry.days[0] for entry in find_entries(document, claim) if entry.days]


def pairs(make: Any) -> list[Any]:
    return [make(place) for place in (0, 1)]


def rich(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": {"content": text}, "plain_text": text, "href": None}]


NOTES = {
    "Day One": {
        "metadata": {"version": "1.0"},
        "entries": pairs(lambda i: {
            "uuid": "9F8E7D6C5B4A", "creationDate": f"{ISO[i]}Z", "timeZone": "Europe/Amsterdam",
                "text": f"# Pier\n\n{TEXTS[i]}",
            "tags": ["harbour"], "starred": False, "weather": {"temperatureCelsius": 9.5,
                "sunriseDate": "2021-03-01T06:00:00Z"},
        }),
    },
    "Standard Notes": {
        "version": "004",
        "items": pairs(lambda i: {
            "uuid": "7c1f3a3e-0d34", "content_type": "Note", "created_at": f"{ISO[i]}.000Z",
            "content": {"title": "Pier", "text": TEXTS[i], "references": [],
                "appData": {"org": {"client_updated_at": ISO[0]}}},
        }),
    },
    "Simplenote": {
        "activeNotes": pairs(lambda i: {
            "id": "b1946ac92492", "content": f"Pier\r\n\r\n{TEXTS[i]}", "creationDate": f"{ISO[i]}.000Z",
                "tags": ["harbour"],
        }),
        "trashedNotes": [],
    },
    "Joplin": {
        "items": pairs(lambda i: {
            "id": "0cc175b9c0f1", "title": "Pier", "body": TEXTS[i], "created_time": SECONDS[i] * 1000, "todo_due": 0,
            "updated_time": SECONDS[1] * 1000, "latitude": "52.37000000",
        }),
        "has_more": False,
    },
    "Notion": {
        "object": "list",
        "results": pairs(lambda i: {
            "object": "page", "id": "59833787-2cf9", "created_time": f"{ISO[i]}.000Z",
                "last_edited_time": f"{ISO[1]}.000Z",
            "properties": {"Name": {"id": "title", "title": rich("Pier")}, "Notes": {"id": "c",
                "rich_text": rich(TEXTS[i])}},
        }),
    },
    "Pinboard": pairs(lambda i: {
        "href": "https://pier.example/7", "description": "Pier", "extended": TEXTS[i], "time": f"{ISO[i]}Z",
            "hash": "92eb",
    }),
    "WordPress": pairs(lambda i: {
        "id": i, "date": ISO[i], "modified": ISO[1], "title": {"rendered": "Pier"}, "author": 1,
        "content": {"rendered": f"<p>{TEXTS[i]}</p>", "protected": False},
            "excerpt": {"rendered": f"<p>{TEXTS[i]}</p>"},
    }),
    "GitHub": pairs(lambda i: {
        "number": i, "title": "Pier", "user": {"login": "anna", "id": 7, "type": "User"}, "created_at": f"{ISO[i]}Z",
        "updated_at": f"{ISO[1]}Z", "body": TEXTS[i],
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTES)
def test_notes_are_sections_of_their_day_and_title(name: str) -> None:
    document = read_export(NOTES[name])
    headings = [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING]
    assert headings == ["2021-03-10 Pier", "2021-03-12 Pier"]
    assert (entry_days(document), document.kind) == (DAYS, Kind.NOTE)
    assert [text for text in shown(document) if text in TEXTS] == list(TEXTS)
    assert not any("uuid" in text or "id:" in text for text in shown(document))


def turn(place: int, role: str) -> dict[str, Any]:
    message = {
        "id": f"n{place}", "author": {"role": role, "name": None}, "create_time": SECONDS[place] + 0.5,
        "content": {"content_type": "text", "parts": [TEXTS[place]]}, "status": "finished_successfully",
    }  # fmt: skip
    return {"id": f"n{place}", "message": message, "parent": "root", "children": [f"n{place + 1}"]}


CHATS = {
    "Slack": ("Anna Weber: ", pairs(lambda i: {
        "type": "message", "user": "U01", "ts": f"{SECONDS[i]}.000200", "text": TEXTS[i], "team": "T01",
        "user_profile": {"avatar_hash": "g1", "first_name": "Anna", "real_name": "Anna Weber", "display_name": "anna"},
        "blocks": [{"type": "rich_text", "elements": [{"type": "text", "text": TEXTS[i]}]}],
    })),
    "Telegram": ("Anna: ", {"name": "Pier Club", "type": "private_group", "id": 1, "messages": pairs(lambda i: {
        "id": i, "type": "message", "date": ISO[i], "date_unixtime": str(SECONDS[i] - 3600), "from": "Anna",
            "from_id": "user1",
        "text": [TEXTS[i][:8], {"type": "bold", "text": TEXTS[i][8:]}], "text_entities": [{"type": "plain",
            "text": TEXTS[i]}],
    })}),
    "Discord": ("Anna: ", {"guild": {"id": "1", "name": "Pier Club"}, "exportedAt": "2024-01-01T10:00:00Z",
        "messages": pairs(
        lambda i: {
            "id": "8198", "timestamp": f"{ISO[i]}.1+00:00", "timestampEdited": None, "content": TEXTS[i],
            "author": {"id": "12", "name": "anna7", "nickname": "Anna", "isBot": False},
        })}),
    "Messenger": ("Ren\u00e9e: ", {"participants": [{"name": "Ren\u00c3\u00a9e"}, {"name": "Tom"}],
        "messages": pairs(lambda i: {
        "sender_name": "Ren\u00c3\u00a9e", "timestamp_ms": SECONDS[1 - i] * 1000 + 7, "content": TEXTS[1 - i],
            "is_unsent": False,
    }), "title": "Ren\u00c3\u00a9e", "thread_path": "inbox/1"}),
    "Signal": ("Anna: ", "\n".join(json.dumps({"date": ISO[i].replace("T", " "), "sender": "Anna",
        "body": TEXTS[i]}) for i in (0, 1))),
    "Teams": ("Anna: ", {"conversations": [{"id": "19:a", "displayName": "Pier Club", "MessageList": pairs(lambda i: {
        "displayName": "Anna", "originalarrivaltime": f"{ISO[i]}.123Z", "content": f"<p>{TEXTS[i]}</p>",
            "from": "8:live:anna",
    })}]}),
    "Google Chat": ("Anna: ", {"messages": pairs(lambda i: {
        "creator": {"name": "Anna", "email": "anna@pier.example", "user_type": "Human"}, "text": TEXTS[i],
            "topic_id": "t1",
        "created_date": ("Wednesday, March 10, 2021 at 9:15:00 AM UTC", "Friday, March 12, 2021 at 2:05:11 PM UTC")[i],
    })}),
    "ChatGPT": ("user: ", [{"title": "Pier", "create_time": SECONDS[0] + 0.5, "mapping": {
        "root-1": {"id": "root-1", "message": None, "parent": None, "children": ["n0"]}, "n0": turn(0, "user"),
            "n1": turn(1, "user"),
    }}]),
    "Claude": ("human: ", [{"uuid": "a1", "name": "Pier", "created_at": f"{ISO[0]}Z", "chat_messages": pairs(lambda i: {
        "uuid": "m1", "text": TEXTS[i], "sender": "human", "created_at": f"{ISO[i]}Z",
        "content": [{"type": "text", "text": TEXTS[i], "start_timestamp": f"{ISO[i]}Z"}],
    })}]),
    "WhatsApp by ids": ("me: ", {"31612345678@s.whatsapp.net": {"name": "Grace", "messages": {
        str(100 + i): {"from_me": True, "timestamp": SECONDS[i], "key_id": "3EB0", "data": TEXTS[i],
            "sender": None} for i in (0, 1)
    }}}),
    "Reddit": ("anna: ", {"kind": "Listing", "data": {"children": pairs(lambda i: {"kind": "t1", "data": {
        "author": "anna", "body": TEXTS[i], "created_utc": float(SECONDS[i]), "created": SECONDS[i] + 3600.0,
            "upvote_ratio": 0.97,
    }})}}),
    "Twitter": ("", "window.YTD.tweets.part0 = " + json.dumps(pairs(lambda i: {"tweet": {
        "id_str": "137", "full_text": TEXTS[i], "source": '<a href="http://twitter.com">Web App</a>',
            "favorite_count": "3",
        "created_at": ("Wed Mar 10 09:15:00 +0000 2021", "Fri Mar 12 14:05:11 +0000 2021")[i],
        "edit_info": {"initial": {"editableUntil": f"{ISO[1]}Z"}},
    }}))),
    "Mastodon": ("", {"type": "OrderedCollection", "orderedItems": pairs(lambda i: {
        "type": "Create", "published": f"{ISO[i]}Z", "actor": "https://m.example/users/anna",
        "object": {"type": "Note", "content": f"<p>{TEXTS[i]}</p>", "contentMap": {"en": f"<p>{TEXTS[i]}</p>"}},
    })}),
    "Facebook posts": ("", pairs(lambda i: {
        "timestamp": SECONDS[i], "attachments": [], "data": [{"post": TEXTS[i]}, {"update_timestamp": SECONDS[i]}],
    })),
    "Facebook comments by labels": ("", pairs(lambda i: {
        "timestamp": SECONDS[i], "label_values": [{"label": "Comment", "value": TEXTS[i]}, {"label": "Owner",
            "value": "Tom"}],
    })),
    "Snapchat": ("tom: ", {"Saved": pairs(lambda i: {
        "From": "tom", "Media Type": "TEXT", "Created": f"{ISO[i].replace('T', ' ')} UTC", "Text": TEXTS[i],
    })}),
    "iMessage": ("me: ", pairs(lambda i: {"date": ISO[i], "is_from_me": 1, "handle": "+31612345678",
        "text": TEXTS[i]})),
    "German": ("Tom: ", pairs(lambda i: {
        "Datum": ("10.03.2021 09:15", "12.03.2021 14:05")[i], "Absender": "Tom", "Nachricht": TEXTS[i],
    })),
    "Instagram comments": ("", pairs(lambda i: {"string_map_data": {
        "Comment": {"value": TEXTS[i]}, "Media Owner": {"value": "tom"}, "Time": {"timestamp": SECONDS[i]},
    }})),
}  # fmt: skip


@pytest.mark.parametrize("name", CHATS)
def test_messages_are_lines_below_the_heading_of_their_day(name: str) -> None:
    author, export = CHATS[name]
    document = read_export(export)
    lines = [f"09:15 {author}{FIRST}", f"14:05 {author}{SECOND}"]
    assert [text for text in shown(document) if text.startswith(("09:", "14:"))] == lines
    assert entry_days(document) == DAYS
    assert document.authors == ((author[:-2],) if author[:-2] not in ("", "user", "human", "me") else ())
    assert not document.tables


HISTORIES = {
    "activity": pairs(lambda i: {
        "header": "Search", "title": TEXTS[i], "titleUrl": "https://pier.example", "time": f"{ISO[i]}.123Z",
            "products": ["Search"],
    }),
    "browser": {"Browser History": pairs(lambda i: {
        "favicon_url": "https://pier.example/a.ico", "title": TEXTS[i], "url": "https://pier.example",
            "time_usec": SECONDS[i] * 10**6,
    })},
    "Chrome": {"roots": {"bar": {"name": "Bar", "type": "folder", "children": pairs(lambda i: {
        "date_added": str((SECONDS[i] + 11_644_473_600) * 10**6), "guid": "7c1f", "name": TEXTS[i],
            "url": "https://pier.example",
    })}}, "version": 1},
    "Firefox": {"guid": "root________", "title": "", "children": [{"title": "menu", "children": pairs(lambda i: {
        "dateAdded": SECONDS[i] * 10**6, "lastModified": SECONDS[1] * 10**6, "title": TEXTS[i],
            "uri": "https://pier.example",
    })}]},
}  # fmt: skip


@pytest.mark.parametrize("name", HISTORIES)
def test_titles_with_addresses_are_lines_of_their_day(name: str) -> None:
    document = read_export(HISTORIES[name])
    lines = [text for text in shown(document) if text.startswith(("09:15", "14:05"))]
    assert [line.partition(" (")[0] for line in lines] == [f"09:15 {FIRST}", f"14:05 {SECOND}"]
    assert all("https://pier.example" in line for line in lines)
    assert entry_days(document) == DAYS


@pytest.mark.parametrize(
    "records",
    [
        pairs(lambda i: {"date": ISO[i], "description": TEXTS[i], "amount": -12.5, "balance": 99.5}),
        pairs(lambda i: {"timestamp": ISO[i], "level": "INFO", "logger": "gauge", "message": TEXTS[i]}),
        pairs(lambda i: {"ts": ISO[i], "ms_played": 210000, "track_name": TEXTS[i], "artist": "The Floats"}),
        pairs(lambda i: {"timestampMs": str(SECONDS[i] * 1000), "latitudeE7": 523700000, "accuracy": 20}),
        pairs(lambda i: {"time": SECONDS[i] * 1000, "title": TEXTS[i], "mag": 4.5, "url": "https://quakes.example"}),
        pairs(lambda i: {"text": TEXTS[i], "label": i}),
    ],
)
def test_lists_of_anything_else_stay_tables(records: list[Any]) -> None:
    document = read_export(records)
    assert len(document.tables) == 1
    assert document.kind is Kind.TEXT


@pytest.mark.parametrize(
    ("record", "heading"),
    [
        ({"textContent": "Call Grace", "title": "", "createdTimestampUsec": SECONDS[1] * 10**6}, "2021-03-12 14:05"),
        ({"title": "Pier", "listContent": [{"text": "Milk", "isChecked": True}], "time": ISO[1]}, "2021-03-12 Pier"),
        (
            {"text": f"<p>{SECOND}</p>", "date_journal": SECONDS[1] * 1000, "weather": {"description": "clouds"}},
            "2021-03-12 14:05",
        ),
    ],
)
def test_a_file_of_one_note_is_an_entry(record: dict[str, Any], heading: str) -> None:
    document = read_export(record)
    assert shown(document)[0] == heading
    assert shown(document)[1] in ("Call Grace", "- [x] Milk", SECOND)
    assert entry_days(document) == [DAYS[1]]


def test_outlines_are_lists_below_the_day_of_their_page() -> None:
    inner = {"string": "She writes the letter", "uid": "b", "create-time": SECONDS[1] * 1000}
    blocks = [{"string": SECOND, "uid": "a", "create-time": SECONDS[1] * 1000, "children": [inner]}]
    pages = [
        {"title": "March 12th, 2021", "uid": "03-12-2021", "create-time": SECONDS[0] * 1000, "children": blocks},
        {
            "title": "Grace",
            "uid": "x",
            "create-time": SECONDS[0] * 1000,
            "children": [{"string": "Harbour master", "uid": "c"}],
        },
    ]
    document = read_export(pages)
    assert shown(document) == [
        "2021-03-10 Grace", "- Harbour master", "March 12th, 2021", f"- {SECOND}\n  - She writes the letter",
    ]  # fmt: skip
    assert entry_days(document) == DAYS


def test_a_moment_in_utc_is_of_the_day_in_the_zone_that_its_record_names() -> None:
    records = [
        {"created": "2021-03-11T23:30:00Z", "tz": zone, "author": "Ada", "text": FIRST}
        for zone in ("Europe/Paris", "Mars/X")
    ]
    records.append({"created": "2021-03-11T23:30:00-05:00", "tz": "Europe/Paris", "author": "Ada", "text": SECOND})
    assert [text for text in shown(read_export(records)) if "Ada" not in text] == ["2021-03-11", "2021-03-12"]
    assert [text[:10] for text in shown(read_export(records)) if "Ada" in text] == [
        "23:30 Ada:",
        "23:30 Ada:",
        "00:30 Ada:",
    ]


def test_the_order_of_day_and_month_is_that_of_all_records() -> None:
    days = ["03/04/2021, 9:15 PM", "03/12/2021, 2:05 PM", "03/25/2021, 8:00 AM"]
    document = read_export([{"date": day, "sender": "Ada", "message": FIRST} for day in days])
    assert shown(document)[0::2] == ["2021-03-04", "2021-03-12", "2021-03-25"]
    assert shown(document)[1::2] == [f"{hour} Ada: {FIRST}" for hour in ("21:15", "14:05", "08:00")]


def test_a_name_of_moments_whose_values_are_none_dates_nothing() -> None:
    document = read_export([{"time": each, "author": "Ada", "text": FIRST} for each in (1615543200, 42, 77, 3)])
    assert document.tables


@pytest.mark.parametrize(
    ("name", "rank"),
    [("published_at", 0), ("date", 0), ("createdAt", 1), ("user_created_time", 1), ("ts", 2), ("time_usec", 2),
        ("date_modified", 3),
     ("lastModified", 3), ("dueDate", None), ("birthdate", 2), ("timeZone", None), ("weight", None), ("format", None)],
)  # fmt: skip
def test_names_of_moments_have_ranks(name: str, rank: int | None) -> None:
    assert rank_moment_name(name) == rank


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1615557911", "2021-03-12 14:05:11"), ("1615557911.25", "2021-03-12 14:05:11.250000"),
        ("1615557911000", "2021-03-12 14:05:11"), ("13260031511000000", "2021-03-12 14:05:11"),
        ("1615557911000000000", "2021-03-12 14:05:11"), ("20210312T140511Z", "2021-03-12 14:05:11"),
        ("2021-03-12 14:05", "2021-03-12 14:05:00"), ("Fri, 12 Mar 2021 14:05:11 +0100", "2021-03-12 14:05:00"),
        ("12. März 2021, 14:05", "2021-03-12 14:05:00"), ("March 12, 2021 at 12:05:11 AM GMT+1", "2021-03-12 00:05:00"),
        ("2021-03-12", "2021-03-12 00:00:00"), ("2021-02-30", None), ("March 2021", None), ("0001-01-01T00:00:00",
            None),
        ("9999999999", None), ("yesterday", None),
    ],
)  # fmt: skip
def test_moments_are_read_in_the_forms_that_programs_write(text: str, found: str | None) -> None:
    moment = read_moment("created_at", text)
    assert (str(moment.local) if moment else None) == found


def test_ids_stand_behind_an_entry_and_words_with_it() -> None:
    record = {
        "id": "8198234567890123", "createdAt": ISO[1], "author": "Ada", "content": SECOND,
            "location": {"placeName": "Pier 7", "lat": 52.4},
        "labels": [{"id": 7, "name": "harbour", "color": "d73a4a"}], "attachments": [{"fileName": "float.jpg",
            "size": 1234}],
        "client": "Web App", "isPinned": False, "edited": ISO[1], "remark": "see the plan", "data": [[1, 2], [3, 4]],
    }  # fmt: skip
    document = read_export([record, {**record, "createdAt": ISO[0]}])
    line = f"14:05 Ada: {SECOND} (placeName: Pier 7; labels: harbour; attachments: float.jpg; remark: see the plan)"
    assert line in shown(document)
    assert document.attributes.tags == ("harbour",)
    behind = [document.text[b.start : b.end] for b in document.blocks if b.kind is BlockKind.FURNITURE]
    assert all(value in behind[0] for value in ("8198234567890123", "52.4", "d73a4a", "1234", "Web App", "false"))
    passages = [document.text[start:end] for start, end in DatedChunker().spans(document)]
    assert not any("8198234567890123" in passage for passage in passages)


def test_records_inside_of_notes_are_entries_below_them() -> None:
    comments = pairs(lambda i: {"author": {"name": "Tom"}, "created": ISO[i], "body": TEXTS[i]})
    issue = {
        "title": "Pump",
        "created": ISO[0],
        "author": {"name": "Ada"},
        "body": WORDS,
        "comments": comments,
        "readings": [[1, 2], [3, 4]],
    }
    document = read_export({"issues": [issue], "prices": pairs(lambda i: {"day": ISO[i], "price": 1.5 + i})})
    sections = [block.section for block in document.blocks if block.kind is BlockKind.PARAGRAPH]
    assert ("issues", "2021-03-10 Pump", "2021-03-12") in sections or ("2021-03-10 Pump", "2021-03-12") in sections
    assert f"14:05 Tom: {SECOND}" in shown(document)
    assert document.authors == ("Tom", "Ada")
    assert len(document.tables) == 2


def test_people_are_called_by_name_where_any_record_has_it() -> None:
    profile = {"real_name": "Anna Weber", "display_name": "anna"}
    messages = [
        {
            "user": "U01",
            "user_profile": profile,
            "ts": f"{SECONDS[0]}.1",
            "text": "See <https://pier.example/7|the plan> &amp; ask <@U02>",
        },
        {"user": "U02", "ts": f"{SECONDS[1]}.1", "text": "<@U01> it is <https://pier.example/8>"},
    ]
    lines = [text for text in shown(read_export(messages)) if " U02" in text or "Anna" in text]
    assert lines == [
        "09:15 Anna Weber: See the plan (https://pier.example/7) & ask @U02",
            "14:05 U02: @Anna Weber it is https://pier.example/8",
    ]  # fmt: skip


def test_markdown_and_pages_in_texts_are_read() -> None:
    text = "## Draft\n\nDear **Grace**,\n\n| who | what |\n|---|---|\n| Ada | letter |\n\n```\nx = 1\n```"
    document = read_export(
        pairs(lambda i: {"title": "Pier", "created": ISO[i], "body": text if i else "<p>One &amp; <b>two</b></p>"})
    )
    assert "One & two" in shown(document)
    assert "Dear Grace," in shown(document)
    assert document.tables[0].rows[1] == ("Ada", "letter")
    assert BlockKind.CODE in {block.kind for block in document.blocks}


def test_the_day_of_a_heading_and_the_hour_below_it_are_two_times() -> None:
    document = read_export([{"date": iso, "sender": "Ada", "message": "See you tomorrow"} for iso in ISO])
    mentions = find_mentions(document, None)
    assert [(each.text, str(each.start_date)) for each in mentions if each.text == "tomorrow"] == [
        ("tomorrow", "2021-03-11"), ("tomorrow", "2021-03-13"),
    ]  # fmt: skip
    assert not any("\n" in each.text for each in mentions)


NAMES = (
    "title",
    "text",
    "created_at",
    "author",
    "tags",
    "id",
    "children",
    "name",
    "content",
    "url",
    "data",
    "value",
    "label",
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.text("abc déf 東京.,", max_size=40)
    | st.sampled_from([*ISO, *TEXTS, "8198xyz234567", "ü" * 400])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
)


@given(value=st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, min_size=1), min_size=1) | VALUES)
def test_no_value_of_an_export_is_lost(value: Any) -> None:
    shown_words = bare(read(Raw("a.json", json.dumps(value).encode())).text) if value not in (None, "", [], {}) else ""
    for text in scalars(value) if shown_words else ():
        assert bare(text) in shown_words
