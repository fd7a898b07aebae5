"""Chat page: `chat_page` draws conversations with their turns, `running_answers` those that are being made."""
