"""Names in the text."""
