"""Tools that a language model may use: one module each, or a family of them, in the form that `contract` gives.

Beside them: `inputs` that several share, `request_limits` on all, and the `document_spans`, `passage_texts` and
`document_descriptions` of their results.
"""
