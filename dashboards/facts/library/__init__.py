"""The library page's facts."""
