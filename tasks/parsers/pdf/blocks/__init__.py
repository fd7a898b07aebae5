"""Headings, paragraphs, lists and running heads of a document, from the lines and tables of its pages."""
