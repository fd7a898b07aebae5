"""The notes of an Obsidian vault, read and written under path rules that no name can circumvent.

`note_paths` validates paths and opens folders, `notes` finds the vault and reads notes, `note_edits` checks their
Markdown, writes them and ingests the change.
"""
