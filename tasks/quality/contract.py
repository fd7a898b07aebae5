"""What a quality rule is: a coded fault that it finds in chunks, and what the fault costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol

from warehouse.records import Chunk, Document, Finding, Severity
from warehouse.registry import Family


class Rule(Protocol):
    """A fault of chunks. The docstring of its module is its page: what it is, why it hurts, an example, the cure.

    `name` states the fault and is the module's name with hyphens. `penalty` is what one finding usually costs.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    penalty: ClassVar[float]

    def check(self, chunk: Chunk, document: Document, target_size: int) -> Iterable[Finding]:
        """The findings in one chunk of a document, made for chunks of `target_size` characters."""


RULES = Family[Rule]("tasks.quality.rules", "rule")


def finding(rule: Rule, chunk: Chunk, message: str, penalty: float | None = None) -> Finding:
    """A finding of a rule that blames the whole chunk; `penalty` where it differs from the rule's usual one."""
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=message,
        penalty=rule.penalty if penalty is None else penalty,
        start=chunk.start,
        end=chunk.end,
        page=chunk.page,
        chunk_id=chunk.chunk_id,
    )
