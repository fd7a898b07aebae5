"""Ingests and experiments that run in addition to the server, one of a kind at a time, each in a process of its own.

`runs` has their states and starts their processes, `worker` is what such a process executes, `ingests` is the queue of
ingests, `grids` starts experiments, and `inbox` keeps the files that people upload until an ingest reads them.
"""
