"""Home page: `home_page` draws it, `home_queries` finds issues, latest changes and example questions."""
