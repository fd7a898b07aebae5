"""The warehouse as a service in the background.

`processes` runs the Prefect server and its worker, `deployments` declares the schedules of `scheduled_flows`,
`artifacts` stores results of a run on the server, and `run_history` reads its runs.
"""
