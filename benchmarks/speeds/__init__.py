"""What the benchmark of speed is made of: corpora, runs in processes of their own, a peer, tables of figures."""
