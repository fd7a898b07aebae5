"""Timeline page: `timeline_page` draws dates over time and coverage, `figure` one figure through all documents."""
