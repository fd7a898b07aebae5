"""Timeline page: `timeline_page` draws dates over time, `coverage` and `figure` its other views."""
