"""The notes of an Obsidian vault, read and written under rules that no path can bend."""
