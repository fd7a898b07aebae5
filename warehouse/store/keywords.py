"""The keyword index: BM25 (Robertson & Zaragoza 2009) by tantivy over our own words.

Every generation has its own folder. It starts as hard links to the last generation's segment files, which tantivy
never changes, so that publishing costs what changed and the last generation stays as it was.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from warehouse.errors import BadWarehouse
from warehouse.store.parquet import CURE
from warehouse.store.words import words

HEAP = 64 << 20
"""Bytes that the writer may hold before it writes a segment."""
NARROW = 5_000
"""Up to so many allowed chunks are named in the query; for more, the list of hits is read further."""


def publish(
    previous: Path | None, target: Path, removed_keys: Iterable[str], added: Iterable[tuple[str, str, str]]
) -> None:
    """Write an index to the new folder `target`: the previous one, less some keys, and with (key, chunk id, text).

    A key names the chunks of one document; a key both removed and added is replaced.
    """
    import tantivy

    target.mkdir(parents=True)
    if previous is not None:
        _link(previous, target)
    index = tantivy.Index(_schema(), path=str(target), reuse=True)
    # One thread, so that the same chunks give the same segments.
    writer = index.writer(heap_size=HEAP, num_threads=1)
    for key in removed_keys:
        writer.delete_documents_by_term("key", key)
    for key, chunk_id, text in added:
        writer.add_document(tantivy.Document(key=key, chunk_id=chunk_id, body=" ".join(words(text))))
    writer.commit()
    writer.wait_merging_threads()
    for lock in target.glob(".*.lock"):
        lock.unlink()


def is_whole(folder: Path) -> bool:
    """Whether an index can be opened; tantivy looks at the ends of its files then."""
    try:
        KeywordIndex.open(folder)
    except BadWarehouse:
        return False
    return True


def _schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("chunk_id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _link(previous: Path, target: Path) -> None:
    # tantivy replaces its two JSON files by renaming and never writes into a segment's files.
    for file in previous.iterdir():
        if file.suffix == ".lock":
            continue
        try:
            os.link(file, target / file.name)
        except OSError:  # a file system without hard links
            shutil.copyfile(file, target / file.name)


class KeywordIndex:
    """One published index, opened for reading."""

    def __init__(self, index: Any) -> None:
        """`index` is tantivy's."""
        self._schema = index.schema
        self._searcher = index.searcher()

    @classmethod
    def open(cls, folder: Path) -> KeywordIndex:
        """Raises `BadWarehouse` where there is no index or it is damaged. Writes nothing into `folder`."""
        import tantivy

        if not (folder / "meta.json").is_file():
            raise BadWarehouse(f"there is no keyword index in {folder}", CURE)
        # tantivy writes a lock beside the files it opens, and a published folder may be read-only. It maps the files
        # while it opens them, so their other names may go; a lock that its own threads still hold may stay behind.
        with tempfile.TemporaryDirectory(prefix="kalends-", ignore_cleanup_errors=True) as names:
            for file in folder.iterdir():
                (Path(names) / file.name).symlink_to(file.resolve())
            try:
                index = tantivy.Index.open(names)
                # An index never changes once published: no thread needs to watch it.
                index.config_reader(reload_policy="manual")
                return cls(index)
            except ValueError as error:
                raise BadWarehouse(f"the keyword index in {folder} cannot be read ({error})", CURE) from error

    def __len__(self) -> int:
        """How many chunks it holds."""
        return int(self._searcher.num_docs)

    def search(self, text: str, k: int, allowed: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The `k` best chunks by BM25, as (chunk id, score) in falling order; equal scores in order of id.

        Any text is safe: it is cut into words, not parsed. With `allowed`, chunks outside it are as if absent, and
        there are fewer hits than `k` only where fewer allowed chunks hold one of the words.
        """
        import tantivy

        query = self._query(text)
        if k < 1 or (allowed is not None and not allowed):
            return []
        if allowed is None:
            return self._best(query, k)
        if len(allowed) > NARROW:
            return self._read_further(query, k, frozenset(allowed))
        among = tantivy.Query.term_set_query(self._schema, "chunk_id", sorted(allowed))
        must = tantivy.Occur.Must
        silent = tantivy.Query.const_score_query(among, 0.0)
        return self._best(tantivy.Query.boolean_query([(must, query), (must, silent)]), k)

    def _query(self, text: str) -> Any:
        import tantivy

        terms = []
        for word, count in Counter(words(text)).items():
            term = tantivy.Query.term_query(self._schema, "body", word, index_option="freq")
            terms.append((tantivy.Occur.Should, tantivy.Query.boost_query(term, float(count)) if count > 1 else term))
        return tantivy.Query.boolean_query(terms)

    def _best(self, query: Any, k: int) -> list[tuple[str, float]]:
        found = self._searcher.search(query, limit=k, count=False).hits
        hits = [(str(self._searcher.doc(address)["chunk_id"][0]), float(score)) for score, address in found]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def _read_further(self, query: Any, k: int, allowed: frozenset[str]) -> list[tuple[str, float]]:
        limit = 2 * k
        while True:
            hits = self._best(query, limit)
            kept = [hit for hit in hits if hit[0] in allowed]
            if len(kept) >= k or len(hits) < limit:
                return kept[:k]
            limit *= 4
