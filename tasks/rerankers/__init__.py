"""Rerankers of the best passages of a search; each is a file here."""
