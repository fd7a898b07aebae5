"""Timeline page: `page` draws dates over time, `coverage` and `figure` its other views.

`queries` and `figure_series` read, `charts` draws.
"""
