"""A lake on another filesystem, with a local folder that holds a copy of what this machine wrote or read.

Files are immutable and named by their content, so a copy equals the file, writers need no coordination,
and search, SQL and catalog read only the folder. Ledgers, small files of the lake itself, list which file holds each
output: a machine that has no generation yet finds in them the outputs of others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import gethostname
from typing import Any

import pyarrow as pa

from warehouse.errors import LakeFailed
from warehouse.identity import digest
from warehouse.store.arrow_files import is_complete, read_parquet
from warehouse.store.lake import Lake

SUFFIX = ".parquet"
OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "oci", "r2"})
"""Protocols that need no folders, and where an object becomes visible only when it is complete."""
NO_CREDENTIALS = frozenset({"NoCredentialsError", "PartialCredentialsError", "ProfileNotFound", "TokenRetrievalError"})
"""The names of errors of botocore, which is loaded only where S3 is used."""


class Remote:
    """Files by table and name below a URL. All methods raise `LakeFailed` on failure."""

    def __init__(self, url: str, options: Mapping[str, Any]) -> None:
        """`options` are those of the URL's filesystem. Connects to nothing yet."""
        import fsspec  # type: ignore[import-untyped]

        self.url = url
        with self._convert_errors():
            self._files, self._root = fsspec.url_to_fs(url, **options)
        protocols = self._files.protocol
        self._is_object_store = not OBJECT_STORES.isdisjoint([protocols] if isinstance(protocols, str) else protocols)

    def check_writable(self) -> None:
        """Check that files can be written, before any work is done."""
        with self._convert_errors():
            if not self._is_object_store:
                self._files.makedirs(self._root, exist_ok=True)
            self._files.pipe_file(f"{self._root}/kalends.txt", b"The lake of a warehouse of Kalends.\n")

    def list_names(self, table: str) -> frozenset[str]:
        """The files of a table."""
        folder = f"{self._root}/{table}"
        with self._convert_errors():
            self._files.invalidate_cache(folder)
            try:
                paths = self._files.ls(folder, detail=False)
            except FileNotFoundError:
                return frozenset()
        files = (path.rpartition("/")[2] for path in paths)
        return frozenset(file.removesuffix(SUFFIX) for file in files if file.endswith(SUFFIX) and file[0] != ".")

    def put(self, table: str, name: str, file: Path) -> None:
        """Keep a copy of a file."""
        target = self._get_path(table, name)
        with self._convert_errors():
            if self._is_object_store:
                self._files.put_file(str(file), target)
                return
            self._files.makedirs(f"{self._root}/{table}", exist_ok=True)
            partial = f"{self._root}/{table}/.{name}.{gethostname()}.{os.getpid()}.partial"
            self._files.put_file(str(file), partial)
            self._files.mv(partial, target)

    def get(self, paths: Mapping[tuple[str, str], Path]) -> None:
        """Copy files, (table, name), to local `paths`, concurrently if the filesystem supports it."""
        partial_paths = {key: file.with_name(f".{file.name}.{os.getpid()}.partial") for key, file in paths.items()}
        for file in paths.values():
            file.parent.mkdir(parents=True, exist_ok=True)
        with self._convert_errors():
            self._files.get([self._get_path(*key) for key in paths], [str(path) for path in partial_paths.values()])
        for key, file in paths.items():
            if not is_complete(partial_paths[key]):
                cure = "remove it there, then run 'kalends ingest' to make it again"
                raise LakeFailed(f"{self.url}/{key[0]}/{key[1]}{SUFFIX} is damaged", cure)
            partial_paths[key].replace(file)

    def _get_path(self, table: str, name: str) -> str:
        return f"{self._root}/{table}/{name}{SUFFIX}"

    @contextmanager
    def _convert_errors(self) -> Iterator[None]:
        try:
            yield
        # Each filesystem raises errors of its own, many of them no OSError.
        except Exception as error:
            problem, cure = _describe_error(error)
            raise LakeFailed(f"the lake {self.url} {problem}", cure) from error


def _describe_error(error: Exception) -> tuple[str, str]:
    message = " ".join(str(error).split()) or type(error).__name__
    match error:
        case ImportError():
            return f"needs a package ({message})", "install it ('kalends[s3]' for S3)"
        case ValueError() if "rotocol" in message:
            return "is of an unknown kind", "correct 'lake.url' (s3://bucket/prefix, file:///folder)"
        case FileNotFoundError():
            return f"is not there ({message})", "make its bucket or folder, or correct 'lake.url'"
        case PermissionError():
            return f"is closed to us ({message})", "give credentials that may list, read and write there"
        case _ if type(error).__name__ in NO_CREDENTIALS:
            return f"is asked without credentials ({message})", "set AWS_ACCESS_KEY_ID and its secret, or a profile"
        case _:
            return f"cannot be reached ({message})", "look at the network, then run again: what is done is kept"


