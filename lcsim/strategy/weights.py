"""Weights of a batch strategy: arrays in a file beside its own, read as data and never run."""

import hashlib
import inspect
import io
import math
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.errors import StrategyLoadError
from lcsim.strategy.files import check_is_file
from lcsim.strategy.seal import seal_array

SUFFIX = ".npz"
MOST_BYTES = 2**28
"""Bytes that the arrays of a file may take once they are unpacked."""
_UNREADABLE = (
    *(ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, MemoryError),
    *(NotImplementedError, RuntimeError, zlib.error),
)
_ROOM = 2**20  # bytes of a file beside its arrays

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


class MissingArrayError(KeyError):
    """A strategy asks for an array that its weights do not have; the text names those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class _Named(dict[str, npt.NDArray[Any]]):
    def __init__(self, arrays: Arrays, file: str) -> None:
        super().__init__(arrays)
        self.file = file

    def __missing__(self, name: str) -> npt.NDArray[Any]:
        has = ", ".join(map(repr, self)) or "no array at all"
        raise MissingArrayError(f"the weights {self.file} have no {name!r} but {has}")


def read_arrays(data: bytes, name: str) -> Arrays:
    """Return the arrays of a file's bytes by name; raises StrategyLoadError naming the file.

    Nothing in it is unpickled, and no array of it can be written to.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = max(
                sum(entry.file_size for entry in archive.infolist()),
                sum(_read_size(archive, name) for name in archive.namelist()),
            )
        if size > MOST_BYTES:
            raise ValueError(f"its arrays take {size:,} bytes, of {MOST_BYTES:,} allowed")
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            arrays = {key: _seal(stored[key], key) for key in stored.files}
            return MappingProxyType(_Named(arrays, name))
    except _UNREADABLE as error:
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
            data = _read_file(path.parent / weights.file)
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
    return seal_array(array)


def _read_file(path: Path) -> bytes:
    """Return the bytes of a file, which may be a link; raises OSError, or
    StrategyLoadError for one that is too big.
    """
    check_is_file(path)
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + _ROOM + 1)
    if len(data) > MOST_BYTES + _ROOM:
        size = path.stat().st_size
        raise StrategyLoadError(
            f"the weights {path.name} cannot be used: they take {size:,} bytes, of "
            f"{MOST_BYTES:,} allowed",
            hint="Keep less in them.",
        )
    return data


def _read_size(archive: zipfile.ZipFile, name: str) -> int:
    """Return how many bytes an array would take by its own account; 0 for what is none."""
    with archive.open(name) as file:
        try:
            version = np.lib.format.read_magic(file)
        except ValueError:
            return 0
        read = getattr(np.lib.format, f"read_array_header_{version[0]}_{version[1]}", None)
        if read is None:
            raise ValueError(f"{name} is an array of another format, {version}")
        shape, _, dtype = read(file)
    return int(math.prod(shape) * dtype.itemsize)
