"""Questions that the documents of a warehouse answer, made without a language model.

`candidates` makes questions of figures, papers, courses, days, periods and headings, `suggested_questions` keeps those
whose answer begins with the document that they were made from.
"""
