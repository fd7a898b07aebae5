"""The report of a check in the forms that people and programs read; a form is a file here."""
