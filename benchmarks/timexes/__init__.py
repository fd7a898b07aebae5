"""Temporal expressions tagged by hand, and what taggers find in the same texts."""
