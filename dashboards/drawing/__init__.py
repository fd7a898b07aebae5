"""HTML of the pages quality and experiments."""
