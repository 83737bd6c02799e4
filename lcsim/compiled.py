"""Compiled code, kept on disk for the user from one start to the next.

Numba caches machine code beside a function's source file and looks only at that file's date. A
kernel depends on more: on every rule it calls, on Numba, on Python. So each compilation unit gets a
folder of its own, named by a digest of all that decides it, with a copy of its source in it;
Numba's cache lies there, and its messages give the lines of that copy, which are the lines of the
original.
"""

import functools
import hashlib
import os
import platform
import shutil
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba.core.errors import NumbaExperimentalFeatureWarning

from lcsim.errors import UsageError

CACHE_VARIABLE = "LCSIM_CACHE_DIR"
ROOM = 8 * 2**20
"""Bytes that must be free before something is compiled: several times what any of it takes."""

# Function pointers are how the kernel reaches strategies; Numba calls them experimental at each
# use.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


@functools.cache
def find_cache_dir() -> Path:
    """Return the writable folder for compiled code: $LCSIM_CACHE_DIR, or the user's cache folder.

    Where the user's own cache folder cannot be written, a temporary one serves this process.
    """
    wanted = os.environ.get(CACHE_VARIABLE)
    folder = Path(wanted) if wanted else platformdirs.user_cache_path("lcsim")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        if wanted:
            raise UsageError(
                f"{CACHE_VARIABLE}={wanted} cannot be written: {error.strerror or error}",
                hint=f"Point {CACHE_VARIABLE} to a folder that can be written, or unset it.",
            ) from error
        return Path(tempfile.mkdtemp(prefix="lcsim-cache-"))


@functools.cache
def digest_platform() -> str:
    """Return a digest of the sources that end up in machine code, the compiler and the machine."""
    parts = [numba.__version__, np.__version__, platform.python_version(), platform.machine()]
    package = Path(__file__).parent
    rooms = [package / "rules", package / "strategy"]
    sources = sorted([*package.glob("*.py"), *(p for room in rooms for p in room.rglob("*.py"))])
    parts += [source.read_text(encoding="utf-8") for source in sources]
    return digest_text(*parts)


def digest_text(*parts: str) -> str:
    """Return a hex digest of `parts` that depends on where each of them ends."""
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part.encode()).digest())
    return total.hexdigest()


class CompilationUnit:
    """A folder of the cache for functions compiled from one source file.

    `decides` is everything beside the rules, the compiler and the machine on which the machine code
    depends.
    """

    def __init__(self, source: Path, text: str, *decides: str) -> None:
        digest = digest_text(digest_platform(), text, *decides)
        self.source = source
        self.path = find_cache_dir() / f"{source.stem}-{digest[:24]}" / source.name
        if not self.path.exists():
            with _explain_disk_errors():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                _write_once(self.path, text)

    def is_compiled(self, name: str) -> bool:
        """Tell whether machine code of the function `name` is in the cache."""
        return any((self.path.parent / "__pycache__").glob(f"*{name}-*.nbi"))

    def compile(
        self, function: Callable[..., Any], signature: Any, namespace: Mapping[str, Any]
    ) -> Any:
        """Compile `function` for `signature`, without the GIL, from the cache where it is there.

        `namespace` is added to its globals. A function of another file than the unit's gets a copy
        of that file beside it.

        Raises:
            UsageError: it is not in the cache, and there is no room for it.
        """
        was_compiled = self.is_compiled(function.__name__)
        if not was_compiled:
            _require_room()
        plain: Any = function
        path = self.path
        if Path(plain.__code__.co_filename) != self.source:
            origin = Path(plain.__code__.co_filename)
            path = self.path.parent / f"lcsim_{origin.parent.name}_{origin.name}"
            if not path.exists():
                with _explain_disk_errors():
                    _write_once(path, origin.read_text(encoding="utf-8"))
        code = rebase_code(plain.__code__, str(path))
        moved = types.FunctionType(code, {**plain.__globals__, **namespace}, plain.__name__)
        # Compiled code is linked by name, that of the cache with that of this process: the name has
        # to tell units apart.
        moved.__qualname__ = f"{self.path.parent.name}_{plain.__name__}".replace("-", "_")
        with _explain_disk_errors():
            try:
                return numba.njit(signature, cache=True, nogil=True)(moved)
            except OSError:
                raise
            except Exception:
                if not was_compiled:
                    raise
            # What had been compiled cannot be read any more: it was cut short, or altered.
            for damaged in self._list_machine_code(plain.__name__):
                damaged.unlink(missing_ok=True)
            return numba.njit(signature, cache=True, nogil=True)(moved)

    def _list_machine_code(self, name: str) -> list[Path]:
        return list((self.path.parent / "__pycache__").glob(f"*{name}-*.nb?"))


def rebase_code(code: types.CodeType, filename: str) -> types.CodeType:
    """Return `code` as if it stood in the file of that name, on the same lines."""
    constants = tuple(
        rebase_code(item, filename) if isinstance(item, types.CodeType) else item
        for item in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


def _write_once(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _require_room() -> None:
    """Refuse to begin a compilation whose result could not be kept, before it takes its time."""
    free = shutil.disk_usage(find_cache_dir()).free
    if free < ROOM:
        raise _refuse_folder(f"{free / 2**20:.1f} MB are free, and {ROOM / 2**20:.0f} are needed")


@contextmanager
def _explain_disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refuse_folder((error.strerror or str(error)).lower()) from error


def _refuse_folder(reason: str) -> UsageError:
    return UsageError(
        f"compiled code cannot be kept in {find_cache_dir()}: {reason}",
        hint=f"Make room there, or let {CACHE_VARIABLE} name a folder on another disk.",
    )
