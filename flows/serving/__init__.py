"""The warehouse in service: what runs in the background, and what is deployed for the clock to start."""
