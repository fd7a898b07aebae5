"""Bytes made into documents.

A file whose object `member` is a parser reads a format: `course`, `delimited` (CSV), `docx`, `eml`, `epub`, `html`,
`ics` (calendars), `jats`, `json_data`, `markdown`, `mbox`, `msg` (Outlook), `notebook` (Jupyter), `odt`, `pdf/`,
`pptx`, `publisher_xml`, `rtf`, `subtitles`, `text`, `workbooks` (XLS, XLSB, ODS), `xlsx`, `xml_data`. Their parts:
`jats_front`, `page_blocks` (HTML), and the folders `book/` (EPUB), `data/` (JSON and XML), `mail/` (EML, ICS, MBOX,
MSG), `notes/` (Markdown), `pdf/`, `sheets/` (workbooks), `slides/` (PPTX) and `word/` (DOCX, ODT).

`reader` chooses the parser of a file; `parser_contract` says what a parser is. Every parser builds its document with
`assembly` and refuses a file by `refusals`. `parser_pool` reads heavy files in processes (`parser_process`). The rest
is shared by several formats: `decoder` (encodings), `language`, `numerals`, `office_package` (archives),
`office_properties`, `rich_text`, `symbol_fonts`, `table_form`, `textless_suffixes`, `titles`, `trees` (XML and HTML),
`written_dates`.
"""
