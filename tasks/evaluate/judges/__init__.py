"""Ways to decide whether a hit answers a question; modules give theirs by name in `members`."""
