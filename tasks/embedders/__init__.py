"""Texts made into unit vectors: `embedder` says what an embedder is, `bert` computes one; the others are files here."""
