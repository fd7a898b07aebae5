"""Search, from a question in words to the hits that all interfaces show.

`retrieval.find` is the only way to search. What a question says is read by `question_words` (its words and names),
`subjects` (companies, papers, courses and notes of the catalogue), `soft_filters` (section, journal, tag, topic, type),
`glossary` (other words for the same), and put together by `question_parser`. `filter_values` resolves documents, names
and days that people write into filters; `superseded_statements` moves the newest statement first.
"""
