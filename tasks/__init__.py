"""Every step of the pipeline: plain functions on records, one folder a stage, one file a named idea."""
