"""A place for the lake's files on any filesystem that fsspec knows. A file is there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import gethostname
from typing import Any

from warehouse.errors import LakeFailed
from warehouse.store.parquet import is_whole

SUFFIX = ".parquet"
OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "oci", "r2"})
"""They have no folders to make, and show an object once all of it is there."""
NO_CREDENTIALS = frozenset({"NoCredentialsError", "PartialCredentialsError", "ProfileNotFound", "TokenRetrievalError"})
"""What botocore raises, which is loaded only where S3 is used."""


class Remote:
    """Files by table and name below a URL. All methods raise `LakeFailed` when they cannot do what they say."""

    def __init__(self, url: str, options: Mapping[str, Any]) -> None:
        """`options` are those of the URL's filesystem. Connects to nothing yet."""
        import fsspec  # type: ignore[import-untyped]

        self.url = url
        with self._reaching():
            self._files, self._root = fsspec.url_to_fs(url, **options)
        protocols = self._files.protocol
        self._flat = not OBJECT_STORES.isdisjoint([protocols] if isinstance(protocols, str) else protocols)

    def claim(self) -> None:
        """See that files can be written, before work is done in vain."""
        with self._reaching():
            if not self._flat:
                self._files.makedirs(self._root, exist_ok=True)
            self._files.pipe_file(f"{self._root}/kalends.txt", b"The lake of a warehouse of Kalends.\n")

    def names(self, table: str) -> frozenset[str]:
        """The files of a table."""
        folder = f"{self._root}/{table}"
        with self._reaching():
            self._files.invalidate_cache(folder)
            try:
                paths = self._files.ls(folder, detail=False)
            except FileNotFoundError:
                return frozenset()
        files = (path.rpartition("/")[2] for path in paths)
        return frozenset(file.removesuffix(SUFFIX) for file in files if file.endswith(SUFFIX) and file[0] != ".")

    def put(self, table: str, name: str, file: Path) -> None:
        """Keep a copy of a file."""
        target = self._path(table, name)
        with self._reaching():
            if self._flat:
                self._files.put_file(str(file), target)
                return
            self._files.makedirs(f"{self._root}/{table}", exist_ok=True)
            partial = f"{self._root}/{table}/.{name}.{gethostname()}.{os.getpid()}.partial"
            self._files.put_file(str(file), partial)
            self._files.mv(partial, target)

    def get(self, wanted: Mapping[tuple[str, str], Path]) -> None:
        """Copy files, (table, name), to places here, side by side where the filesystem can."""
        partial = {place: file.with_name(f".{file.name}.{os.getpid()}.partial") for place, file in wanted.items()}
        for file in wanted.values():
            file.parent.mkdir(parents=True, exist_ok=True)
        with self._reaching():
            self._files.get([self._path(*place) for place in wanted], [str(path) for path in partial.values()])
        for place, file in wanted.items():
            if not is_whole(partial[place]):
                cure = "remove it there, then run 'kalends ingest' to make it again"
                raise LakeFailed(f"{self.url}/{place[0]}/{place[1]}{SUFFIX} is damaged", cure)
            partial[place].replace(file)

    def _path(self, table: str, name: str) -> str:
        return f"{self._root}/{table}/{name}{SUFFIX}"

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        # Each filesystem raises errors of its own, many of them no OSError.
        except Exception as error:
            problem, cure = _told(error)
            raise LakeFailed(f"the lake {self.url} {problem}", cure) from error


def _told(error: Exception) -> tuple[str, str]:
    said = " ".join(str(error).split()) or type(error).__name__
    match error:
        case ImportError():
            return f"needs a package ({said})", "install it ('kalends[s3]' for S3)"
        case ValueError() if "rotocol" in said:
            return "is of an unknown kind", "correct 'lake.url' (s3://bucket/prefix, file:///folder)"
        case FileNotFoundError():
            return f"is not there ({said})", "make its bucket or folder, or correct 'lake.url'"
        case PermissionError():
            return f"is closed to us ({said})", "give credentials that may list, read and write there"
        case _ if type(error).__name__ in NO_CREDENTIALS:
            return f"is asked without credentials ({said})", "set AWS_ACCESS_KEY_ID and its secret, or a profile"
        case _:
            return f"cannot be reached ({said})", "look at the network, then run again: what is done is kept"
