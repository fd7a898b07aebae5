"""Ingesting what changes while it changes: the files are watched, and each burst of changes becomes one small run."""
