"""Search page: `search_page` draws the form, the answer and the hits, `search_queries` reads the rest."""
