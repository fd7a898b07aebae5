"""Figures of tables, searched by item, time and company.

`figure_query` parses what is asked for, `item_names` has the synonyms of financial items, `figure_cells` reads the
candidate cells, `figure_scores` scores their labels and times, and `figure_search` ranks them.
"""
