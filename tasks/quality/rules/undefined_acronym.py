"""CHK012 undefined-acronym: an acronym that is never spelled out.

What: capitals that no document of the corpus explains beside a use of them, used twice or more.
Why it hurts retrieval: a question in full words does not find the passage, and an embedding model guesses what the
letters mean.
Example: `CAC fell while LTV rose.`
Cure: spell it out at its first use: customer acquisition cost (CAC).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from tasks.quality.acronyms import Acronym
from tasks.quality.corpus import Corpus
from tasks.quality.rule import CorpusRule, Scope, Violation
from warehouse.records import Severity

_FEWEST_USES = 2


def _found(corpus: Corpus) -> Iterator[tuple[str, Violation]]:
    """Once for each acronym, where it is first used. Everyday ones (USA, PDF, GDP) need no explanation."""
    known = {name for digest in corpus.digests.values() for name in digest.spelled_out}
    uses: Counter[str] = Counter()
    where: defaultdict[str, list[tuple[str, Acronym]]] = defaultdict(list)
    for source, digest in corpus.digests.items():
        for acronym in digest.acronyms:
            uses[acronym.name] += acronym.count
            where[acronym.name].append((source, acronym))
    for name, places in where.items():
        if name not in known and uses[name] >= _FEWEST_USES:
            source, first = places[0]
            among = f" in {len(places)} documents" if len(places) > 1 else ""
            message = f"'{name}' is used {uses[name]} times{among} and spelled out nowhere: do so at its first use"
            yield source, Violation(message, first.start, first.end)


member = CorpusRule("CHK012", "undefined-acronym", Severity.NOTE, 0.05, Scope.CORPUS, __doc__, _found)
