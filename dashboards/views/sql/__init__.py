"""The page of SQL."""
