"""Answers without a language model, from the hits of a search and the records of the collection.

`extracts` quotes sentences and table rows, `expected_answers` says what an answer must have, and `certainty` how surely
each quotation answers, by its `quotation_features`. `excerpts` cuts the part of a passage that answers, `entries` finds
the entries of a diary's days, `explanations` puts what was understood into words. `figures` finds cells of tables,
`collection` answers questions about the collection itself.
"""
