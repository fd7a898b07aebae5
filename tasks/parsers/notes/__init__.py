"""Markdown, Obsidian, Org and reStructuredText: blocks, inline marks, links, properties."""

VAULT = ".obsidian"
"""The folder that marks an Obsidian vault and has its settings."""
