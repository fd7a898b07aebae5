"""Tables page: `page` draws the list of all tables and the searches in their cells, `table_view` one table.

`queries` and `parsed_table` read, `html` draws the table.
"""
