"""Chat page: `page` draws the conversation that the address names.

`conversations` is the list of them and the turns of one, `running_answers` answers and follow-up questions that are
being made, `html` the pieces of an answer.
"""
