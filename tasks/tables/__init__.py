"""Tables as data: cells with headers, values, units and periods (`cells`), and the totals that they make (`totals`).

A table's `reader` holds its grid, its numbers (`numbers`) and the frame of each (`frames`) by its headers (`headers`)
and the text around it (`statements`); `header_periods` reads the times of headers, `sums` finds totals of lines.
"""
