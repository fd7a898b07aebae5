"""Web pages: their blocks, what is not their content, and their metadata."""
