"""The parts that are command lines: help, hits, answers, errors and prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from benchmarks.recordings.inputs import write_judged
from benchmarks.recordings.questions import CHATS, DATES, QUESTIONS, SEARCHES, STATEMENTS
from benchmarks.recordings.workplace import Caller, Outcome, Workplace, commands

Case = tuple[str, ...]

FILES = (
    "samples/reports/northlight-fy2025-q4.pdf",
    "samples/reports/board-memo-capital-plan.docx",
    "samples/papers/nitrate-drift.xml",
    "samples/courses/reading-quarters.txt",
    "samples/vault/Mooring array.md",
    "samples/chinese/beiguang-2025-q3.md",
    "web/html_inline_group_in_table_cell.html",
    "texts/lesson.srt",
    "texts/sales.csv",
    "tables/eu-001.pdf",
)
"""What is read by itself, one of each kind."""
START_LIMIT = 60.0
"""Seconds after which a server that should not have started is ended."""
QUOTES = (
    ("samples/reports/incident-2025-06.txt", "tested at 80 m only"),
    ("samples/reports/northlight-fy2025-q2.pdf", "reported revenue of $101.7 million"),
    ("samples/reports/northlight-fy2025-q2.pdf", "reported revenue of $999.7 million"),
    ("no such document", "anything"),
)


def record_help(place: Workplace) -> None:
    """The help of every verb and of what is below it."""
    with commands(place) as caller:
        for words in _verbs(caller, ()):
            _record(place, "help", caller, (*words, "--help"), name="-".join(words) or "kalends")


def _verbs(caller: Caller, words: Case) -> Iterator[Case]:
    yield words
    listed = caller.command((*words, "--help")).out.partition("\nCommands:\n")[2]
    for name in re.findall(r"^  ([a-z][\w-]*)(?:  |$)", listed, re.MULTILINE):
        yield from _verbs(caller, (*words, name))


def record_hits(place: Workplace) -> None:
    """What searches find, and what single files, dates, rules, statements and measurements give."""
    judged = write_judged(place.folder / "judged", place.data)
    with commands(place) as caller:
        for words in SEARCHES:
            _record(place, "hits", caller, ("search", *words, "--json"))
            _record(place, "hits", caller, ("search", *words, "--explain"))
        for words in _readings():
            _record(place, "hits", caller, words)
        for words in DATES:
            for form in ((), ("--json",), ("--timeml",)):
                _record(place, "hits", caller, ("dates", *words, "--anchor", "2025-08-15", *form))
        for statement in STATEMENTS:
            for form in ((), ("--json",)):
                _record(place, "hits", caller, ("sql", statement, *form))
        _verified(place, caller)
        _record(place, "hits", caller, ("evaluate", str(judged), "--json", "--today", "2025-08-15"), name="evaluate")
        _record(place, "hits", caller, ("evaluate", str(judged), "--today", "2025-08-15"), name="evaluate-text")


def _readings() -> Iterator[Case]:
    for name in FILES:
        file = f"library/{name}"
        yield from (("parse", file), ("parse", file, "--json"), ("parse", file, "--markdown"))
        yield from (("chunks", file), ("chunks", file, "--json"))
        yield from (("tables", file), ("tables", file, "--json"))
        yield ("dates", "--file", file, "--json")
    yield ("chunks", f"library/{FILES[0]}", "--chunker", "recursive", "--size", "300", "--overlap", "30", "--json")
    yield ("tables", f"library/{FILES[0]}", "--csv", "-t", "1")
    yield ("chunks", f"library/{FILES[2]}", "--chunker", "fixed", "--unit", "tokens", "--size", "64", "--overlap", "0")
    for form in ("text", "json", "sarif", "github"):
        yield ("check", "library/samples", "library/notes", "library/web", "--no-cache", "--format", form)
    yield ("check", "library/samples", "--select", "ALL", "--ignore", "links", "--min-score", "0.9", "--no-cache")
    yield ("check", "library/samples/vault", "--diff", "--no-cache")
    yield ("check", "-w", "warehouse", "--json")
    yield from (("rules",), ("rules", "--json"))


def _verified(place: Workplace, caller: Caller) -> None:
    for document, quote in QUOTES:
        for form in ((), ("--json",)):
            _record(place, "hits", caller, ("verify", "--document", document, "--quote", quote, *form))
    found = caller.command(("search", "revenue of Northlight in Q2 2025", "--json"))
    for form in ((), ("--json",)):
        _record(place, "hits", caller, ("verify", "-", *form), given=found.out)
    rules = caller.command(("rules", "--json")).out
    for code in sorted(set(re.findall(r'"code": "(\w+)"', rules))):
        _record(place, "hits", caller, ("rules", code))


def record_answers(place: Workplace) -> None:
    """Answers without a language model, and conversations."""
    with commands(place) as caller:
        for words in QUESTIONS:
            _record(place, "answers", caller, ("ask", *words))
            _record(place, "answers", caller, ("ask", *words, "--json"))
        for number, lines in enumerate(CHATS, 1):
            given = "\n".join(lines) + "\n"
            _record(place, "answers", caller, ("chat",), given=given, name=f"chat-{number}")
            _record(place, "answers", caller, ("chat", "--json"), given=given, name=f"chat-{number}-json")


def record_errors(place: Workplace) -> None:
    """What is said where something is missing, wrong or refused, one line each."""
    (place.folder / "empty").mkdir()
    (place.folder / "bad.toml").write_text("[chunk]\nsise = 3\n", encoding="utf-8")
    (place.folder / "worse.toml").write_text("[chunk\n", encoding="utf-8")
    (place.folder / "wrong.toml").write_text("[chunk]\nsize = 'many'\n", encoding="utf-8")
    bare, missing = ("-w", "nowhere"), ("library/nothing.pdf",)
    cases: list[tuple[Case, dict[str, str]]] = [
        (words, {})
        for words in (
            ("serch", "x"),
            ("search",),
            ("search", "x", "--wrong"),
            ("search", "x", "-k", "many"),
            ("search", "x", "-k", "0"),
            ("search", "x", "--mode", "magic"),
            ("search", "x", "--during", "the day of nothing"),
            ("search", "x", "--since", "yesteryear"),
            ("search", "x", "--year", "20x5"),
            ("search", "x", "--year", "2025-2021"),
            ("search", "x", "--kind", "book"),
            ("search", "x", "--document", "no such document"),
            ("search", "x", "--rerank", "nothing"),
            ("search", "x", "--alpha", "2"),
            ("search", "x", "--alpha", "0.4", "--fusion", "rrf"),
            ("search", "x", "--quality", "2"),
            ("search", "x", "--name", "nobody at all"),
            ("search", ""),
            ("search", "x", "--plainly", "not in it"),
            *((verb, "x", *bare) for verb in ("search", "ask")),
            *((verb, *bare) for verb in ("status", "plan", "doctor", "maintain", "chat", "corrections", "down")),
            ("sql", "select 1", *bare),
            ("sql", "selec 1"),
            ("sql", "select * from nothing"),
            ("sql", "drop table documents"),
            ("sql", "select * from read_csv('/etc/passwd')"),
            ("sql", "select 1", "--limit", "0"),
            *((verb, *missing) for verb in ("parse", "chunks", "tables", "ingest", "plan", "check")),
            *((verb, "library/samples/broken.pdf") for verb in ("parse", "chunks", "tables")),
            *((verb, "library/samples") for verb in ("parse", "chunks", "tables")),
            ("chunks", f"library/{FILES[0]}", "--chunker", "nothing"),
            ("chunks", f"library/{FILES[0]}", "--size", "30", "--overlap", "60"),
            ("tables", f"library/{FILES[0]}", "-t", "99"),
            ("tables", f"library/{FILES[0]}", "--csv"),
            ("dates",),
            ("dates", "today", "--anchor", "someday"),
            ("dates", "today", "--json", "--timeml"),
            ("rules", "NOTHING"),
            ("check", "library/samples", "--select", "NOTHING"),
            ("check", "library/samples", "--format", "paper"),
            ("check", "library/samples", "--baseline", "missing.json"),
            ("check", "library/samples", "--min-score", "2"),
            ("verify",),
            ("verify", "nothing"),
            ("verify", "--file", "missing.json"),
            ("verify", "-"),
            ("verify", "--quote", "x"),
            ("evaluate", "nowhere"),
            ("evaluate", "empty"),
            ("evaluate", "library/samples", "--questions", "missing.jsonl"),
            ("evaluate", "library/samples", "--grid", "missing.yaml"),
            ("evaluate", "library/samples", "--judge", "magic"),
            ("explain-loss", "A", "B"),
            ("ingest",),
            ("ingest", "empty", "-w", "elsewhere"),
            ("ingest", "--drop", "nothing"),
            ("plan", "empty"),
            ("watch", "nowhere"),
            ("maintain", "--keep", "0"),
            ("chat", "--session", "nothing"),
            ("correct", "no such document", "--company", "X"),
            ("correct", "northlight-fy2025-q2"),
            ("correct", "northlight-fy2025-q2", "--scale", "millions"),
            ("correct", "northlight-fy2025-q2", "--table", "99", "--scale", "millions"),
            ("correct", "northlight-fy2025-q2", "--table", "1", "--scale", "heaps"),
            ("correct", "northlight-fy2025-q2", "--date", "someday"),
            ("correct", "northlight-fy2025-q2", "--fiscal-year-end", "never"),
            ("correct", "northlight-fy2025-q2", "--undo"),
            ("correct", "northlight-fy2025-q2", "--field", "company"),
            ("corrections", "--import", "missing.json"),
            ("corrections", "--json", "--csv"),
            ("serve", "--port", "70000"),
            ("mcp", "--http", "--host", "0.0.0.0"),
            ("dashboard", "--host", "0.0.0.0"),
            ("serve", "--host", "no.such.host.invalid"),
            ("--log", "loud", "status"),
            ("status", "-w", "bad.toml"),
        )
    ]
    cases += [
        (("status", "--settings"), {"KALENDS_CONFIG": "bad.toml"}),
        (("status",), {"KALENDS_CONFIG": "worse.toml"}),
        (("status",), {"KALENDS_CONFIG": "wrong.toml"}),
        (("status",), {"KALENDS_CHUNK__SIZE": "few"}),
        (("status",), {"KALENDS_CHUNKS": "3"}),
        (("status",), {"KALENDS_CHUNK__SISE": "3"}),
        (("status",), {"KALENDS_VAULT__ROOT": "here", "KALENDS_VAULT__WRITE": "there"}),
        (("search", "x"), {"KALENDS_EMBED__MODEL": "nothing"}),
        (("search", "x"), {"KALENDS_EMBED__MODEL": "hashing"}),
        (("search", "x"), {"KALENDS_EMBED__MODEL": "sentence:/nowhere"}),
        (("search", "x"), {"KALENDS_LOG__FILE": "/nowhere/at/all.log"}),
        (("ingest", "library/texts", "-w", "new"), {"KALENDS_CHUNK__CHUNKER": "nothing"}),
        (("ingest", "library/texts", "-w", "new"), {"KALENDS_EMBED__MODEL": "nothing"}),
        (("ask", "x"), {"ANTHROPIC_API_KEY": "no key", "KALENDS_CHAT__BASE_URL": "http://127.0.0.1:9"}),
    ]
    lines = []
    with commands(place) as caller:
        for words, variables in cases:
            shown = shlex.join([*(f"{name}={value}" for name, value in variables.items()), *words])
            # A server that should not start would not come back.
            apart = words[0] in {"serve", "mcp", "dashboard", "watch", "ingest", "down"}
            outcome = (
                place.run(*words, variables=variables, limit=START_LIMIT)
                if apart
                else caller.command(words, "", variables)
            )
            lines.append(f"$ {shown}\n{outcome.text}\n")
    place.write("errors/commands.txt", "\n".join(lines))


def record_prints(place: Workplace) -> None:
    """What people read while documents are ingested, corrected and maintained."""
    report = place.folder / "library" / "texts" / "harbour.txt"
    kept = report.read_text(encoding="utf-8")
    settings = place.folder / "kalends.toml"
    roots = [str(root) for root in place.roots]
    try:
        for words in (
            ("status",),
            ("status", "--json"),
            ("status", "--settings"),
            ("doctor",),
            ("doctor", "--json"),
            ("doctor", "--deep", "--models"),
            ("maintain", "--dry-run"),
            ("plan", *roots),
            ("plan", "--drop", "web"),
            ("corrections",),
            ("correct", "northlight-fy2025-q2", "--company", "North Light", "--date", "2025-04-25"),
            ("correct", "northlight-fy2025-q2", "--table", "1", "--scale", "thousands", "--currency", "EUR"),
            ("corrections",),
            ("corrections", "--json"),
            ("corrections", "--csv"),
            ("plan",),
        ):
            _print(place, words)
        report.write_text(kept.replace("58%", "59%"), encoding="utf-8")
        settings.write_text('[[sources]]\nfolder = "library/texts"\nkind = "report"\n', encoding="utf-8")
        for words in (
            ("plan",),
            ("plan", "--json"),
            ("ingest",),
            ("ingest", "--json"),
            ("ingest", "--drop", "web"),
            ("search", "costs of the harbour"),
            ("correct", "northlight-fy2025-q2", "--undo"),
            ("maintain", "--dry-run", "--keep", "1", "--days", "0", "--grace", "0"),
            ("maintain", "--keep", "1", "--days", "0", "--grace", "0"),
            ("status",),
            ("doctor",),
            ("down",),
        ):
            _print(place, words)
    finally:
        report.write_text(kept, encoding="utf-8")
        settings.unlink(missing_ok=True)


def _print(place: Workplace, words: Sequence[str]) -> None:
    place.prints += 1
    name = f"prints/{place.prints:02}-{slug(' '.join(words[:2]))}.txt"
    place.write(name, f"$ kalends {shlex.join(words)}\n{place.run(*words).text}")


def _record(place: Workplace, part: str, caller: Caller, words: Case, *, given: str = "", name: str = "") -> Outcome:
    """Run a command and record it under its own words."""
    outcome = caller.command(words, given)
    place.write(f"{part}/{name or slug(' '.join(words))}.txt", f"$ kalends {shlex.join(words)}\n{outcome.text}")
    return outcome


def slug(text: str) -> str:
    """A name for a file, of at most 100 characters, from what is recorded in it."""
    plain = re.sub(r"[^\w.-]+", "-", text.replace("library/", "")).strip("-.")
    return plain if len(plain) <= 100 else f"{plain[:70]}-{plain[-29:]}"
