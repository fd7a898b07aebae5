"""The page of runs: what ran, what it cost, and what it changed."""
