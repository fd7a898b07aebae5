"""Proof that a quotation stands where it is said to stand: the very file is opened again, and the place read again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from tasks.ask.claims import QuoteClaim
from tasks.ask.proofs import Proof, ProofVerdict
from tasks.ask.witness import Witness
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Status
from warehouse.settings.models import ParseSettings


def prove(warehouse: Warehouse, claims: Sequence[QuoteClaim], limits: ParseSettings) -> list[Proof]:
    """A proof for each claim, in order; each file is opened once. `limits` are those of parsing again."""
    places: dict[str, list[int]] = {}
    for place, claim in enumerate(claims):
        places.setdefault(claim.document_id, []).append(place)
    found: dict[int, Proof] = {}
    for document_id, own in places.items():
        found |= zip(own, _proofs(warehouse, document_id, [claims[place] for place in own], limits), strict=True)
    return [found[place] for place in range(len(claims))]


def _proofs(
    warehouse: Warehouse, document_id: str, claims: Sequence[QuoteClaim], limits: ParseSettings
) -> Iterator[Proof]:
    held = warehouse.file_of(document_id)
    if held is None:
        yield from (Proof(claim, document_id, ProofVerdict.GONE) for claim in claims)
        return
    entry, path = held
    data, verdict = _opened(entry, path)
    if verdict is not None:
        yield from (Proof(claim, entry.file.source, verdict) for claim in claims)
        return
    with Witness(warehouse, entry, path, data, limits) as witness:
        yield from (witness.prove(claim) for claim in claims)


def _opened(entry: CatalogEntry, path: Path) -> tuple[bytes, ProofVerdict | None]:
    try:
        data = path.read_bytes()
    except OSError:
        return b"", ProofVerdict.GONE
    same = sha256(data).hexdigest() == entry.file.sha256 and entry.status is Status.PUBLISHED
    return data, None if same else ProofVerdict.CHANGED
