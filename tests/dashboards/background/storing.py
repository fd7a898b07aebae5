"""Files of the inbox."""

from __future__ import annotations

from pathlib import Path

from dashboards.background.inbox import StorageOutcome, stage_upload


def store_upload(inbox: Path, name: str, content: bytes, *, replace: bool = False) -> tuple[Path, StorageOutcome]:
    with stage_upload(inbox, name, len(content) // 2**20 + 1) as staged:
        staged.write(content)
        return staged.store(replace=replace)
