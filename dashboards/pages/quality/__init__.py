"""Quality page: `quality_page` draws the overview, `findings` lists and what the address opens of them."""
