"""Estimates and their errors: integer arrays in, numbers with errors out, no files."""
