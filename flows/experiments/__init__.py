"""Experiments over a grid of configurations.

`grids` runs a grid, `trials` identifies and keeps its trials, `experiment_flow` is the Prefect flow that runs them, and
`losses` explains why one configuration lost questions that another answered.
"""
