"""Presentations: the parts of the package, the shapes of a slide in reading order, their texts, tables and charts."""
