"""Parts of the chunkers: sentences, atoms and their runs, packing, and what a span of a document holds."""
