"""Answers in words: the model's with proof, and extracts where there is no model."""
