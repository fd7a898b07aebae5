"""Names made from content: the same input gives the same name on any machine."""

from __future__ import annotations

import hashlib
import json

# One encoder for all calls: a plan of 5,000 documents names 35,000 outputs.
_as_json = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str).encode


def digest(*parts: object) -> str:
    """A 128-bit BLAKE2b name, as 32 hexadecimal digits, of JSON-like parts (dates and paths as text)."""
    return hashlib.blake2b(_as_json(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def make_vector_id(model: str, text: str) -> str:
    """The name of the vector that `model` gives to `text`; equal texts share one."""
    return digest(model, text)
