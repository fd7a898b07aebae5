"""Markdown, Obsidian, Org and reStructuredText: blocks, inline marks, links, sections of a diary."""
