"""Questions with known answers for `benchmarks/answers.py`, and what an answer to one counts as.

`questions` makes the questions and the documents that they are asked of, `reports` makes reports of TAT-QA's tables,
`outcomes` judges an answer, `calibration` fits the models of `tasks.ask.certainty`.
"""
