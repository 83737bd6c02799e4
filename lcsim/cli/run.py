"""`lcsim run`: a few strategies against each other, answered at once."""

EPILOG = ""


def run() -> None:
    """Stub."""
