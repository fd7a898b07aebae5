"""Settings: their models, the files and variables that they are read from, and secrets excluded from logs.

models        one frozen pydantic class a concern
loader        `Settings`, read from `kalends.toml`, `KALENDS_*` variables and the command line, with origins
env_file      variables from the file `.env` next to `kalends.toml`
addresses     servers that settings name, and which files may name them
secrets       values that no log, page or message may show
"""
