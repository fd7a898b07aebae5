"""Figures of tables, searched by item, time and company.

`figure_query` parses what is asked for, with the synonyms of financial items (`item_names.tsv`); `figure_cells` reads
the candidate cells, `figure_scores` scores their labels and times, and `figure_search` ranks them.
"""
