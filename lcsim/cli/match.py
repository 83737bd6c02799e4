"""`lcsim match`: a few strategies against each other, answered at once."""

EPILOG = ""


def match() -> None:
    """Stub."""
