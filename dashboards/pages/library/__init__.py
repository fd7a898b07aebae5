"""Library page: `library_page` lists and adds documents, `document_view` shows one, by `document_parts`."""
