"""Certainty of a quotation as an answer: a logistic model of features, without a language model.

Measured and fitted by `benchmarks/answers.py --calibrate` on the half of its questions that is for choosing; the curve
of answered questions against right answers is in docs/measurements.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from math import exp

from tasks.ask.expected_answers import asks_for_value
from warehouse.records import Question


@dataclass(frozen=True, slots=True)
class CertaintyFeatures:
    """Features of a question and a quotation; each is 0 if it does not apply.

    `cosine` and `coverage` (the share of the question's words, rare ones weighing more) in [0, 1]; `answer_type` and
    `times` in {-1, 0, 1}; `names`: the share of the names asked for that the passage has; `rank`: the passage's score
    as its share of the best one's; `relevance`: its cosine; `passage`: the coverage of the whole passage; `phrases`:
    the share of the question's pairs of neighbouring words. Of a table row: `label`, whether its header consists of the
    question's words; `label_fit`, `time_fit` and `margin`: how well a figure lookup matches its label and its time, and
    how much better than the others, in [-1, 1]. `change`: 1 if a sentence says by how much the item asked about rose or
    fell; `complete`: 1 if it has all words asked for. `value_fit`: the share of a value's label that is asked for.
    """

    cosine: float = 0.0
    coverage: float = 0.0
    answer_type: float = 0.0
    times: float = 0.0
    names: float = 1.0
    rank: float = 0.0
    relevance: float = 0.0
    passage: float = 0.0
    phrases: float = 0.0
    label: float = 0.0
    label_fit: float = 0.0
    time_fit: float = 0.0
    margin: float = 0.0
    change: float = 0.0
    complete: float = 0.0
    value_fit: float = 0.0


NAMES = tuple(field.name for field in fields(CertaintyFeatures))


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model: the weight of each feature, in the order of `CertaintyFeatures`, and the constant."""

    constant: float
    values: tuple[float, ...]

    def compute_probability(self, features: CertaintyFeatures) -> float:
        """The probability that a quotation with these features answers, in (0, 1)."""
        pairs = zip(self.values, astuple(features), strict=True)
        score = self.constant + sum(weight * feature for weight, feature in pairs)
        return 1 / (1 + exp(-max(min(score, 50.0), -50.0)))


SENTENCE = Weights(
    -6.22, (2.51, 0.00, 0.00, 0.00, 0.43, 2.71, 0.82, 0.00, 1.44, 0.00, 0.00, 0.00, 0.00, 2.00, 2.00, 3.00)
)
ROW = Weights(-7.49, (0.19, 3.31, 0.41, 1.23, 2.02, 0.00, 0.00, 0.00, 1.45, 2.19, 0.00, 0.00, 0.00, 0.00, 0.00, 4.00))
FIGURE = Weights(
    -5.60, (0.00, 0.02, 0.86, 0.92, 2.83, 0.00, 0.00, 0.00, 0.19, 0.14, 1.75, 0.75, 3.71, 0.00, 0.00, 0.00)
)
FOREIGN = Weights(
    -9.29, (0.00, 2.19, 0.87, 0.00, 0.04, 10.28, 0.00, 1.13, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 2.00)
)
"""Fitted on 4,933 sentences, 1,477 rows, 155 rows of a lookup and 816 quotations in Chinese, labelled right or wrong.

A weight of 0 means that the feature added nothing to the others or had a negative weight, which is not allowed. The
weight of `change` was chosen by hand, as the questions have few such sentences: of 34 questions about how something in
seven short documents rose or fell 33 are answered with it and 29 without. `FOREIGN` was fitted with the cosine of a
passage, weight 1.23; as such passages no longer have vectors, its mean of .49 is in the constant. Those of `complete`
and `value_fit` were chosen by hand too, by 74 questions to six folders of household papers, bills, minutes, reports and
notes: with them the first quotation is right for 45 of 57, without for 24. Of 38 complete sentences that
`benchmarks/answers.py` would quote 26 answer, of the 1,058 other ones 217.
"""
MIN_ANSWER = 0.3
"""The minimum probability of the best quotation to be shown as the answer.

The lowest that keeps wrong answers below 5 % of all on the half of the questions that is for choosing.
"""
MIN_FURTHER = 0.1  # The minimum probability of further quotations.
MIN_FURTHER_SHARE = 0.4
"""The minimum probability of further quotations, as a share of the best one's.

Of 283 questions of the half that is for choosing 169 are answered rightly with .4, and .70 of the quotations shown have
the answer; 170 and .67 with .3, 168 and .73 with .5, 171 and .51 with no such share.
"""


MIN_FOREIGN_COVERAGE = 0.15
"""The least share of a question in a script that the embedder does not know that a passage must have to answer it.

Its rank, which weighs most, is 1 for the best passage, also where that only is of the time asked for.
"""


def compute_certainty(model: Weights, features: CertaintyFeatures) -> float:
    """The probability that a quotation answers by its model, in (0, 1)."""
    probability = model.compute_probability(features)
    is_unsupported = model is FOREIGN and features.passage < MIN_FOREIGN_COVERAGE
    return min(probability, MIN_FURTHER) if is_unsupported else probability


def select_weights(question: Question, *, is_row: bool, is_figure: bool) -> Weights:
    """The model for a kind of quotation; `FOREIGN` if the embedder does not know the script."""
    if is_figure:
        return FIGURE
    if question.foreign:
        return FOREIGN
    return ROW if is_row else SENTENCE


def is_answered(probabilities: Sequence[float]) -> bool:
    """Whether the best of some quotations is certain enough to be the answer."""
    return bool(probabilities) and max(probabilities) >= MIN_ANSWER


def lacks_value(question: str, features: CertaintyFeatures) -> bool:
    """Whether a quotation has no figure, time or name if a question asks for one: "when", "how much", "who".

    A dated entry that has all words asked for answers "when" by its date.
    """
    return features.answer_type < 0 and not features.complete and asks_for_value(question)


def select_best(features: Sequence[CertaintyFeatures], probabilities: Sequence[float]) -> list[int]:
    """The indexes of the quotations to show, of some in order of certainty: those not much less certain than the first.

    If the first is complete, only complete ones are shown; of figures, none of a worse time.
    """
    best = max(probabilities, default=0.0)
    is_complete = [bool(quotation_features.complete or quotation_features.value_fit) for quotation_features in features]
    return [
        index
        for index, probability in enumerate(probabilities)
        if probability >= max(MIN_FURTHER, MIN_FURTHER_SHARE * best)
        and (is_complete[index] or features[index].label_fit or not is_complete[0])
        and (features[index].time_fit >= features[0].time_fit or not features[index].label_fit)
    ]
