"""The rules of faults that whoever reads a file reports; `tasks.faults` has their pages."""

from __future__ import annotations

from tasks import faults
from tasks.quality.rule import ReportedRule, Scope

members = {
    fault.name.replace("-", "_"): ReportedRule(fault.code, fault.name, fault.severity, 0.0, Scope.DOCUMENT, fault.page)
    for fault in vars(faults).values()
    if isinstance(fault, faults.FaultKind)
}
