"""Bytes made into documents.

A file whose object `member` is a parser reads a format: `course`, `delimited` (CSV), `docx`, `html`, `jats`,
`markdown`, `pdf/`, `publisher_xml`, `subtitles`, `text`. Its parts stand in the folder of the format: `notes/`
(Markdown), `papers/` (XML), `pdf/`, `web/` (HTML), `word/` (DOCX).

`reader` chooses the parser of a file; `parser_contract` says what a parser is. Every parser builds its document with
`assembly` and refuses a file by `refusals`. `parser_pool` reads heavy files in processes (`parser_process`). The rest
is shared by several formats: `decoder` (encodings), `language`, `numerals`, `symbol_fonts`, `table_form`,
`table_spans`, `titles`, `trees` (XML and HTML), `written_dates`.
"""
