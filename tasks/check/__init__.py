"""Checking files as a linter does: which findings count, where they stand, and what can be mended."""
