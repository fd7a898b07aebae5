"""The command `kalends`: assembles the verbs and turns errors into one line and an exit code."""

from __future__ import annotations

import atexit
import gc
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
    """Run the command line; the entry of the console script, for nothing else to call."""
    os.environ.update({name: value for name, value in OFFLINE.items() if name not in os.environ})
    # Imports and batches make many objects and little garbage: collected rarely, a start is a sixth faster.
    gc.set_threshold(100_000, 50, 50)
    ending = Ending()
    # Registered before all others, it runs after all others.
    atexit.register(ending.leave)
    ending.code = run()
    sys.exit(ending.code)


class Ending:
    """Ends the process once everything that must happen at exit has happened.

    Taking a loaded model apart object by object costs a second of every run and gives nothing that the system does not
    take back anyway.
    """

    code = 0

    def leave(self) -> None:
        """End now."""
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self.code)


def run() -> int:
    """Run the verb; every failure is one line on standard error. Returns the exit code."""
    try:
        app()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except KalendsError as error:
        return _say(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _say("stopped; run the same command again to go on from here", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("KALENDS_DEBUG"):
            raise
        said = " ".join(str(error).split())[:300]
        return _say(f"a mistake of ours: {type(error).__name__}: {said} (KALENDS_DEBUG=1 shows where)", 1)
    return 0


def _say(line: str, code: int) -> int:
    print(f"kalends: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
