"""Invented financial statements whose every figure is known: `making` what they say, `drawing` how they look."""
