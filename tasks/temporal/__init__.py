"""Time expressions as intervals."""
