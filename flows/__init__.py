"""Flows: what runs, in which order, on which schedule.

An ingest goes through `ingest`, `roots` and `discovery` (which files), `planning` (what changed), `drafts` and
`execution` (the stages), with `corrections` and `document_facts` beside the plan, `progress` for who follows it,
`locks` for one writer at a time, and `orchestration` for the Prefect server. `watch/` ingests changes as they happen,
`service/` runs schedules in the background, `maintenance` keeps a warehouse small, `doctor` examines one. `check`,
`checked_files` and `checked_warehouse` judge the quality of documents; `evaluation`, `datasets` and `experiments/`
measure retrieval.
"""
