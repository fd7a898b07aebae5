"""The keyword index: BM25 (Robertson & Zaragoza 2009) by tantivy over the words of `words.py`, and the passages.

Every generation has its own folder. It starts as hard links to the last generation's segment files, which tantivy
never changes, so that publishing costs as much as changed and the last generation is not modified.

A segment's file ends with a JSON text, the length of that and a magic number, four bytes each, little-endian; the text
has the CRC-32 of all bytes before it (tantivy's `directory/footer.rs`). Opening an index does not look at every
file.
"""

from __future__ import annotations

import json
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import log1p, sqrt
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from pydantic import TypeAdapter

from warehouse.errors import BadWarehouse, StageError
from warehouse.records import Chunk
from warehouse.store.arrow_files import CURE, share_file
from warehouse.store.columns.passage_columns import CODE_DIGITS, Passages, compute_codes
from warehouse.store.vectors.vector_index import select_best_rows
from warehouse.store.words import VERSION, join_pairs, make_index_terms, parse_words, split_content_words, split_words

WORDS, PAIRS = f"words{VERSION}", f"pairs{VERSION}"
"""Fields of the index. An index with other fields cannot be opened and is rebuilt by an ingest."""
FILE_LIST, META_FILE = ".managed.json", "meta.json"
FOOTER_MAGIC, TRAILER_BYTES = 1337, 8  # As in tantivy's `directory/footer.rs`.
BYTES_PER_READ = 1 << 20


def are_segments_complete(index: Path) -> bool:
    """Whether every file of an index exists and is complete; reads the list and the ends of the files."""
    try:
        for path in iter_segment_files(index):
            with path.open("rb") as stream:
                _read_footer(stream)
    except (OSError, ValueError):
        return False
    return True


def iter_segment_files(index: Path) -> Iterator[Path]:
    """The files of an index except its two lists. Raises `OSError` or `ValueError` if the list cannot be read."""
    names: list[str] = json.loads((index / FILE_LIST).read_text(encoding="utf-8"))
    yield from (index / name for name in names if name != META_FILE)


def is_segment_intact(path: Path) -> bool:
    """Whether a file's content matches its checksum; reads all of it."""
    try:
        with path.open("rb") as stream:
            remaining, footer = _read_footer(stream)
            checksum = json.loads(footer)["crc"]
            stream.seek(0)
            crc = 0
            while remaining > 0:
                part = stream.read(min(BYTES_PER_READ, remaining))
                crc = zlib.crc32(part, crc)
                remaining -= len(part)
        return bool(crc == checksum)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _read_footer(stream: BinaryIO) -> tuple[int, bytes]:
    """How many bytes precede the footer, and its JSON text. Raises `OSError` or `ValueError` if there is no footer."""
    stream.seek(-TRAILER_BYTES, 2)
    trailer_start, trailer = stream.tell(), stream.read()
    length, magic = int.from_bytes(trailer[:4], "little"), int.from_bytes(trailer[4:], "little")
    if magic != FOOTER_MAGIC or not 0 < length <= trailer_start:
        raise ValueError(f"{stream.name} has no footer")
    stream.seek(trailer_start - length)
    return trailer_start - length, stream.read(length)


WRITER_HEAP_BYTES = 64 << 20  # Bytes of memory of the writer before it writes a segment.
PAIR_WEIGHT = 0.4
"""The weight of the BM25 score of pairs of neighbouring words; that of words has weight 1.

With it the reciprocal rank of the right table of TAT-QA rose from .684 to .742 by BM25 alone (500 questions), that of
HotpotQA from .904 to .929, and no set lost (PubMedQA, DRCD, passages of chunking_evaluation); .3 and .5 did the same.
"""
K1 = 1.2
"""The k1 of tantivy's BM25, which is fixed: the weight of a word in a passage approaches (k1 + 1) times its IDF."""
MIN_LISTED = 500  # The least limit up to which a query lists the allowed passages, or else their documents.
LISTING_COST, READING_COST = 7.0, 2.0
"""Microseconds to list a passage in a query, and to read a hit that may not be allowed, measured on a million."""
_chunks: TypeAdapter[Chunk] = TypeAdapter(Chunk)


def compute_code(chunk_id: str) -> int:
    """The number of a chunk in the index: the first 60 bits of its id."""
    return int(chunk_id[:CODE_DIGITS], 16)


