"""Parts of the parser of books (`epub`).

`epub_package` finds what an archive says of its book, `contents_table` its table of contents, and `chapter_page` reads
a chapter.
"""
