"""Quality of passages for retrieval: `rules/` finds coded faults, `scoring` makes a score of them."""
