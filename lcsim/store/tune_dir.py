"""A tuning's folder: `tune.json` (what was asked and what came out) and `generations.jsonl`.

The source of each strategy that takes part lies under `sources/`.

Every generation is a line that is added when it has been played, so that a tuning that was stopped
goes on behind the last whole line. Each line ends in a digest of all lines up to there, and
`tune.json` in one of its own: what was changed later is refused. Both files are plain JSON; nothing
in them is executed.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcsim.errors import RunDirError
from lcsim.store.files import (
    CHECK,
    check_version,
    explain_disk_errors,
    explain_json_error,
    is_sealed,
    read_file,
    replace_file,
    seal_manifest,
)
from lcsim.store.lock import claim_folder
from lcsim.store.run_dir import SOURCES

MANIFEST = "tune.json"
GENERATIONS = "generations.jsonl"
TUNED = "tuned.toml"
_MARK = "lcsim_tune"
_VERSION = 2
_CHECK_DIGITS = 24


@dataclass(slots=True)
class Generations:
    """The generations of a tuning as they lie on disk; `check` is the last line's digest.

    `was_cut` tells that a kill left half a line behind them.
    """

    file: Path
    check: str
    records: list[dict[str, Any]]
    was_cut: bool = False

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a line for a generation; raises StoreError."""
        self.check, line = _write_line(record, self.check)
        with explain_disk_errors("write", self.file), self.file.open("ab") as lines:
            lines.write(line)
        self.records.append(dict(record))


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
        manifest: Any
        try:
            manifest = json.loads(read_file(file))
        except (OSError, ValueError, RecursionError) as error:
            told = error.strerror if isinstance(error, OSError) else explain_json_error(error)
            raise RunDirError(
                f"{file} cannot be read: {told}", hint="tune into another folder"
            ) from error
        read = check_version(
            manifest,
            file,
            mark=_MARK,
            version=_VERSION,
            elsewhere="tune into another folder",
            again="tune again in a new folder",
        )
        if not is_sealed(read) or not isinstance(read.get("digest"), str):
            raise RunDirError(
                f"{file} was changed after it was written",
                hint="take the file as it was, or tune again in a new folder",
            )
        del read[CHECK]
        return read

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Put the manifest in place of the old one, whole or not at all."""
        sealed = seal_manifest({_MARK: _VERSION, **manifest})
        text = json.dumps(sealed, indent=1, ensure_ascii=False)
        replace_file(self.path / MANIFEST, (text + "\n").encode())

    def read_generations(self, digest: str) -> Generations:
        """Return the generations that were played; a line cut short by a kill is left out.

        `digest` is that of the tuning, from its manifest. Raises RunDirError for a line that was
        changed or taken out after it was written.
        """
        file = self.path / GENERATIONS
        found = Generations(file, digest, [])
        if not file.exists():
            return found
        with explain_disk_errors("read", file):
            *lines, last = read_file(file).split(b"\n")
        for line in lines:
            record = _read_line(line, found.check)
            if record is None or record.get("number") != len(found.records):
                raise _refuse_line(file, line, len(found.records), len(lines))
            found.check = _find_check(line)
            found.records.append(record)
        found.was_cut = bool(last)
        return found

    def mend_generations(self, found: Generations) -> None:
        """Take the half of a line off that a kill has left, and all else that is not in `found`."""
        check, lines = str(self.read_manifest()["digest"]), []
        for record in found.records:
            check, line = _write_line(record, check)
            lines.append(line)
        replace_file(found.file, b"".join(lines))
        found.check, found.was_cut = check, False

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


def _write_line(record: Mapping[str, Any], before: str) -> tuple[str, bytes]:
    """Return a line's digest and its bytes; `before` is the digest of the line before it."""
    body = json.dumps(dict(record), ensure_ascii=False, allow_nan=False)[:-1].encode()
    check = _digest_line(body, before)
    return check, body + _TAIL % check.encode() + b"\n"


def _read_line(line: bytes, before: str) -> dict[str, Any] | None:
    """Return what a line says; None unless it is as it was written, behind the line before it."""
    check = _find_check(line)
    body = line.removesuffix(_TAIL % check.encode())
    if body == line or check != _digest_line(body, before):
        return None
    record: dict[str, Any] = json.loads(body + b"}")
    return record


_TAIL = b', "check": "%b"}'


def _find_check(line: bytes) -> str:
    return line.removesuffix(b'"}')[-_CHECK_DIGITS:].decode(errors="replace")


def _digest_line(body: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + b"\n" + body).hexdigest()[:_CHECK_DIGITS]


def _refuse_line(file: Path, line: bytes, place: int, n_lines: int) -> RunDirError:
    """Return the error for line `place`, from 0, of a file that does not go on as it must."""
    try:
        number = json.loads(line)["number"]
    except (ValueError, RecursionError, TypeError, LookupError):
        number = None
    what = "it was changed after it was written"
    if isinstance(number, int) and number != place:
        what = f"it has generation {number + 1}, where generation {place + 1} must be"
    rest = n_lines - place
    many = f"the {rest} lines from there on" if rest > 1 else "that line"
    return RunDirError(
        f"{file}, line {place + 1}: {what}",
        hint=f"take the file as it was; or remove {many}, and the command of the tuning plays "
        "those generations anew",
    )
