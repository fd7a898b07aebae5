"""Runs page: imports with their cost, the difference between two generations, the Prefect server and the disk.

`comparison` draws the difference between two generations, `queries` reads, `charts` draws.
"""
