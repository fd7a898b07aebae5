"""The search page's facts."""
