"""Faults done to real runs: processes killed at every file they touch, full disks, damaged files, unmounted shares."""
