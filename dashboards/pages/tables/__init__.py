"""The page of tables, its parts a file each."""
