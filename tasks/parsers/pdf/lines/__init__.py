"""Words, lines, zones and columns of a page, from its characters."""
