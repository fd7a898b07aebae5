"""The part of the dashboard: what every page shows, in states that its address names.

Recorded is what Streamlit sends to a browser, element by element (see `page_calls.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from benchmarks.recordings.commands import slug
from benchmarks.recordings.questions import CHATS
from benchmarks.recordings.workplace import Caller, Workplace

Parameters = Mapping[str, str | list[str]]
APPS = ("dashboards/app.py", "dashboards/pages/app.py")
"""Where the file that Streamlit runs lies, in older and newer trees."""
NAMES = ("home", "library", "search", "chat", "quality", "timeline", "tables", "sql", "experiments", "runs")
QUALITY = ("Folders", "Kinds", "Documents", "Passages", "Near duplicates", "Generations", "nothing")
NORTHLIGHT = "Northlight Instruments, Inc."
REVENUE = "What was the revenue of Northlight in Q2 2025?"
GRID = "grid:\n  mode: [hybrid, dense]\n  times: [true, false]\n"

STATES: Sequence[tuple[str, Parameters]] = (
    ("library", {"document": "{q4}"}),
    ("library", {"document": "{q4}", "page": "2"}),
    ("library", {"document": "{paper}"}),
    ("library", {"document": "{course}"}),
    ("library", {"document": "{note}"}),
    ("library", {"document": "{broken}"}),
    ("library", {"document": "nothing"}),
    ("library", {"library-text": "nitrate"}),
    ("library", {"library-kind": ["paper", "course"], "library-order": "title"}),
    ("library", {"library-root": ["samples"], "library-status": ["unreadable"]}),
    ("search", {"search-q": REVENUE}),
    ("search", {"search-q": REVENUE, "search-explain": "true"}),
    ("search", {"search-q": "nitrate drift", "search-kind": ["paper"], "search-mode": "keyword", "search-k": "3"}),
    ("search", {"search-q": "revenue", "search-during": "Q3 2025", "search-names": "false", "search-dates": "false"}),
    ("search", {"search-q": "revenue", "search-since": "2025-07-01", "search-root": ["samples"]}),
    ("search", {"search-q": "revenue", "search-during": "the day of nothing"}),
    ("search", {"search-q": "revenue", "search-during": "1950"}),
    ("search", {"search-q": "北光仪器2025财年第三季度营业收入"}),
    ("chat", {"session": "{session}"}),
    ("chat", {"session": "{session}", "source": "1.1"}),
    ("chat", {"session": "nothing"}),
    ("chat", {"chat-during": "Q3 2025", "chat-kind": ["report"]}),
    *(("quality", {"quality-by": by}) for by in QUALITY),
    ("quality", {"rule": "{rule}"}),
    ("quality", {"rule": "{rule}", "together": "true"}),
    ("quality", {"document": "{q4}"}),
    ("quality", {"document": "{q4}", "chunk": "{chunk}"}),
    ("quality", {"rule": "nothing"}),
    ("quality", {"document": "nothing"}),
    ("timeline", {"timeline-show": "Coverage"}),
    ("timeline", {"timeline-show": "Coverage", "timeline-coverage-company": [NORTHLIGHT]}),
    ("timeline", {"timeline-show": "One figure"}),
    ("timeline", {"timeline-show": "One figure", "timeline-item": "Net sales"}),
    ("timeline", {"timeline-show": "One figure", "timeline-item": "Revenue", "timeline-company": NORTHLIGHT}),
    ("timeline", {"timeline-show": "nothing"}),
    ("timeline", {"timeline-since": "2022-01-01", "timeline-until": "2024-01-01"}),
    ("tables", {"document": "{q4}"}),
    ("tables", {"document": "{q4}", "table": "1"}),
    ("tables", {"document": "{q4}", "table": "1", "cell": "1.1"}),
    ("tables", {"document": "{q4}", "table": "99"}),
    ("tables", {"tables-words": "sales"}),
    ("tables", {"tables-part": "Find a figure"}),
    ("tables", {"tables-part": "Find a figure", "tables-item": "net sales", "tables-time": "fiscal 2023"}),
    ("tables", {"tables-part": "Find a figure", "tables-item": "nothing of the kind"}),
    ("tables", {"tables-part": "All cells"}),
    ("tables", {"tables-part": "All cells", "tables-row": "net sales", "tables-cells-page": "2"}),
    ("sql", {"sql-query": "select kind, count(*) as n from documents group by kind order by kind"}),
    ("sql", {"sql-query": "drop table documents"}),
    ("sql", {"sql-query": "selec"}),
    ("experiments", {"experiments-part": "New experiment"}),
    ("runs", {"generation": "1"}),
    ("runs", {"generation": "99"}),
    ("nothing", {}),
)
"""Pages with parameters of their addresses; what is in braces is looked up (`_names`)."""

SOURCES = {
    "q4": "samples/reports/northlight-fy2025-q4.pdf",
    "paper": "samples/papers/nitrate-drift.xml",
    "course": "samples/courses/reading-quarters.txt",
    "note": "samples/vault/Mooring array.md",
    "broken": "samples/broken.pdf",
}


def record_pages(place: Workplace) -> None:
    """Every page without a warehouse and over one, then in other states; last with a few configurations tried."""
    with _drawing(place, {"KALENDS_WAREHOUSE": str(place.folder / "nothing")}) as caller:
        for name in ("", *NAMES):
            _record(place, caller, f"without/{name or 'start'}", name, {})
    names = _names(place)
    with _drawing(place, {}) as caller:
        for name in ("", *NAMES):
            _record(place, caller, f"with/{name or 'start'}", name, {})
        for name, parameters in STATES:
            filled = {key: _filled(value, names) for key, value in parameters.items()}
            shown = " ".join(f"{key}={value}" for key, value in parameters.items())
            _record(place, caller, f"states/{name}-{slug(shown)}", name, filled)
    _record_experiments(place)


def _record_experiments(place: Workplace) -> None:
    (place.folder / "grid.yaml").write_text(GRID, encoding="utf-8")
    words = ("evaluate", "library/samples", "--questions", "made", "--limit", "12", "--grid", "grid.yaml")
    outcome = place.run(*words, "-w", str(place.warehouse), "--today", "2025-08-15")
    place.write("pages/experiments/evaluate.txt", outcome.text)
    with _drawing(place, {}) as caller:
        _record(place, caller, "experiments/results", "experiments", {})
        _record(place, caller, "experiments/new", "experiments", {"experiments-part": "New experiment"})


def _drawing(place: Workplace, variables: Mapping[str, str]) -> Caller:
    settings = place.folder / ".streamlit" / "config.toml"
    settings.parent.mkdir(exist_ok=True)
    # Where the dashboard listened beyond this machine it would ask for a password.
    settings.write_text('[server]\naddress = "127.0.0.1"\n', encoding="utf-8")
    app = next(place.checkout / name for name in APPS if (place.checkout / name).exists())
    return Caller(place, "page_calls.py", str(app), variables=variables)


def _names(place: Workplace) -> dict[str, str]:
    """The ids of documents, of a passage, of a rule that found something, and of a session that is begun for it."""
    chosen = "select document_id from documents where source = "
    names = {name: _first(place, f"{chosen}'{source}'") for name, source in SOURCES.items()}
    chunks = f"select chunk_id from chunks where document_id = '{names['q4']}' and chunk_index = 1"
    names["chunk"] = _first(place, chunks)
    names["rule"] = _first(place, "select code from findings group by code order by count(*) desc, code limit 1")
    place.run("chat", given="\n".join(CHATS[0][:3]) + "\n")
    names["session"] = json.loads(place.run("chat", "--sessions", "--json").out)[0]["session"]
    return names


def _first(place: Workplace, statement: str) -> str:
    outcome = place.run("sql", statement, "--json")
    found = json.loads(outcome.out)
    rows = found["rows"] if isinstance(found, dict) else found
    first = rows[0]
    return str(next(iter(first.values())) if isinstance(first, dict) else first[0])


def _filled(value: str | list[str], names: Mapping[str, str]) -> str | list[str]:
    return value.format_map(names) if isinstance(value, str) else [each.format_map(names) for each in value]


def _record(
    place: Workplace, caller: Caller, target: str, name: str, parameters: Mapping[str, str | list[str]]
) -> None:
    place.write(f"pages/{target}.txt", caller.call(name=name, parameters=dict(parameters))["text"])
