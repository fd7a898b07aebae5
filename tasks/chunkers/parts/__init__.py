"""Parts of the chunkers: sentences, atoms with their runs and packing, and what a span of a document holds."""
