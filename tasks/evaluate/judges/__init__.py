"""Ways to decide whether a hit answers a question; modules list theirs by name in `members`."""
