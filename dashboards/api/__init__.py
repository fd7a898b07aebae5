"""The HTTP API, in JSON and server-sent events: `app` (application, server), endpoints, `runtime` (shared state)."""
