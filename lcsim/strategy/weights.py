"""Weights of a batch strategy: arrays in a file beside its own, read as data and never run."""

import hashlib
import inspect
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.errors import StrategyLoadError

SUFFIX = ".npz"
MOST_BYTES = 2**28
"""Bytes that the arrays of a file may take once they are unpacked."""

Arrays = Mapping[str, npt.NDArray[Any]]


class Weights:
    """Arrays that a batch strategy keeps in a file beside its own: `net = Weights("mine.npz")`.

    The file is what `numpy.savez` writes: arrays of numbers, all finite. On an instance the name is
    a mapping from their names to the arrays, which cannot be written to. They are part of the
    strategy's digest, and a run keeps the file with its source.
    """

    def __init__(self, file: str) -> None:
        if not isinstance(file, str) or not file.endswith(SUFFIX) or {"/", "\\"} & set(file):
            raise ValueError(
                f"Weights: {file!r} is not the name of a {SUFFIX} file beside the strategy"
            )
        self.file = file


def list_weights(cls: type) -> dict[str, Weights]:
    """Return the declared weights of a strategy class by name."""
    found: dict[str, Weights] = {}
    for base in reversed(cls.__mro__):
        found.update({k: v for k, v in vars(base).items() if isinstance(v, Weights)})
    return found


def read_arrays(data: bytes, name: str) -> Arrays:
    """Return the arrays of a file's bytes by name; raises StrategyLoadError naming the file.

    Nothing in it is unpickled, and no array of it can be written to.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > MOST_BYTES:
            raise ValueError(f"its arrays take {size:,} bytes, of {MOST_BYTES:,} allowed")
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return MappingProxyType({key: _seal(stored[key], key) for key in stored.files})
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, MemoryError) as error:
        raise StrategyLoadError(
            f"the weights {name} cannot be used: {error}",
            hint="Write them with numpy.savez: named arrays of finite numbers, no objects.",
        ) from error


def read_files(path: Path, cls: type) -> dict[str, bytes]:
    """Return the files that a strategy's class names, from beside its own file at `path`, by name.

    Raises StrategyLoadError for one that cannot be used.
    """
    files = {}
    for name, weights in list_weights(cls).items():
        line = inspect.getsourcelines(cls)[1]
        what = f"{path}, line {line}: {cls.__name__}.{name}: "
        try:
            data = (path.parent / weights.file).read_bytes()
            read_arrays(data, weights.file)
        except OSError as error:
            raise StrategyLoadError(
                f"{what}the weights {weights.file} cannot be read: {error.strerror or error}",
                hint="They lie in the folder of the strategy's file.",
                path=path,
                line=line,
            ) from error
        except StrategyLoadError as error:
            raise StrategyLoadError(
                what + error.message, hint=error.hint, path=path, line=line
            ) from error
        files[weights.file] = data
    return files


def digest_file(data: bytes) -> str:
    """Return the digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def _seal(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} is an array of {array.dtype}, not of numbers")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    sealed = np.frombuffer(array.tobytes(), array.dtype)
    return sealed.reshape(array.shape)
