"""Office files of all generations: their packages and streams, properties, pages, rich text and symbol fonts."""
