"""The forms in which judged questions are published; a module has a `member` or several `members`."""
