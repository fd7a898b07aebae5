"""Bytes made into documents; a parser is a file here."""
