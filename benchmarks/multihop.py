"""Questions that need two passages, composed from any collection in the BEIR layout whose documents have titles.

    python benchmarks/multihop.py ../shared/data/multihop/hotpotqa OUT [--seed 7]
    kalends evaluate OUT/tuned --part hybrid --part without-relevance_feedback      # and OUT/held-out

Where the text of a document names the title of another, a question asks for a fact of the other through the first, as
MuSiQue composes its questions (Trivedi et al. 2022): "When was the race walker linked to Young, New South Wales born?"
Neither the bridge nor its fact is named. Each is asked in two of four wordings: a question, two sentences, a request,
and key words. Both documents answer. Pairs that the collection's own questions are judged by are left out, so that the
two sets share no answers. Half of the bridges, by a hash of their titles, are held out from the choice of constants.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.evaluate.dataset import read_dataset
from warehouse.store.words import split_content_words

SHORTEST_TITLE = 5  # Letters of a title that is looked for in texts.
MOST_NAMED = 10  # Documents that may name a bridge: what more name is no bridge from one of them.
WORDINGS = 2  # Of four, for each composed question.

_RELATIONS = (
    (r"directed by", "who directed {a}", "director"),
    (r"(?:written|novel|story|play) by|author", "who wrote {a}", "writer"),
    (r"produced by|producer", "who produced {a}", "producer"),
    (r"starring|stars|played by|portrayed by|voiced by", "who acts in {a}", "cast"),
    (r"(?:album|song|single|recorded|performed|released)(?: \w+)? by", "behind {a}", "artist"),
    (r"born (?:in|at|near)", "where {a} was born", "birthplace"),
    (r"attended|graduated from|educated at|studied at|degree (?:in \w+ )?from", "where {a} studied", "education"),
    (r"member of|played for|plays for|joined", "that {a} belonged to", "member"),
    (r"(?:son|daughter|wife|husband|brother|sister) of", "related to {a}", "family"),
    (r"owned by|published by|subsidiary of|part of", "that {a} belongs to", "owner"),
)
"""What stands before a bridge in the text that names it, what that says of the bridge, and the key word for it."""
_LINKED = ("linked to {a}", "")  # Where nothing of this stands there.
_PERSON = re.compile(r"(?:[eo]r|ist|ian|ress|man|wright|star|coach|chef)$")

_FACTS = (
    (r"\(born |\bborn (?:in|on) ", "when was {x} born", "the birth date of {x}", "born"),
    (r"\bdied (?:in|on|at) ", "when did {x} die", "the death of {x}", "death"),
    (r"\bpopulation (?:of|was|is)", "how many people live in {x}", "the population of {x}", "population"),
    (
        r"\b(?:founded|established|formed|incorporated) (?:in|on|by) ",
        "when was {x} founded",
        "the founding of {x}",
        "founded",
    ),
    (r"\b(?:located|situated|lies) (?:in|on|at|near) ", "where is {x} located", "the location of {x}", "location"),
    (r"\b(?:headquartered|based) in ", "where is {x} based", "the headquarters of {x}", "headquarters"),
    (r"\bbest known (?:for|as) ", "what is {x} best known for", "what {x} is famous for", "best known"),
    (r"\breleased (?:on|in|by) ", "when was {x} released", "the release of {x}", "release"),
    (r"\bdirected by ", "who directed {x}", "the director of {x}", "directed"),
    (r"\b(?:written|composed) by ", "who wrote {x}", "the writer of {x}", "written"),
    (r"\bstarring |\bstars ", "who plays in {x}", "the cast of {x}", "stars"),
    (r"\b(?:won|winner of|awarded) ", "what did {x} win", "the awards of {x}", "won award"),
    (r"\b(?:played|plays) (?:for|in) ", "for whom did {x} play", "the teams of {x}", "played for"),
    (r"\b(?:graduated|educated|attended|degree) ", "where did {x} study", "the education of {x}", "studied"),
    (r"\b(?:married|wife|husband) ", "to whom was {x} married", "the marriage of {x}", "married"),
    (r"\bmembers? of ", "what is {x} a member of", "the memberships of {x}", "member"),
    (r"\bnamed (?:after|for) ", "after whom is {x} named", "the origin of the name of {x}", "named after"),
    (r"\bnominated for ", "what was {x} nominated for", "the nominations of {x}", "nominated"),
    (r"\bpublished (?:in|by|on) ", "when was {x} published", "the publication of {x}", "published"),
    (r"\bsold ", "how much of {x} was sold", "the sales of {x}", "sold"),
)
"""What a text says of its subject, and how that is asked for: as a question, as a request, by key words."""

_IS_A = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the) ((?:[\w'’-]+ ?)+)")
_ENDS_KIND = re.compile(
    r"\b(?:that|which|who|whose|in|of|from|by|for|on|at|and|or|with|to|as|located|based|born|directed|written|released"
    r"|known|founded|created|produced|best|currently|who|featuring|made|where|set|situated|published|formed)\b"
)


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """Two documents of which the first names the second, the bridge, and what is asked of it."""

    first: str
    second: str
    title: str
    kind: str
    relation: str
    key: str
    facts: tuple[tuple[str, str, str], ...]


def linked_pairs(documents: dict[str, tuple[str, str]], known: set[frozenset[str]]) -> Iterator[LinkedPair]:
    """The pairs among documents (title and text by id) that a question can be made of, but for those `known`."""
    by_title = {_plain(title): name for name, (title, _) in documents.items()}
    titles = sorted((each for each in by_title if len(each) >= SHORTEST_TITLE), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, titles))})(?!\w)")
    found: dict[str, dict[str, str]] = {}
    for name, (title, text) in documents.items():
        own = set(split_content_words(title))
        found[name] = {}
        for match in pattern.finditer(text):
            other = by_title[match[1]]
            if other != name and own.isdisjoint(split_content_words(match[1])):
                found[name].setdefault(other, text[max(0, match.start() - 30) : match.start()])
    named = Counter(other for others in found.values() for other in others)
    for name, others in found.items():
        told = {other: _described(before, documents[other][1]) for other, before in others.items()}
        unlike = Counter(told.values())
        for other, described in told.items():
            relation, key, kind = described
            text = documents[other][1]
            facts = tuple(fact for pattern_of, *fact in _FACTS if re.search(pattern_of, text))
            if kind and facts and unlike[described] == 1 and named[other] <= MOST_NAMED and {name, other} not in known:
                yield LinkedPair(name, other, _plain(documents[name][0]), kind, relation, key, facts)


def wordings(pair: LinkedPair, fact: tuple[str, str, str]) -> tuple[str, ...]:
    """The four wordings of the question for a fact of the second document."""
    asked, request, key = fact
    bridge = f"the {pair.kind} {pair.relation.format(a=pair.title)}"
    question = asked.format(x=bridge)
    return (
        f"{question[0].upper()}{question[1:]}?",
        f"I am thinking of {bridge}. {asked.format(x='this one').capitalize()}?",
        f"Find {request.format(x=bridge)}.",
        " ".join(f"{pair.title} {pair.key} {pair.kind} {key}".split()),
    )


def _plain(title: str) -> str:
    return title.partition(" (")[0].strip()


def _described(before: str, text: str) -> tuple[str, str, str]:
    """What the words before a bridge say of it, the key word for that, and what its own text says it is."""
    kind = _kind(text)
    for pattern, relation, key in _RELATIONS:
        if re.search(rf"\b(?:{pattern})\b[^.]*$", before) and (_PERSON.search(kind) or not relation.startswith("who ")):
            return relation, key, kind
    return *_LINKED, kind


def _kind(text: str) -> str:
    """What the first sentence says its subject is, in at most two words: "race walker", "soap opera"."""
    match = _IS_A.search(text[:300])
    if not match:
        return ""
    words = _ENDS_KIND.split(match[1])[0].split()
    last = [word for word in words[-2:] if word.islower() and word.isalpha()]
    return " ".join(last) if words and words[-1] in last else ""


def compose(
    documents: dict[str, tuple[str, str]], known: set[frozenset[str]], seed: int
) -> list[tuple[str, LinkedPair]]:
    """The questions and what each is of, in a fixed order for a seed."""
    chance = random.Random(seed)
    found = []
    for pair in linked_pairs(documents, known):
        fact = chance.choice(pair.facts)
        found += [(text, pair) for text in chance.sample(wordings(pair, fact), WORDINGS)]
    return found


def main() -> None:
    """Write both halves in the BEIR layout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    corpus = (given.folder / "corpus.jsonl").read_text(encoding="utf-8")
    rows = map(json.loads, corpus.splitlines())
    documents = {row["_id"]: (unescape(row["title"]), unescape(row["text"])) for row in rows}
    judged = read_dataset(given.folder).questions
    golds = [sorted({gold.document for gold in question.gold}) for question in judged]
    known = {frozenset(pair) for documents_of in golds for pair in combinations(documents_of, 2)}
    halves: dict[str, list[tuple[str, LinkedPair]]] = {"tuned": [], "held-out": []}
    for text, pair in compose(documents, known, given.seed):
        odd = hashlib.sha256(documents[pair.second][0].encode()).digest()[0] % 2
        halves["held-out" if odd else "tuned"].append((text, pair))
    for half, questions in halves.items():
        folder = given.out / half
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
        names = [f"{pair.first}-{pair.second}-{number}" for number, (_, pair) in enumerate(questions)]
        queries = (json.dumps({"_id": name, "text": text}) for name, (text, _) in zip(names, questions, strict=True))
        (folder / "queries.jsonl").write_text("".join(f"{line}\n" for line in queries), encoding="utf-8")
        lines = ["query-id\tcorpus-id\tscore"]
        for name, (_, pair) in zip(names, questions, strict=True):
            lines += [f"{name}\t{document}\t1" for document in (pair.first, pair.second)]
        (folder / "qrels" / "test.tsv").write_text("\n".join([*lines, ""]), encoding="utf-8")
        bridges = len({pair.second for _, pair in questions})
        print(f"{folder}: {len(questions)} questions over {bridges} bridges")


if __name__ == "__main__":
    main()
