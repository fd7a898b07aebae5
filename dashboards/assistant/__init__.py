"""The assistant: answers to questions, by a language model with proof, or as quotations where there is no model.

`answers` is the one entry for every face and `answer_types` has what it returns. An answer comes from `model_answers`
(`loop`, `streaming`, `citable_passages`, `proof`), from `extract_answers`, or from the collection's records. `sessions`
keeps conversations; `query_rewriting` reads a question in its conversation.
`service` is the Messages API's client, `prompts` the words sent to it, `tools` what a model may use, and `vault` the
notes that tools read and write.
"""
