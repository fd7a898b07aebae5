"""Library page: `page` lists and adds documents, `document_view` shows one; `queries` and `html` serve both."""
