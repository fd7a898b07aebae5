"""Keeping a warehouse small and quick: what is kept, what is merged, what is removed, and why no reader notices.

A reader opens files as it needs them, long after it found the generation that names them. So a generation is dropped
only once another one has been published for longer than the grace time, and a file is removed only once no generation
that is kept names it and it is older than that. Pointers go before what they point to: a kill leaves files too many,
which the next time removes, and never one too few. What is merged is written anew and published as a generation; the
files it replaces stay as long as an older generation names them.
"""
