"""Experiments: the settings to try, the identity of each trial, and the comparison of their outcomes."""
