"""Quality rules; a rule is a file here and its docstring is its page."""
