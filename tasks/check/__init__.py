"""Checking files like a linter: which findings count, where they are, and what can be corrected."""
