"""Ingests beside what answers: one at a time, each in a process of its own, started by the API and the dashboard."""
