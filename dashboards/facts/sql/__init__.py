"""The SQL page's facts."""
