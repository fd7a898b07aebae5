"""Every shape that travels between the layers: frozen, slotted, typed, and without behaviour of other layers."""

from warehouse.records.chunk import Chunk, Embedding, Score
from warehouse.records.document import (
    Attributes,
    Block,
    BlockKind,
    Box,
    Cell,
    Content,
    DateClaim,
    DateOrigin,
    Document,
    Kind,
    Lesson,
    Merge,
    Region,
    Table,
    TablePart,
    Total,
    TotalOf,
)
from warehouse.records.finding import Finding, Severity
from warehouse.records.holding import Holding, Output, Root, SourceFile, Status
from warehouse.records.mention import Calendar, Entity, Grain, Mention, TimexType
from warehouse.records.run import Run, StageCost
from warehouse.records.search import Citation, Filters, Hit, Question

__all__ = [
    "Attributes",
    "Block",
    "BlockKind",
    "Box",
    "Calendar",
    "Cell",
    "Chunk",
    "Citation",
    "Content",
    "DateClaim",
    "DateOrigin",
    "Document",
    "Embedding",
    "Entity",
    "Filters",
    "Finding",
    "Grain",
    "Hit",
    "Holding",
    "Kind",
    "Lesson",
    "Mention",
    "Merge",
    "Output",
    "Question",
    "Region",
    "Root",
    "Run",
    "Score",
    "Severity",
    "SourceFile",
    "StageCost",
    "Status",
    "Table",
    "TablePart",
    "TimexType",
    "Total",
    "TotalOf",
]
