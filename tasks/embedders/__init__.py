"""Unit vectors of texts: `embedder` has the contract of embedders, `bert` computes one; the others are files here."""
