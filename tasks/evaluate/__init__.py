"""Evaluation with judged questions: reading them, answering them with trial settings, measuring the answers."""
