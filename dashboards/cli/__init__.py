"""The command line: a module for each command or family of commands, each a function that `main` lists."""
