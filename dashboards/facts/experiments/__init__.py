"""The experiments page's facts."""
