"""Filters, fusion and citations."""
