"""Parsers of file formats, from bytes to documents.

A file whose object `member` is a parser reads a format, one with `members` reads several: `asciidoc`, `clippings`
(Kindle), `course`, `delimited` (CSV), `edgar`, `eml`, `epub`, `html`, `ics` (calendars), `jats`, `json_data`, `latex`,
`markdown`, `mbox`, `mediawiki`, `msg` (Outlook), `notebook` (Jupyter), `odt` (OpenDocument), `org`, `pdf/`,
`presentations` (PPT, PPTX, ODP), `publisher_xml`, `references` (PubMed, RIS, BibTeX), `rst`, `rtf`, `subtitles`,
`tagged_records` (vCard, OFX, QIF, GEDCOM), `text`, `word_documents` (DOC, DOCX), `workbooks` (XLS, XLSB, ODS), `xlsx`,
`xml_data`. Their parts are in folders: `book/` (EPUB), `data/` (JSON and XML), `mail/` (EML, ICS, MBOX, MSG), `notes/`
(Markdown, Org, reStructuredText), `office/` (packages, properties and rich text), `pdf/`, `plain_text/` (tables, turns,
captions), `publications/` (JATS, BibTeX), `sheets/` (workbooks), `slides/` (PPT, PPTX, ODP), `tex/` (LaTeX), `web/`
(HTML), `word/` (DOC, DOCX, ODT) and `xbrl/`.

`reader` chooses the parser of a file; `parser_contract` is the interface of a parser. Every parser builds its document
with `assembly` and refuses a file by `refusals`. `parser_pool` reads heavy files in processes (`parser_process`). The
others are for several formats: `dated_lines`, `decoder` (encodings), `document_head` (titles and datelines),
`language`, `numerals`, `picture_words`, `table_form`, `textless_suffixes`, `trees` (XML and HTML), `written_dates`.
"""
