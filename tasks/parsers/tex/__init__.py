"""LaTeX: tokens, signs by command, and blocks."""
