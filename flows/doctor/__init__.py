"""Diagnosis of an installation and a warehouse, with a cure for each problem.

`examination` runs the checks of `installation_checks` and `warehouse_checks`; `diagnosis` holds what a check takes and
gives.
"""
