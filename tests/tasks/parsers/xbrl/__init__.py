"""Inline XBRL: filings that nobody filed, and what is read of them."""
