"""What is read from disk for a strategy: files, and never what might not end."""

from pathlib import Path


def check_is_file(path: Path) -> None:
    """Raise OSError where `path` is there and no file, such as a pipe: reading might never end.

    Links are followed; a missing file is left to whoever opens it.
    """
    if path.exists() and not path.is_file():
        raise OSError(0, "it is not a file")
