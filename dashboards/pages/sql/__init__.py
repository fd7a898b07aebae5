"""SQL page: a read-only console over the warehouse, lists of queries next to it, the result and its chart."""
