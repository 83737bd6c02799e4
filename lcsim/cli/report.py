"""`lcsim report`: a few strategies against each other, answered at once."""

EPILOG = ""


def report() -> None:
    """Stub."""
