"""Whether an installation and a warehouse are well, and what to do where they are not."""
