"""Ingest of files as they change.

`folder_monitor` turns events of the file system into changes (`inotify` on Linux), and `watcher` groups a burst of
changes into one batch and ingests each batch.
"""
