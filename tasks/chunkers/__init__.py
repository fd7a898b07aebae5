"""Documents cut into passages: `chunker` says what a chunker is, `chunk_builder` makes chunks of its spans.

`parts` holds what chunkers are made of; every other file is a chunker or, like `packed`, several.
"""
