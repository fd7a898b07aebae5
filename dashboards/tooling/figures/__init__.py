"""Figures of tables, found by what they are called, by their time and by whose they are."""
