"""SQL page: a read-only console over the warehouse, lists of queries beside it, the result and its chart."""
