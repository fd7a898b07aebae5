"""Streamlit widgets that several pages share.

`state` owns the session's state and the address, `navigation` the pages and links, `login` the access, `resources` the
warehouse and embedder of the process and cached queries. `data_elements`, `search_filters`, `sources`, `page_pictures`,
`imports`, `question_drafts` and `correction_form` are drawn by pages; `browser_scripts` runs `scripts/` in the browser.
"""
