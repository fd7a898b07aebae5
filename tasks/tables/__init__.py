"""Tables as data: cells with headers, values and units."""
