"""Papers: the front matter of JATS, and BibTeX records."""
