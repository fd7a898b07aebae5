"""The vector index: a base that generations share, the delta of each, and exact and approximate search."""
