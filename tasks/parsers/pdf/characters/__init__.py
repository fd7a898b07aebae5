"""Characters of a page and the lines it draws: content streams, fonts, lost glyphs, OCR."""
