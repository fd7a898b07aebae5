"""Time expressions as intervals.

`tagger` finds them in a text by the rules of `english/` and `chinese/` (`grammar`), whose `meanings/` are read against
a context (`readings`). `document` and `fiscal_inference` say what a whole document tells of its own times,
`question` what a question asks for, `timeml` how a text is marked up.
"""
