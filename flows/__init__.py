"""Flows: what runs, in which order, on which schedule.

An ingest goes through `ingest`, `roots` and `discovery` (which files), `planning` (what changed), `drafts` and
`execution` (the stages), with `corrections` and `document_facts` for the plan, `publication` for its results,
`progress` for observers, `locks` for one writer at a time, and `orchestration` for the Prefect server. `watch/` ingests
changes as they happen, `service/` runs schedules in the background, `maintenance` removes unused files, `doctor`
diagnoses a warehouse. `check` and `checked_files` find faults of documents; `evaluation`, `datasets` and `experiments/`
measure retrieval.
"""
