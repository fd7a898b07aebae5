"""Settings: their models, the files and variables that they are read from, and secrets kept out of logs.

models        one frozen pydantic class a concern
loader        `Settings`, read from `kalends.toml`, `KALENDS_*` variables and the command line, with origins
secrets       values that no log, page or message may show
"""
