"""The experiments page."""
