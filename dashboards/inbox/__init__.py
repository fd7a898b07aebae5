"""The warehouse's own folder: what people hand over in the dashboard, kept as files beside those of their folders."""
