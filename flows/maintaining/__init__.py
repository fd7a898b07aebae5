"""Maintenance: an older warehouse upgraded, small files merged, old generations and what nothing stands on removed."""
