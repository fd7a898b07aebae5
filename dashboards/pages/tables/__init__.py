"""Tables page: the list of all tables, one table beside its pages, and searches in the cells of all tables.

`page` draws the list, `table_view` the table, `cell_search` the searches; `filters` declares the filters of all lists.
`queries`, `parsed_table` and `cell_boxes` read, `html` draws the table.
"""
