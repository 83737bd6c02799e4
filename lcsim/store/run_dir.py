"""A run's folder: `run.json` (the manifest), `parts/<unit>.parquet`, `sources/<strategy>.py`.

A run that forks moves has `forks/<unit>.parquet` too, whose units stand apart in the manifest.

The manifest is plain JSON. This file knows of it only what reading and continuing a run needs; the
runner decides what stands in it.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcsim.errors import RunDirError
from lcsim.store.files import (
    check_version,
    explain_disk_errors,
    explain_json_error,
    read_file,
    remove_temporary_files,
    replace_file,
    seal_manifest,
)
from lcsim.store.lock import claim_folder
from lcsim.store.schema import SCHEMA_VERSION

MANIFEST = "run.json"
PARTS = "parts"
FORKS = "forks"
SOURCES = "sources"
CIRCUMSTANCES = ("timing", "files")
"""What may differ between two runs of one command, and is no part of the manifest's own digest."""
_MARK = "lcsim_run"
_LONG_LISTS = ("units", "fork_units")

Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunDir:
    """A run as it lies on disk: its folder, and its manifest as it was when it was opened."""

    path: Path
    manifest: Manifest

    def find_part(self, unit: str) -> Path:
        """Return where the part of the unit with that id lies, or will lie."""
        return self.path / PARTS / f"{unit}.parquet"

    def find_fork_part(self, unit: str) -> Path:
        """Return where the part of the unit of forks with that id lies, or will lie."""
        return self.path / FORKS / f"{unit}.parquet"

    def list_parts(self, matchup: int | None = None) -> list[Path]:
        """Return the parts that exist, in the order of the units; of one matchup where asked."""
        units = self.manifest.get("units", [])
        paths = [
            self.find_part(unit["id"])
            for unit in units
            if matchup is None or unit["matchup"] == matchup
        ]
        return [path for path in paths if path.exists()]

    def remove_temporary_files(self) -> None:
        """Remove what killed processes left half written."""
        for name in (PARTS, SOURCES, FORKS):
            remove_temporary_files(self.path / name)

    def is_finished(self) -> bool:
        """Tell whether the run reached its end, rather than being under way or interrupted."""
        return self.manifest.get("status") == "finished"

    def write_manifest(self, manifest: Mapping[str, Any]) -> "RunDir":
        """Put `manifest` in place of the old one, whole or not at all, and return the new run."""
        marked = seal_manifest({_MARK: SCHEMA_VERSION, **manifest}, CIRCUMSTANCES)
        folders = (PARTS, SOURCES, FORKS) if manifest.get("fork_units") else (PARTS, SOURCES)
        with explain_disk_errors("create", self.path):
            for name in folders:
                (self.path / name).mkdir(exist_ok=True)
        replace_file(self.path / MANIFEST, _encode(marked))
        return RunDir(self.path, marked)

    def write_source(self, name: str, data: bytes) -> None:
        """Keep a strategy's source, or a file from beside it, as `sources/<name>`."""
        path = self.path / SOURCES / name
        if not (path.is_file() and path.read_bytes() == data):
            replace_file(path, data)


def open_run(path: Path) -> RunDir:
    """Open the run in the folder `path` for reading.

    Raises:
        RunDirError: there is no folder, no run in it, or one that this lcsim cannot read.
    """
    file = path / MANIFEST
    if not path.exists():
        raise RunDirError(
            f"there is no folder {path}", hint="play it first: lcsim run … --out " + str(path)
        )
    if not path.is_dir():
        raise RunDirError(f"{path} is a file, not the folder of a run")
    if not file.exists():
        raise RunDirError(
            f"{path} holds no run: {MANIFEST} is missing",
            hint="give the folder that `lcsim run` or `lcsim match --out` wrote",
        )
    return RunDir(path, _read_manifest(file))


@contextlib.contextmanager
def claim_run(path: Path) -> Iterator[RunDir]:
    """Hold the folder `path` for playing; its manifest is empty where the run is new.

    The folder is created if need be. Temporary files of a killed process are removed.

    Raises:
        RunDirError: the folder holds something else, or another process holds it.
        StoreError: it cannot be created or written.
    """
    with claim_folder(path, MANIFEST, "a run"):
        RunDir(path, {}).remove_temporary_files()
        file = path / MANIFEST
        yield RunDir(path, _read_manifest(file) if file.exists() else {})


def find_difference(old: object, new: object, at: str = "") -> tuple[str, object, object] | None:
    """Return the first place where two manifests differ, as (path, old value, new value).

    A key or entry that one side lacks has the value None there.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            found = find_difference(old.get(key), new.get(key), f"{at}.{key}" if at else str(key))
            if found:
                return found
        return None
    if isinstance(old, list) and isinstance(new, list):
        for number in range(max(len(old), len(new))):
            before, after = (s[number] if number < len(s) else None for s in (old, new))
            found = find_difference(before, after, f"{at}[{number}]")
            if found:
                return found
        return None
    return None if old == new and type(old) is type(new) else (at, old, new)


def _read_manifest(file: Path) -> Manifest:
    with explain_disk_errors("read", file):
        data = read_file(file)
    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RunDirError(
            f"{file} is damaged: {explain_json_error(error)}",
            hint="take the file as it was written, or play the run again in a new folder (--out)",
        ) from error
    result: Manifest = check_version(
        manifest,
        file,
        mark=_MARK,
        version=SCHEMA_VERSION,
        elsewhere="choose another folder with --out",
        again="play the run again in a new folder",
    )
    return result


def _encode(manifest: Mapping[str, Any]) -> bytes:
    """Return JSON, indented, with each unit on one line: there can be thousands."""
    head = {key: value for key, value in manifest.items() if key not in _LONG_LISTS}
    text = json.dumps(head, indent=2, ensure_ascii=False, allow_nan=False)[:-2]
    for name in _LONG_LISTS:
        if name == "units" or name in manifest:
            lines = ",\n    ".join(json.dumps(unit) for unit in manifest.get(name, ()))
            text += f',\n  "{name}": [\n    {lines}\n  ]'
    return f"{text}\n}}\n".encode()
