"""Ingests and grids beside what answers: one of a kind at a time, each in a process of its own."""
