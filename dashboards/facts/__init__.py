"""What the pages tell: pure functions from the warehouse to rows, without Streamlit."""
