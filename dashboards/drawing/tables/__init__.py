"""The tables page's drawings."""
