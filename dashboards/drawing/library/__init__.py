"""The library page's drawings."""