def publish(
    previous: Path | None, target: Path, removed_keys: Iterable[str], added_chunks: Iterable[tuple[str, Chunk]]
) -> None:
    """Write an index to the new folder `target`: the previous one without some keys and with the added (key, chunk).

    A key names the chunks of one document; a key both removed and added is replaced. Raises `StageError` for a chunk
    that cannot be indexed.
    """
    import tantivy

    target.mkdir(parents=True)
    # tantivy replaces its two JSON files by renaming and never writes into a segment's files.
    for file in previous.iterdir() if previous else ():
        if file.suffix != ".lock":
            share_file(file, target / file.name)
    index = tantivy.Index(_build_schema(), path=str(target), reuse=True)
    # One thread, so that the same chunks give the same segments.
    writer = index.writer(heap_size=WRITER_HEAP_BYTES, num_threads=1)
    try:
        for key in removed_keys:
            writer.delete_documents_by_term("key", key)
        for key, chunk in added_chunks:
            try:
                body, neighbours = make_index_terms(chunk.embedded_text)
                record = _chunks.dump_json(chunk)
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
                raise StageError("publish", chunk.document_id, reason) from error
            code = compute_code(chunk.chunk_id)
            writer.add_document(tantivy.Document(key=key, code=code, record=record, **{WORDS: body, PAIRS: neighbours}))
        writer.commit()
    finally:
        # Otherwise its threads continue to write into a folder that is removed after a failure.
        writer.wait_merging_threads()
    for lock in target.glob(".*.lock"):
        lock.unlink()


def is_complete(folder: Path) -> bool:
    """Whether an index is complete and can be opened; reads the ends of its files."""
    try:
        _open(folder)
    except BadWarehouse:
        return False
    return are_segments_complete(folder)


