"""Markdown and Obsidian notes: blocks, inline marks, links, front matter."""
