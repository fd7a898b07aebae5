"""The runs page's facts."""
