"""Home page: `page` draws it, `queries` finds issues and latest changes, `example_questions` makes questions."""
