"""Where the strategies and experiments that come with lcsim lie, in a checkout or installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def find_shipped(name: str) -> Path:
    """Return the folder `name` ("strategies" or "experiments") that ships with lcsim.

    A wheel carries the folders inside the package; a checkout has them beside it.
    """
    installed = _PACKAGE / "_shipped" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
