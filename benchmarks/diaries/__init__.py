"""Invented diaries whose truth is known, the files they are written in, and questions about their days."""
