"""Rules that compare documents: duplicates, figures replaced later, acronyms that none spells out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date

from tasks.chunkers.parts.document_spans import Statement
from tasks.quality.acronyms import Acronym
from tasks.quality.corpus import Corpus
from tasks.quality.rule import Violation, index_by_name, make_corpus_rule
from warehouse.records import Severity


def duplicate_file(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """DOC017: a file whose bytes are those of another.

    What: two files of the corpus have the same SHA-256.
    Why it hurts retrieval: every hit comes twice and takes the place of another passage.
    Example: `report.pdf` and `report (1).pdf`
    Cure: remove one of them.
    """
    for source, original in corpus.copies.items():
        yield source, Violation(f"the same bytes as {original}: remove one of them")


def near_duplicate_document(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """DOC018: a document that says nearly what another says.

    What: at least four fifths of the runs of five words are the same (MinHash).
    Why it hurts retrieval: hits come twice, and drafts and versions are listed together without a word on which is
    valid.
    Example: `policy-v1.docx` and `policy-v2.docx`
    Cure: keep the valid version, or say in each which it is.
    """
    for source, (other, similarity) in corpus.alike.items():
        yield source, Violation(f"{similarity:.0%} the same as {other}: keep the valid one of them")


def near_duplicate_passage(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """CHK009: a passage that says much of what stands elsewhere already.

    What: two fifths of its runs of five words are in an earlier document, or 85 % of them at another place of this
    one.
    Why it hurts retrieval: the same answer fills several places among the hits and drives others out.
    Example: the same risk factors in the reports of three quarters.
    Cure: keep the passage in one place and link to it, or search the newest document only.
    """
    for (source, first), (other, chunk), share in corpus.repeated_chunks:
        place = "this file" if source == other else source
        message = (
            f"{share:.0%} of passage {chunk.number + 1} stands in {place}, passage {first.number + 1}: keep one of them"
        )
        yield other, Violation(message, chunk.start, chunk.end, page=chunk.page)


def superseded_statement(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """TMP005: a statement that a later document makes anew with another figure or name.

    What: the same sentence, with other numbers or another holder of an office, and no period of its own, stands in a
    document of a later date.
    Why it hurts retrieval: the outdated figure is found as readily as the valid one.
    Example: `The plan costs 30 dollars a month.` and, two years later, 35.
    Cure: date the statement, or mark the older document as superseded.
    """
    # Each outdated statement once, compared with the newest one.
    newest: dict[str, tuple[date, str, Statement]] = {}
    dated_digests = [(digest.date.date, source, digest) for source, digest in corpus.digests.items() if digest.date]
    for day, source, digest in sorted(dated_digests, key=lambda dated: dated[0]):
        newest.update({statement.subject: (day, source, statement) for statement in digest.statements})
    for own_day, source, digest in dated_digests:
        for statement in digest.statements:
            day, other, latest = newest[statement.subject]
            if source != other and day > own_day and latest.figures != statement.figures:
                old_figures, new_figures = ", ".join(statement.figures), ", ".join(latest.figures)
                message = f"'{old_figures}' is '{new_figures}' in {other} of {day.isoformat()}: mark this as superseded"
                yield source, Violation(message, statement.start, statement.end)


_MIN_USES = 2


def undefined_acronym(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """CHK012: an acronym that is never spelled out.

    What: capitals that no document of the corpus explains next to a use of them, used twice or more.
    Why it hurts retrieval: a question in full words does not find the passage, and an embedding model guesses what the
    letters mean.
    Example: `CAC fell while LTV rose.`
    Cure: spell it out at its first use: customer acquisition cost (CAC).
    """
    # Once for each acronym, at its first use. Everyday ones (USA, PDF, GDP) need no explanation.
    known_names = {name for digest in corpus.digests.values() for name in digest.spelled_out}
    uses: Counter[str] = Counter()
    uses_by_name: defaultdict[str, list[tuple[str, Acronym]]] = defaultdict(list)
    for source, digest in corpus.digests.items():
        for acronym in digest.acronyms:
            uses[acronym.name] += acronym.count
            uses_by_name[acronym.name].append((source, acronym))
    for name, occurrences in uses_by_name.items():
        if name not in known_names and uses[name] >= _MIN_USES:
            source, first = occurrences[0]
            extent = f" in {len(occurrences)} documents" if len(occurrences) > 1 else ""
            message = f"'{name}' is used {uses[name]} times{extent} and spelled out nowhere: do so at its first use"
            yield source, Violation(message, first.start, first.end)


members = index_by_name(
    make_corpus_rule(superseded_statement, Severity.WARNING, 0.1),
    make_corpus_rule(undefined_acronym, Severity.NOTE, 0.05),
    make_corpus_rule(duplicate_file, Severity.WARNING, 0.0),
    make_corpus_rule(near_duplicate_document, Severity.WARNING, 0.0),
    make_corpus_rule(near_duplicate_passage, Severity.NOTE, 0.1),
)
