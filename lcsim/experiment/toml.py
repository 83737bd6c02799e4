"""Reads TOML files that people write, and says what is wrong with one."""

import tomllib
from pathlib import Path
from typing import Any

from lcsim.errors import ExperimentError

_EXAMPLE = "give the path of a TOML file, such as experiments/quickstart.toml"


def read_text(path: Path, what: str, *, hint: str = _EXAMPLE) -> str:
    """Return the text of a file that is `what`; raises ExperimentError where it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ExperimentError(
            f"{path}, line {line}: this is no UTF-8 text", hint="save the file as UTF-8"
        ) from error
    except OSError as error:
        raise ExperimentError(
            f"cannot read {what} {path}: {error.strerror or error}",
            hint=hint,
        ) from error


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return what a TOML text says; raises ExperimentError, which calls the text `where`."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ExperimentError(
            f"{where} nests its lists too deep", hint="an experiment needs two levels at most"
        ) from None
    except tomllib.TOMLDecodeError as error:
        end = f"at the end, line {text.count(chr(10)) + 1}"
        said = str(error).replace("at end of document", end)
        raise ExperimentError(
            f"{where} is no valid TOML: {said}", hint="mend that line; see https://toml.io"
        ) from error
    except ValueError:  # a number of thousands of digits, which Python refuses to read
        raise ExperimentError(
            f"{where} has a number that is too long to be read",
            hint="the longest that is of use has 20 digits",
        ) from None
