"""Coverage of time by the reports of companies.

`companies`: the companies of a warehouse with their reports. `calendar`: the fiscal periods of a company, which of them
its reports cover, and which are missing.
"""
