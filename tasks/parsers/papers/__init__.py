"""JATS papers: front matter, body, tables, formulas, references."""
