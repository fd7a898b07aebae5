"""The HTTP API: the same functions as every other face, as JSON and as server-sent events."""
