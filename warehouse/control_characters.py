"""Control characters as they may be printed."""

ESCAPES = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}
"""For `str.translate`: as backslash escapes, so that a text may not break its line, nor steer the terminal."""
