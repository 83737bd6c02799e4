"""The command line: one file a command, and one place for errors."""
