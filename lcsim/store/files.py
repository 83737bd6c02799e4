"""Files that are there whole or not at all, and disk errors said as sentences."""

import errno
import hashlib
import json
import os
import secrets
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lcsim.errors import RunDirError, StoreError

TEMPORARY = ".tmp"
CHECK = "check"
"""The key of a manifest's own digest."""


@contextmanager
def explain_disk_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn an OSError inside into a StoreError: "cannot `doing` `path`: the system's reason"."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(
            f"cannot {doing} {path}: {reason}",
            hint="make room or choose another folder, then give the same command again: "
            "what is already stored is not played again",
        ) from error


def read_file(path: Path) -> bytes:
    """Return a file's bytes; a pipe or a device, which might never end, is refused unopened.

    Raises:
        OSError: there is no such file, it cannot be read, or it is no file.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a folder is told of by the system
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
    return path.read_bytes()


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` under a temporary name beside `path`, then rename it.

    Whoever reads `path` finds the old file or the new one. A process that dies in between leaves
    a file ending in `.tmp`, which nobody reads and the next start removes. Its name is the writer's
    own, so that two may write the same file at once, from different machines too.

    Raises:
        StoreError: the disk is full, or the folder cannot be written.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")
    with explain_disk_errors("write", path):
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def explain_json_error(error: Exception) -> str:
    """Say why `json.loads` gave up."""
    if isinstance(error, RecursionError):
        return "it nests too deep"
    if isinstance(error, UnicodeDecodeError):
        return "it is no UTF-8 text"
    if isinstance(error, json.JSONDecodeError):
        return str(error)
    return "it has a number of thousands of digits"


def check_version(
    manifest: Any, file: Path, *, mark: str, version: int, elsewhere: str, again: str
) -> dict[str, Any]:
    """Return a manifest after holding its `mark`, the version of its schema, to this lcsim's.

    `elsewhere` and `again` are what to do about a file that is none, and about another version.

    Raises:
        RunDirError: lcsim did not write it, or one of another version did.
    """
    found = manifest.get(mark) if isinstance(manifest, dict) else None
    if found is None:
        raise RunDirError(
            f"{file} was not written by lcsim: it has no key {mark!r}", hint=elsewhere
        )
    if found != version:
        is_newer = isinstance(found, int) and found > version
        wanted = "a newer lcsim" if is_newer else "the lcsim that wrote it"
        raise RunDirError(
            f"{file} has the schema version {found!r}, and this lcsim reads {version}",
            hint=f"use {wanted}, or {again}",
        )
    read: dict[str, Any] = manifest
    return read


def seal_manifest(manifest: Mapping[str, Any], but: Collection[str] = ()) -> dict[str, Any]:
    """Return a manifest as it is written: with a digest of all that is in it, `but` for some."""
    return {**manifest, CHECK: _digest_manifest(manifest, but)}


def is_sealed(manifest: Mapping[str, Any], but: Collection[str] = ()) -> bool:
    """Tell whether a manifest is as `seal_manifest` left it."""
    return bool(manifest.get(CHECK) == _digest_manifest(manifest, but))


def _digest_manifest(manifest: Mapping[str, Any], but: Collection[str]) -> str:
    kept = {key: manifest[key] for key in manifest if key != CHECK and key not in but}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def is_temporary(path: Path, name: str = "*") -> bool:
    """Tell whether `path` is a temporary file that `replace_file` left for a file `name`."""
    return path.match(f"{name}.*{TEMPORARY}")


def remove_temporary_files(folder: Path, name: str = "*") -> None:
    """Remove what a killed process left half written in `folder`, of the file `name` or of all."""
    if folder.is_dir():
        with explain_disk_errors("clean", folder):
            for path in folder.iterdir():
                if is_temporary(path, name):
                    path.unlink(missing_ok=True)
