"""Runs page: imports with their cost, the difference between two generations, the Prefect server and the disk."""
