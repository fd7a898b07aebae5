"""Presentations of PowerPoint, old ones (`old_presentation`) and OpenDocument (`open_slides`): slides and their shapes.

The parts of the package, shapes in reading order, their texts, tables and charts, and what makes a document of them.
"""
