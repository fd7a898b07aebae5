"""LaTeX: tokens, commands, signs, tables and blocks."""
