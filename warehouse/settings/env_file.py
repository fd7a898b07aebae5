"""The file `.env` next to `kalends.toml`: its variables apply unless the environment itself sets them.

Only the variables of Kalends and the key of Anthropic's API are used; the others are for other programs. They become
part of this process's environment, which the servers and workers that it starts inherit.
"""

from __future__ import annotations

import os
from pathlib import Path

from warehouse.errors import BadSettings
from warehouse.regular_files import require_regular_file

ENV_FILE = ".env"
PREFIX = "KALENDS_"
CONFIG = f"{PREFIX}CONFIG"
"""The variable that names the settings file, which the option --config sets."""
KEYS = ("ANTHROPIC_API_KEY", f"{PREFIX}MODEL_KEY", f"{PREFIX}TOKEN", f"{PREFIX}PASSWORD")
"""Variables that hold a secret."""
_applied_variables: dict[str, tuple[str, Path]] = {}
"""The variables that this process took from a file: their values, and the file."""


def apply_env_file(settings_file: Path) -> None:
    """Set the variables of the file next to a settings file; unset those that an earlier call set from another file.

    Raises `BadSettings` for a file that cannot be used.
    """
    file = settings_file.absolute().parent / ENV_FILE
    variables = _read_variables(file) if settings_file.exists() else {}
    for name, (value, _) in list(_applied_variables.items()):
        if os.environ.get(name) == value:
            del os.environ[name]
        del _applied_variables[name]
    for name, value in variables.items():
        if not os.environ.get(name):
            os.environ[name] = value
            _applied_variables[name] = value, file


def find_env_file(variable: str) -> Path | None:
    """The file that a variable comes from; None if the environment itself has it."""
    value, file = _applied_variables.get(variable, (None, None))
    return file if os.environ.get(variable) == value else None


def _read_variables(file: Path) -> dict[str, str]:
    try:
        text = require_regular_file(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise BadSettings(f"{file} cannot be read ({reason})", "correct or remove it") from None
    import io

    from dotenv.parser import parse_stream

    variables: dict[str, str] = {}
    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            blank = len(binding.original.string) - len(binding.original.string.lstrip("\n"))
            line = f"line {binding.original.line + blank} of {file}"
            raise BadSettings(f"{line} is not a variable", "write it as NAME=value, or begin it with #")
        name, value = (binding.key or "").upper(), binding.value
        if value and (name.startswith(PREFIX) or name in KEYS):
            variables[name] = value
    if CONFIG in variables:
        raise BadSettings(f"{file} sets {CONFIG}, which names the settings file beside it", "use --config")
    return variables
