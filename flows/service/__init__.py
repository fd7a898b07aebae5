"""The warehouse as a service in the background.

`processes` runs the Prefect server and its worker, `deployments` declares what is scheduled, `scheduled_flows` are the
flows that are started that way, `artifacts` what a run leaves on the server, and `run_history` reads its record.
"""
