"""Tools that a language model may use: one module each, or a family of them, in the form that `contract` gives.

With them: `request_limits` on all, and the `document_spans` of their results.
"""
