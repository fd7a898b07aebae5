"""Search, from a question in words to the hits that all interfaces show.

`retrieval.find` is the only way to search. `question_parser` reads a question's words, names and times and makes the
record of it, from what `subjects` (companies, papers, courses and notes of the catalogue), `soft_filters` (section,
journal, tag, topic, type) and `glossary` (other words for the same) find in it. `filter_values` resolves documents,
names and days that people write into filters; `superseded_statements` moves the newest statement first.
"""
