"""Search page: `page` draws the form and the answer, `hits` each passage with its actions, `queries` reads the rest."""
