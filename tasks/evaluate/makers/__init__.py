"""Kinds of questions that are made from a corpus; a module has a `member` or several `members`."""
