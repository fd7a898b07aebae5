"""The parts of a recording of everything Kalends prints: `benchmarks/frozen.py` makes and compares recordings.

workplace    the folder, the surroundings and the processes of the program that is recorded
inputs       the files that are read, made or copied from shared data
questions    what is asked, of every kind
masks        what two recordings of the same program may differ in
calls        a long-lived process that runs commands one after the other; a script of its own
page_calls   the same for the pages of the dashboard
commands     the parts that are command lines: help, hits, answers, errors, prints
tables       the part of the warehouse's files
services     the parts api and mcp
pages        the part of the dashboard
comparison   the difference of two recordings
"""
