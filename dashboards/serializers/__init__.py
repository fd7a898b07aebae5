"""Records in the shapes that more than one face shows."""
