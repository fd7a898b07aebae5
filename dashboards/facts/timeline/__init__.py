"""The timeline page's facts."""
