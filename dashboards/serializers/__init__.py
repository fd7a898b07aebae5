"""Records as JSON, rows and files, the same for every interface; the catalogue of the library with its counts."""
