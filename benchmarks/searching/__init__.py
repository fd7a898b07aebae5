"""What the search benchmark is made of: a large warehouse, peers, and the measuring of speed and recall."""
