"""The Parquet lake, the generations published over it, and their indexes."""
