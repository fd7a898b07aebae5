"""The tables page's facts."""
