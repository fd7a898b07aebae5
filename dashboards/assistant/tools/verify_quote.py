"""The tool `verify_quote`: words looked up in a document's file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools.contract import Name, Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_spans import DocumentSpan, find_hits_at
from tasks.query.filter_values import find_document
from tasks.token_budget import clip
from tasks.verify.claims import Proof, ProofVerdict, make_quotation_claims
from tasks.verify.quote_verification import verify_claims

WORDS_SHOWN = 120  # Tokens of words that are shown again.
MAX_SHOWN = 5  # Differences, and places, that are shown.
_VERDICT_WORDS = {
    ProofVerdict.VERIFIED: "Verified",
    ProofVerdict.DIFFERS: "Not so: the document does not say this",
    ProofVerdict.CHANGED: "Not known: the file changed since it was read (import_documents reads it anew)",
    ProofVerdict.GONE: "Not known: the file is gone",
}


def verify_quote(
    context: ToolContext,
    quote: Annotated[
        str,
        Field(min_length=1, max_length=5000, description="The words, or the row of a table, as the document has it."),
    ],
    document: Annotated[Name, Field(description="The document's source, id, title or company.")],
) -> ToolResult:
    """Check that words stand in a document by reading its very file again: says where, or what stands there instead."""
    entry = find_document(context.warehouse, document)
    proofs = verify_claims(
        context.warehouse, make_quotation_claims(context.warehouse, quote, entry.document_id), context.settings.parse
    )
    places = (
        DocumentSpan(proof.claim.document_id, proof.claim.start, proof.claim.end)
        for proof in proofs
        if proof.verdict is ProofVerdict.VERIFIED and proof.claim.start is not None
    )
    hits = tuple(dict.fromkeys(hit for place in places for hit in find_hits_at(context.warehouse, place)))
    text = "\n".join(line for proof in proofs[:MAX_SHOWN] for line in _format_proof(proof))
    more = f"\n… and {len(proofs) - MAX_SHOWN} more lines" if len(proofs) > MAX_SHOWN else ""
    is_verified = all(proof.verdict is ProofVerdict.VERIFIED for proof in proofs)
    return ToolResult(
        text + more, hits, {"verified": is_verified, "proofs": [_serialize_proof(proof) for proof in proofs]}
    )


def _format_proof(proof: Proof) -> list[str]:
    reader = f" by its {proof.reader.value}" if proof.reader and proof.verdict is ProofVerdict.VERIFIED else ""
    lines = [f"{_VERDICT_WORDS[proof.verdict]}{reader}: {proof.source}"]
    for region in proof.regions[:MAX_SHOWN]:
        box = region.box
        lines.append(f"  page {region.page} [{box.x0:.0f},{box.top:.0f} {box.x1:.0f},{box.bottom:.0f}]")
    for difference in proof.differences[:MAX_SHOWN]:
        where = f" on page {difference.page}" if difference.page is not None else ""
        lines.append(f"  said{where}: {_clip_line(difference.said)}")
        lines.append(f"  nearest{where}: {_clip_line(difference.found) or '(nothing)'}")
    return lines


def _clip_line(text: str) -> str:
    return clip(" ".join(text.split()), WORDS_SHOWN)


def _serialize_proof(proof: Proof) -> dict[str, Any]:
    return {
        "verdict": proof.verdict.value,
        "source": proof.source,
        "start": proof.claim.start,
        "regions": [
            {"page": region.page, "box": [region.box.x0, region.box.top, region.box.x1, region.box.bottom]}
            for region in proof.regions
        ],
        "differences": [
            {"page": difference.page, "said": difference.said, "found": difference.found}
            for difference in proof.differences
        ],
    }


member = Tool(verify_quote)
