"""The runs page's drawings."""
