"""Data in the shape of records, whatever notation they were written in."""
