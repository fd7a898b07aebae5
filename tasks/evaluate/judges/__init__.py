"""Ways to tell whether a hit answers a question: one a file."""
