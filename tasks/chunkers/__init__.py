"""Documents cut into passages: `chunker` says what a chunker is, `chunk_builder` makes chunks of its spans.

`parts` has the parts of chunkers; every other file is a chunker or, like `packed`, several.
"""
