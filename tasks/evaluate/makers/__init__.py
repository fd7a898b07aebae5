"""Kinds of questions that are made from a corpus: one a file."""
