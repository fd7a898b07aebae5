"""Second looks at the best passages of a search; a reranker is a file here."""
