"""Word documents, old ones (`old_package`) and OpenDocument texts (`open_text`): the parts of the package, their words.

An old document is made into the parts of a newer one; `story_blocks` makes a document of the pieces of all three.
"""
