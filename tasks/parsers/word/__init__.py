"""Word documents: the parts of the package and what they say."""
