"""The quality page's facts."""
