"""SQL page: a read-only console over the warehouse, lists of queries beside it, and a chart of the result.

`queries` runs them and lists the tables, `saved_queries` keeps them, `charts` plans and draws a result.
"""