LEDGER = pa.schema([("stage", pa.string()), ("key", pa.string()), ("file", pa.string())])


class MirroredLake(Lake):
    """Writes to the folder and to the remote, lists the remote, reads copies (`fetch_files`). Raises `LakeFailed`."""

    def __init__(self, folder: Path, remote: Remote) -> None:
        """`folder` need not exist yet."""
        super().__init__(folder)
        self._remote = remote
        self._names_by_table: dict[str, set[str]] = {}
        self._recorded_files: dict[tuple[str, str], str] = {}
        self._ledgers: set[str] = set()

    def fetch_files(self, files: Iterable[tuple[str, str]]) -> None:
        """Copy files that the folder lacks or has incomplete; with embeddings all vectors. Forgets earlier listings."""
        self._names_by_table.clear()
        requested_files = set(files)
        if any(table == "embeddings" for table, _ in requested_files):
            requested_files.update(("vectors", name) for name in self._list_missing_vectors())
        missing = {file: path for file in requested_files if not is_complete(path := self.get_path(*file))}
        if missing:
            self._remote.get(missing)

    def share_files(self, files: Iterable[tuple[str, str]]) -> None:
        """Copy files to the remote that were written before there was one, and all vectors."""
        missing = {(table, name) for table, name in files if name not in self._list_names(table)}
        for path in super().list_vector_files():
            if not self._list_names("vectors").issuperset(self.read_replaced(path) or [path.stem]):
                missing.add(("vectors", path.stem))
        for file in missing:
            self._send(*file)

    def record_outputs(self, outputs: Mapping[tuple[str, str], str]) -> None:
        """Write a ledger of the outputs that no ledger lists yet."""
        recorded = self.read_recorded_outputs()
        rows = [(*output, file) for output, file in sorted(outputs.items()) if recorded.get(output) != file]
        if rows:
            columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
            name = digest("ledger", rows)
            self.write_rows("ledgers", name, pa.table(columns, schema=LEDGER))
            self._ledgers.add(name)
            self._recorded_files.update({(stage, key): file for stage, key, file in rows})

    def read_recorded_outputs(self) -> Mapping[tuple[str, str], str]:
        """All ledgers together; each is read once."""
        new_names = sorted(self._list_names("ledgers") - self._ledgers)
        if new_names:
            self.fetch_files(("ledgers", name) for name in new_names)
        for name in new_names:
            columns = read_parquet(self.get_path("ledgers", name)).to_pydict()
            outputs = zip(columns["stage"], columns["key"], strict=True)
            self._recorded_files.update(zip(outputs, columns["file"], strict=True))
        self._ledgers.update(new_names)
        return self._recorded_files

    def list_vector_files(self) -> list[Path]:
        """All files of vectors, copied into the folder."""
        if missing_names := self._list_missing_vectors():
            self.fetch_files([("vectors", name) for name in missing_names])
        return super().list_vector_files()

    def _list_missing_vectors(self) -> list[str]:
        """The remote files of vectors that are not in the folder, neither as such nor merged with others."""
        local_paths = super().list_vector_files()
        local_names = {name for path in local_paths for name in (path.stem, *self.read_replaced(path))}
        return sorted(self._list_names("vectors") - local_names)

    def _has_file(self, table: str, name: str) -> bool:
        if name in self._list_names(table):
            return True
        is_local = super()._has_file(table, name)
        if is_local:
            self._send(table, name)
        return is_local

    def _has_vectors(self, name: str) -> bool:
        if not is_complete(self.get_path("embeddings", name)):
            self.fetch_files([("embeddings", name)])
        return super()._has_vectors(name)

    def write_rows(self, table: str, name: str, rows: pa.Table) -> None:
        """Write the rows of a batch, to the folder and to the remote."""
        super().write_rows(table, name, rows)
        self._send(table, name)

    def _send(self, table: str, name: str) -> None:
        self._remote.put(table, name, self.get_path(table, name))
        self._list_names(table).add(name)

    def _list_names(self, table: str) -> set[str]:
        if table not in self._names_by_table:
            self._names_by_table[table] = set(self._remote.list_names(table))
        return self._names_by_table[table]
