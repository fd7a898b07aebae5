"""HTML pages: what is content, its blocks, lists and tables."""
