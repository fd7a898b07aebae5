"""Experiments: which settings are tried, what each trial is known by, and what its outcomes say beside the others'."""
