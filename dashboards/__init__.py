"""Interfaces of Kalends: command line, HTTP API, MCP server, Streamlit pages, and the assistant behind them."""
