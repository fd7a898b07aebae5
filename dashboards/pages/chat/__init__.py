"""Chat page: `conversations` lists them and draws their turns, `running_answers` draws those being made."""
