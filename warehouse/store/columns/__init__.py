"""Columns of passages, times and names as mapped files of a generation, made from the lake."""
