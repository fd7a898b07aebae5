"""The timeline page's drawings."""
