"""Judged questions: how they are read, what is asked of them, and what the answers are worth."""
