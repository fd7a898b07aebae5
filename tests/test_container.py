"""The container's files say what the program is: commands, options, variables, ports, paths and versions."""

from __future__ import annotations

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from typer.main import get_command

from dashboards.cli.main import app
from flows.service.processes import POOL
from tests.test_packages import PACKAGES, PROJECT
from warehouse.settings.loader import Settings, load_settings

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
GROUP = get_command(app)
VERBS = {name: GROUP.get_command(None, name) for name in GROUP.list_commands(None)}  # type: ignore[attr-defined]
OPEN = "0.0.0.0"
DEFAULTS = Settings()


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name}\s+(.*)$", DOCKERFILE, re.MULTILINE)


def image_variables() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in instructions("ENV") for pair in shlex.split(line))


def commands() -> list[list[str]]:
    """Every command line of `kalends` in both files."""
    found = [json.loads(line) for line in re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)]
    for service in SERVICES.values():
        if "entrypoint" not in service:
            found.append([str(word) for word in service["command"]])
        elif service["entrypoint"][0] == "sh":
            words = shlex.split(service["command"][0])
            found.append(words[words.index("kalends") + 1 : words.index("&&")])
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_commands_and_their_options_exist(words: list[str]) -> None:
    options = {option for each in VERBS[words[0]].params for option in each.opts}
    assert {word for word in words[1:] if word.startswith("--")} <= options


def test_the_image_starts_the_installed_command_as_nobody_special() -> None:
    assert json.loads(instructions("ENTRYPOINT")[0]) == ["kalends"]
    assert PROJECT["project"]["scripts"]["kalends"] == "dashboards.cli.main:main"
    assert int(instructions("USER")[-1]) >= 1000
    assert f"--uid {instructions('USER')[-1]} " in DOCKERFILE
    module = json.loads(re.findall(r"HEALTHCHECK .*CMD (\[.*\])", DOCKERFILE)[0])
    assert module[:2] == ["python", "-m"]
    assert find_spec(module[2])


def test_what_is_copied_is_there_and_not_ignored() -> None:
    copied = [word for line in instructions("COPY") if "--from" not in line for word in line.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    allowed = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert set(copied) == allowed
    assert {*PACKAGES, "samples", "pyproject.toml", "prefect.yaml", PROJECT["project"]["readme"]} <= allowed


def test_versions_are_those_of_the_project() -> None:
    (torch,) = (each for each in PROJECT["project"]["dependencies"] if each.startswith("torch=="))
    assert f" {torch}\n" in DOCKERFILE
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert {line.split()[0] for line in instructions("FROM")} == {f"python:{lowest}-slim-bookworm"}
    lock = (ROOT / ".lock" / "requirements.txt").read_text("utf-8")
    constraints = [re.sub(r" \\$", "", line) for line in lock.splitlines() if "--hash=" not in line]
    assert all(re.fullmatch(r"\s*#.*|[A-Za-z0-9._-]+(\[.*\])?==\S+( ; .*)?|", line) for line in constraints)


@pytest.mark.parametrize("name", SERVICES)
def test_services_are_reached_from_this_machine_alone_and_guarded(name: str) -> None:
    service = SERVICES[name]
    variables = {**image_variables(), **service["environment"]}
    for port in service.get("ports", []):
        address, outer, inner = port.split(":")
        assert (address, outer) == ("127.0.0.1", inner)
        words = [*service.get("entrypoint", []), *service.get("command", [])]
        assert words[words.index("--host") + 1] == OPEN
        assert words[words.index("--port") + 1] == inner
        assert urlsplit(variables["HEALTH_URL"]).port == int(inner)
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert not {"privileged", "user", "network_mode", "pid"} & service.keys()
    assert {each.split(":")[0] for each in service["volumes"] if each[0].isalpha()} == set(COMPOSE["volumes"])
    assert "/data" in instructions("VOLUME")
    assert name == "server" or service["depends_on"]["server"]["condition"] == "service_healthy"


def test_what_listens_beyond_its_container_demands_its_secret() -> None:
    assert SERVICES["dashboard"]["environment"]["KALENDS_PASSWORD"].startswith("${KALENDS_PASSWORD:?")
    assert SERVICES["api"]["environment"]["KALENDS_TOKEN"].startswith("${KALENDS_TOKEN:?")
    assert SERVICES["dashboard"]["ports"] == [f"127.0.0.1:{DEFAULTS.dashboard.port}:{DEFAULTS.dashboard.port}"]
    assert SERVICES["api"]["ports"] == [f"127.0.0.1:{DEFAULTS.serve.port}:{DEFAULTS.serve.port}"]
    assert set(map(int, instructions("EXPOSE")[0].split())) == {DEFAULTS.dashboard.port, DEFAULTS.serve.port}


def test_the_worker_takes_the_runs_of_the_deployments_from_the_server() -> None:
    worker, server = SERVICES["worker"], SERVICES["server"]
    words = shlex.split(worker["command"][0])
    assert (words[words.index("--pool") + 1], words[words.index("--limit") + 1]) == (POOL, "1")
    assert "exec prefect worker start" in worker["command"][0]
    (port,) = server["ports"]
    for name in ("worker", "dashboard", "api"):
        assert SERVICES[name]["environment"]["PREFECT_API_URL"] == f"http://server:{port.split(':')[2]}/api"
    variables = worker["environment"]
    place = f"http://{variables['PREFECT_WORKER_WEBSERVER_HOST']}:{variables['PREFECT_WORKER_WEBSERVER_PORT']}/health"
    assert variables["HEALTH_URL"] == place


@pytest.mark.parametrize("name", SERVICES)
def test_variables_are_accepted(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for variable, value in {**image_variables(), **SERVICES[name]["environment"]}.items():
        if variable.startswith("KALENDS_"):
            monkeypatch.setenv(variable, value)
    found = load_settings()
    assert found.warehouse == Path("/data/warehouse")
    assert [str(each.folder) for each in found.sources] == ([] if name == "server" else ["/documents"])
    assert any(each.endswith(":/documents:ro") for each in SERVICES[name]["volumes"])
