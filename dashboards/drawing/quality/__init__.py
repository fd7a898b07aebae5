"""The quality page's drawings."""
