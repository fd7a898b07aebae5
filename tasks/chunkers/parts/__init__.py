"""Parts of the chunkers: sentences, atoms with their runs and packing, and the contents of a document's spans."""
