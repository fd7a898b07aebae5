"""SQL page: `page` draws a read-only console over the warehouse, and lists of queries beside it.

`queries` runs and saves them and lists the tables, `charts` plans and draws a result.
"""
