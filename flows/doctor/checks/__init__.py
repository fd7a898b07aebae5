"""A file a check; its name is that of the check, its member the function."""
