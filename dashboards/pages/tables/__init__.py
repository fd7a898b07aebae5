"""Tables page: the list of all tables, one table beside its pages, and searches in the cells of all tables.

`queries`, `parsed_table` and `cell_boxes` read, `html` draws, `filters` declares what the lists can be narrowed by.
"""
