"""Verification of quotations in the files that they come from.

`claims` are the passages and quotations to verify, and the proofs that result; `quote_verification` opens each file
again and compares the readings; `pdf_words` reads the boxes of PDF pages by another reader.
"""
