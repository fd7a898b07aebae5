"""Parts of the parser of books (`epub`).

`epub_package` reads the metadata and the pages of a book, `contents_table` its table of contents, `chapter_page` a
chapter.
"""
