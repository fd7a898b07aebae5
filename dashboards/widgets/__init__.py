"""Streamlit widgets that several pages share.

`state` owns the session's state and the address, `navigation` the pages and links, `login` the access, `resources` the
warehouse and embedder of the process. `search_filters`, `row_lists`, `sources`, `page_pictures`, `uploads`,
`import_status` and `correction_form` are drawn by pages; `browser_scripts` runs in the browser.
"""
