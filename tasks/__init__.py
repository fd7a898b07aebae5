"""Every step of the pipeline: plain functions on records, one folder per stage, one file per named idea."""
