"""What of a document a question is shown, measured against the excerpts that answer it."""
