"""A question made into a record, and an answer made of what was found."""
