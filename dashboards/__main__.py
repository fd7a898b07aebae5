"""Entry point of the dashboard's process: Streamlit's command line, and the thread that preloads what a question needs.

python -m dashboards run dashboards/pages/app.py --server.port=8501
"""

from __future__ import annotations

from streamlit.web.cli import main

from dashboards.preload import start_preloading

if __name__ == "__main__":
    start_preloading()
    # The name that Streamlit shows of its command.
    main(prog_name="streamlit")
