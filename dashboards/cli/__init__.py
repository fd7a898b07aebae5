"""The command line: one thin verb a file."""
