"""Word documents and OpenDocument texts (`open_text`): the parts of the package and what they say."""
