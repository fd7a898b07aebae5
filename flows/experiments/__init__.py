"""Grids of configurations: each ingested once for all that share it, asked once, and kept."""