def _build_schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("code", indexed=True, fast=True)
    builder.add_text_field(WORDS, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field(PAIRS, tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("record", stored=True)
    return builder.build()


def _open(folder: Path) -> Any:
    import tantivy

    if not (folder / META_FILE).is_file():
        raise BadWarehouse(f"there is no keyword index in {folder}", CURE)
    # tantivy writes a lock next to the files it opens, and a published folder may be read-only. It maps the files
    # when it opens them, so the links may be removed then; a lock that its own threads still hold may remain.
    with tempfile.TemporaryDirectory(prefix="kalends-", ignore_cleanup_errors=True) as names:
        for file in folder.iterdir():
            (Path(names) / file.name).symlink_to(file.resolve())
        try:
            # Opening it with the schema raises an error if an older program made it with another one.
            index = tantivy.Index(_build_schema(), path=names, reuse=True)
            # An index never changes once published: no thread needs to watch it.
            index.config_reader(reload_policy="manual")
            return index.searcher()
        except ValueError as error:
            raise BadWarehouse(f"the keyword index in {folder} cannot be read ({error})", CURE) from error


@contextmanager
def _convert_index_errors() -> Iterator[None]:
    """Convert the `ValueError` that Tantivy and the reading of passages raise for data with a flipped bit."""
    try:
        yield
    except ValueError as error:
        raise BadWarehouse(f"the keyword index cannot be read ({' '.join(str(error).split())})", CURE) from error


class KeywordIndex:
    """A published index, opened for reading. Row numbers are those of the `Passages` that it was opened with."""

    def __init__(self, folder: Path, passages: Passages, get_keys: Callable[[Sequence[str]], list[str]]) -> None:
        """For the passages of a generation; `get_keys` gives the keys of documents.

        Raises `BadWarehouse` where there is no index or it is damaged. Writes nothing into `folder`.
        """
        self._schema = _build_schema()
        self._searcher = _open(folder)
        self._passages = passages
        self._get_keys = get_keys

    def __len__(self) -> int:
        """How many chunks it contains."""
        return int(self._searcher.num_docs)

    def search(self, text: str, k: int, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the `k` best passages by BM25 and their scores (float32), in falling order.

        Any text is safe: it is split into words, not parsed. Rows outside `mask`, a boolean mask, are ignored; fewer
        than `k` are returned only if fewer allowed passages contain one of the words.
        """
        count = len(self._passages) if mask is None else int(np.count_nonzero(mask))
        k = min(k, count)
        if k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        query = self._build_query(text)
        if mask is not None and count < len(self._passages):
            query = self._narrow_query(query, mask, count, k)
        return self._read(query, k, k * len(self._passages) // count, mask)

    def match_all_words(self, text: str) -> np.ndarray:
        """Whether each passage contains every word of a text, as a boolean mask; all False for a text without words."""
        import tantivy

        mask = np.zeros(len(self._passages), dtype=np.bool_)
        must = [(tantivy.Occur.Must, self._build_term_query(word)) for word in sorted(set(split_words(text)))]
        if must and len(self._passages):
            rows, _ = self._read(tantivy.Query.boolean_query(must), len(self), len(self), None)
            mask[rows] = True
        return mask

    def read_chunks(self, rows: np.ndarray) -> list[Chunk]:
        """The passages of some rows, in their order."""
        if not len(rows):
            return []
        codes = compute_codes(self._passages.ids[rows]).tolist()
        with _convert_index_errors():
            hits = self._searcher.search(self._build_any_query("code", codes), limit=len(rows), count=False).hits
            chunks = [_chunks.validate_json(self._searcher.doc(address)["record"][0]) for _, address in hits]
        by_id = {compute_code(chunk.chunk_id): chunk for chunk in chunks}
        return [by_id[code] for code in codes]

    def compute_highest_score(self, text: str) -> float:
        """The highest BM25 score that the words of a text can give: about that of a passage of these words alone."""
        return sum(
            count * (K1 + 1) * self.compute_idf(word) for word, count in Counter(split_content_words(text)).items()
        )

    def compute_idf(self, word: str) -> float:
        """The inverse document frequency of a counted word: log(1 + (N - n + .5) / (n + .5)), in n of N passages.

        It is above 0 also where passages that were replaced are still counted: n is at most N.
        """
        passage_count = min(self.count_passages(word), len(self))
        return log1p((len(self) - passage_count + 0.5) / (passage_count + 0.5))

    def count_passages(self, word: str) -> int:
        """How many passages contain a counted word, including those replaced since the last merge of files."""
        with _convert_index_errors():
            return int(self._searcher.doc_freq(WORDS, word))

    def _build_query(self, text: str) -> Any:
        import tantivy

        counts = Counter(split_content_words(text))
        terms = [(self._build_term_query(word), float(count)) for word, count in counts.items()]
        pairs = sorted(set(join_pairs(parse_words(text))))
        terms += [(self._build_term_query(pair, PAIRS), PAIR_WEIGHT) for pair in pairs]
        boosted = [tantivy.Query.boost_query(term, weight) if weight != 1 else term for term, weight in terms]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in boosted])

    def _build_term_query(self, word: str, field: str = WORDS) -> Any:
        import tantivy

        return tantivy.Query.term_query(self._schema, field, word, index_option="freq")

    def _build_any_query(self, field: str, values: Sequence[int] | Sequence[str]) -> Any:
        """The passages with one of some values of an identifying field.

        A term set query walks through the dictionary of each segment: in a million passages it takes 5.7 ms for 50
        values, 50 queries of one term take .4 ms.
        """
        import tantivy

        term_queries = [tantivy.Query.term_query(self._schema, field, value, index_option="basic") for value in values]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term_query) for term_query in term_queries])

    def _narrow_query(self, query: Any, mask: np.ndarray, count: int, k: int) -> Any:
        """The query restricted to the allowed passages, or their documents, if these are few enough to list.

        With more allowed passages, listing them costs more, and reading `k` allowed hits among all hits costs less.
        """
        import tantivy

        limit = max(MIN_LISTED, int(sqrt(READING_COST / LISTING_COST * k * len(self._passages))))
        if count <= limit:
            allowed_query = self._build_any_query("code", compute_codes(self._passages.ids[mask]).tolist())
        else:
            documents = np.flatnonzero(self._passages.mask_documents(mask))
            if len(documents) > limit:
                return query
            names = [self._passages.documents[ordinal] for ordinal in documents.tolist()]
            allowed_query = self._build_any_query("key", self._get_keys(names))
        must, unscored_query = tantivy.Occur.Must, tantivy.Query.const_score_query(allowed_query, 0.0)
        return tantivy.Query.boolean_query([(must, query), (must, unscored_query)])

    def _read(self, query: Any, k: int, limit: int, mask: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """The `k` best allowed hits: the list of hits, first of length `limit`, is extended until it has them."""
        while True:
            limit = min(limit, len(self))
            with _convert_index_errors():
                hits = self._searcher.search(query, limit=limit, count=False).hits
                codes = np.array(self._searcher.fast_field_values("code", [address for _, address in hits]), np.int64)
            rows = self._passages.find_rows_by_code(codes)
            is_allowed = rows >= 0  # The others are not passages of this generation.
            if mask is not None:
                is_allowed &= mask[rows]
            if np.count_nonzero(is_allowed) >= k or len(hits) < limit or limit == len(self):
                scores = np.fromiter((score for score, _ in hits), np.float32, len(hits))
                return select_best_rows(rows[is_allowed], scores[is_allowed], k)
            limit *= 4
