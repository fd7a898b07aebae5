"""From the shape of an older warehouse to today's, a version at a time.

A version has one file, `from_N.py`, whose member turns the manifest of version N into that of the next, and the rows of
documents too where their values mean something else now; what it cannot carry over it leaves out. Other records need no
hand: a column that came gets the default of its field, one that went is left out, and an output that lacks what has no
default is made again from its document by the next ingest.
"""
