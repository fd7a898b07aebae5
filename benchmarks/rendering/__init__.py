"""Documents with tables drawn from known cells: what a reader of tables should find is exact, not annotated."""
