"""Chat page: `page` draws the conversation that the address names.

`conversations` is the list of them, `turns` a question with its answer, `running_answers` answers that are being made,
`suggestions` follow-up questions, `html` the pieces of an answer.
"""
