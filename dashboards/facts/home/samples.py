"""The sample documents: in a checkout beside the packages, in an installation below `share` (see pyproject.toml)."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import dashboards
from warehouse.errors import BadInput

_SAMPLE_FOLDERS = (
    Path(dashboards.__file__).parents[1] / "samples",
    Path(sysconfig.get_path("data")) / "share" / "kalends" / "samples",
)


def samples_folder() -> Path:
    """The folder that holds them. Raises `BadInput` where they were not installed."""
    found = next((place for place in _SAMPLE_FOLDERS if (place / "reports").is_dir()), None)
    if found is None:
        raise BadInput("the sample documents are not installed", "add files or a folder of your own")
    return found
