"""Defects put into clean notes, one or several a file: each takes a note and gives it back with the defect."""
