"""Pages of the dashboard, a folder each.

In the folder X, `X_page.draw_page` draws with Streamlit, `X_queries` reads, `X_html` and `X_charts` render.
"""
