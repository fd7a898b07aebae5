"""The home page's facts."""
