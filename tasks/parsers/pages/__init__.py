"""Pages of a PDF: from characters to lines, ruled tables, paragraphs, headings and running heads."""
