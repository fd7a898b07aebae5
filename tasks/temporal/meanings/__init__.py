"""What expressions mean before they are read against a context: a small algebra of dates, shifts, lengths and spans."""
