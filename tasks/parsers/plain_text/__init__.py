"""Plain text: tables drawn with spaces or marks, printed lines, turns of speakers, captions and their cues."""
