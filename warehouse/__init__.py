"""Kalends keeps documents and finds them again."""
