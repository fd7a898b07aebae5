"""All that people and assistants talk to."""
