"""Texts made into unit vectors; an embedder is a file here."""
