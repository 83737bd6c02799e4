"""Strategies' files as they are named in a file: from its own folder."""

import os
from pathlib import Path

from lcsim.errors import SpecError
from lcsim.strategy.spec import parse_spec


def find_beside(text: str, folder: Path | None) -> str:
    """Return a spec that names a file in such a way that it is found from where we are.

    A path is looked for in `folder` first; where nothing lies there it stays as it is.
    """
    try:
        spec = parse_spec(text)
    except SpecError:
        return text  # told by whoever loads it
    if folder is None or not spec.is_path:
        return text
    beside = folder / spec.target
    try:
        if not beside.is_file():
            return text
    except OSError:  # a name that is too long, say
        return text
    short = os.path.normpath(beside)  # which a link on the way may lead elsewhere
    path = short if Path(short).is_file() and Path(short).samefile(beside) else str(beside)
    return path + text.strip().removeprefix(spec.target)
