"""Charts: pure functions from rows to Altair charts, in the theme that the dashboard is run with."""
