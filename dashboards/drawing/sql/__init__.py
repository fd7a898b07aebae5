"""The SQL page's drawings."""
