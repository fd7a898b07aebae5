"""Timeline page: dates mentioned over time, periods that reports cover, and one figure through all documents.

`mentions`, `coverage` and `figure` are its three views; `queries` and `figure_series` read, `charts` draws.
"""
