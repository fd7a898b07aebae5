"""Experiments over a grid of configurations.

`grids` runs a grid, and identifies its trials; `experiment_flow` is the Prefect flow that runs and keeps them, and
`losses` explains why one configuration lost questions that another answered.
"""
