"""A tuning's folder: `tune.json` (what was asked and what came out) and `generations.jsonl`.

The source of each strategy that takes part lies under `sources/`.

Every generation is a line that is added when it has been played, so that a tuning that was stopped
goes on behind the last whole line. Both files are plain JSON; nothing in them is executed.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcsim.errors import RunDirError
from lcsim.store.files import explain_disk_errors, replace_file
from lcsim.store.lock import claim_folder
from lcsim.store.run_dir import SOURCES

MANIFEST = "tune.json"
GENERATIONS = "generations.jsonl"
TUNED = "tuned.toml"
_MARK = "lcsim_tune"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class TuneDir:
    """A tuning as it lies on disk."""

    path: Path

    @property
    def is_begun(self) -> bool:
        """Whether a tuning lies here."""
        return (self.path / MANIFEST).exists()

    def read_manifest(self) -> dict[str, Any]:
        """Return what was asked and what came out; raises RunDirError."""
        file = self.path / MANIFEST
        try:
            manifest = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise RunDirError(
                f"{file} cannot be read: {error}", hint="tune into another folder"
            ) from error
        if not isinstance(manifest, dict) or manifest.get(_MARK) != _VERSION:
            raise RunDirError(
                f"{file} is no tuning of this version of lcsim", hint="tune into another folder"
            )
        return manifest

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Put the manifest in place of the old one, whole or not at all."""
        text = json.dumps({_MARK: _VERSION, **manifest}, indent=1, ensure_ascii=False)
        replace_file(self.path / MANIFEST, (text + "\n").encode())

    def read_generations(self) -> list[dict[str, Any]]:
        """Return the generations that were played; a line cut short by a kill is left out."""
        file = self.path / GENERATIONS
        found: list[dict[str, Any]] = []
        if not file.exists():
            return found
        for line in file.read_bytes().split(b"\n"):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                break
            if not isinstance(record, dict) or record.get("number") != len(found):
                break
            found.append(record)
        return found

    def write_generations(self, records: list[dict[str, Any]]) -> None:
        """Write the file anew, as it stood after the last whole line."""
        replace_file(self.path / GENERATIONS, b"".join(map(_encode, records)))

    def add_generation(self, record: Mapping[str, Any]) -> None:
        """Add a line for a generation."""
        file = self.path / GENERATIONS
        with explain_disk_errors("write", file), file.open("ab") as lines:
            lines.write(_encode(record))

    def write_source(self, name: str, data: bytes) -> None:
        """Keep a strategy's source, or a file from beside it, as `sources/<name>`."""
        with explain_disk_errors("create", self.path / SOURCES):
            (self.path / SOURCES).mkdir(exist_ok=True)
        replace_file(self.path / SOURCES / name, data)

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file beside the manifest and return its path."""
        replace_file(self.path / name, text.encode())
        return self.path / name


@contextlib.contextmanager
def claim_tuning(path: Path) -> Iterator[TuneDir]:
    """Hold the folder of a tuning, made where it is missing, while the body runs.

    Raises:
        RunDirError: it holds something else, or another process holds it.
        StoreError: it cannot be made.
    """
    with claim_folder(path, MANIFEST, "a tuning"):
        yield TuneDir(path)


def _encode(record: Mapping[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False) + "\n").encode()
