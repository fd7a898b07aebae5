"""The forms in which judged questions are published: one a file."""
