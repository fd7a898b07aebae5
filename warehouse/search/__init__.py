"""Search in a generation: filters, candidates, scores, grouping, hits and their citations."""
