"""Figures of tables, searched by item, time and company.

`figure_query` parses what is asked for, with the synonyms of financial items (`item_names.tsv`); `figure_cells` reads
the candidate cells, and `figure_search` scores their labels and times and ranks them.
"""
