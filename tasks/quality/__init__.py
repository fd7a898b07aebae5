"""How well passages will serve retrieval: coded findings and the score they explain."""
