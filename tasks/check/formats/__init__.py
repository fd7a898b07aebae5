"""The report of a check in the formats that people and programs read; modules give theirs by name in `members`."""
