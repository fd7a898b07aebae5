"""Tables page: `tables_page` draws the list of all tables and the searches in their cells, `table_view` one table."""
