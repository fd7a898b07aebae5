"""Workbooks: the parts of the package, their cells as Excel shows them, and the tables that lie on a sheet."""
