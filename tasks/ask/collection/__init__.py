"""Answers to questions about the collection itself, from the records of its documents.

`records` has the question and the answer; `grammar` reads a question, with `phrases` for documents and their values and
`chinese` for Chinese; `limits` turns its conditions into SQL; `answers` counts and lists.
"""
