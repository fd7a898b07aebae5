"""Documents cut into passages; a chunker is a file here."""
