"""A check of files, or of all the documents of a warehouse, as the command line and the dashboard ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.settings.loader import Settings
from warehouse.settings.models import CheckSettings

if TYPE_CHECKING:
    from flows.check import CheckOptions, CheckResult
    from tasks.check.sheet_cache import Cache


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What is to be checked: `paths`, without the files `besides` them, or else all that the `warehouse` holds."""

    paths: Sequence[Path]
    besides: Sequence[Path]
    warehouse: Path | None
    settings: Settings
    over: CheckSettings
    baseline: Path | None
    no_cache: bool

    def run(self) -> CheckResult:
        """Checks it, as it is now."""
        from flows.checked_files import cache_folder
        from tasks.check.sheet_cache import Cache, default_folder

        cache = Cache(None if self.no_cache else cache_folder(default_folder()))
        return self._files(cache) if self.warehouse is None else self._warehouse(cache)

    def _files(self, cache: Cache) -> CheckResult:
        from flows.check import check_documents
        from flows.checked_files import files_at, links_among, read_sheets

        files = files_at(self.paths, self.settings, self.besides)
        return check_documents(
            files,
            lambda missing: read_sheets(missing, self.settings),
            cache,
            lambda sheets: links_among(files, self.paths, sheets),
            self._how(),
        )

    def _warehouse(self, cache: Cache) -> CheckResult:
        from flows.checked_warehouse import check_warehouse

        return check_warehouse(self.settings, cache, self._how())

    def _how(self) -> CheckOptions:
        from flows.check import CheckOptions
        from tasks.check.configuration import Configuration, RuleSettings

        fallback = RuleSettings(Path.cwd(), self.settings.check)
        return CheckOptions(Configuration(fallback), datetime.now(UTC).date(), self.over, self.baseline)
