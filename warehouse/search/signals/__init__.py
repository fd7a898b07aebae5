"""Signals: what speaks for a passage, one file each."""
