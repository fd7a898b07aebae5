"""Tables as data: cells with headers, values, units and periods (`cells`), and the totals that they make (`totals`).

A table's `reader` holds its grid, its numbers (`numbers`) and what its headers (`headers`) and the text around it
(`statements`) say of each (`frames`); `periods` reads the times of headers, `sums` finds which lines add up to which.
"""
