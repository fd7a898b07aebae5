"""The experiments page's drawings."""
