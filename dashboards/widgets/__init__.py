"""Streamlit widgets that several pages share.

`state` owns the session's state and the address, `navigation` the pages and links, `login` the access, `resources` the
warehouse and embedder of the process and cached queries; all other are drawn by pages.
"""
