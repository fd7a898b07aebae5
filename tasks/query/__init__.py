"""Search, from a question in words to the hits that all interfaces show.

`retrieval.find` is the only way to search. `question_parser` reads a question's words, names, times and soft filters
into a record, with what `subjects` (companies, papers, courses and notes of the catalogue) and `glossary`
(other words for the same) find in it. `filter_values` resolves documents, names and days that people write.
"""
