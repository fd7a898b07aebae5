"""The command `kalends`: assembles the verbs and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys

import typer

from dashboards.cli import dashboard, finding, ingesting, looking, querying, serving
from warehouse.errors import KalendsError

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}

app = typer.Typer(
    help="A temporal document warehouse: the passage, the figure and the period, with proof.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for verbs in (ingesting, finding, looking, querying, serving, dashboard):
    verbs.register(app)


def main() -> None:
    """Run the command line."""
    os.environ.update({name: value for name, value in OFFLINE.items() if name not in os.environ})
    try:
        app()
    except KalendsError as error:
        print(f"kalends: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("kalends: stopped; run the same command again to go on from here", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        if os.environ.get("KALENDS_DEBUG"):
            raise
        said = " ".join(str(error).split())[:300]
        print(
            f"kalends: a mistake of ours: {type(error).__name__}: {said} (KALENDS_DEBUG=1 shows where)", file=sys.stderr
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
