"""One work unit's rows as one Parquet file, which can tell when it has been damaged.

A part carries a checksum of the whole file in its own footer: the file is written with eight
zeros there, its CRC-32 is taken, and the zeros are overwritten. So damage is found by a pass over
the bytes, before a Parquet reader sees them.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lcsim.errors import PartError
from lcsim.store.files import explain_disk_errors, read_file, replace_file
from lcsim.store.schema import SCHEMA_VERSION, TEXT_COLUMNS, build_row_dtype

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

_SEAL = b"lcsim-crc32="
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Part:
    """What a part holds: the rows (flat, in the order they were written) and its two texts."""

    rows: np.ndarray
    matchup: str
    ruleset: str


def write_part(path: Path, rows: np.ndarray, *, matchup: str, ruleset: str) -> None:
    """Write a structured array of rows as the part `path`; the same rows give the same bytes.

    Args:
        path: the file; its stem is the unit's id and is kept inside.
        rows: structured array of any shape, written in C order.
        matchup: the matchup's label, the first column.
        ruleset: the ruleset's canonical spec, the second column.

    Raises:
        StoreError: the file cannot be written.
    """
    replace_file(path, encode_part(rows, unit=path.stem, matchup=matchup, ruleset=ruleset))


def encode_part(rows: np.ndarray, *, unit: str, matchup: str, ruleset: str) -> bytes:
    """Return the bytes of a part."""
    import polars as pl

    flat = rows.reshape(-1)
    columns = {name: np.ascontiguousarray(flat[name]) for name in flat.dtype.names or ()}
    texts = [pl.lit(matchup).alias(TEXT_COLUMNS[0]), pl.lit(ruleset).alias(TEXT_COLUMNS[1])]
    frame = pl.DataFrame(columns).select(*texts, pl.all())
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression="lz4",
        statistics=False,
        metadata={
            "lcsim.schema": str(SCHEMA_VERSION),
            "lcsim.unit": unit,
            "lcsim.seal": (_SEAL + b"0" * _DIGITS).decode(),
        },
    )
    data = bytearray(buffer.getbuffer())
    start = data.rfind(_SEAL) + len(_SEAL)
    data[start : start + _DIGITS] = b"%08x" % zlib.crc32(data)
    return bytes(data)


def check_part(path: Path) -> bytes:
    """Return the bytes of a part after holding them against their checksum.

    Raises:
        PartError: the part is missing, truncated or altered.
        StoreError: it cannot be read.
    """
    with explain_disk_errors("read", path):
        try:
            data = read_file(path)
        except (FileNotFoundError, IsADirectoryError) as error:
            raise _damaged(path, "it is not a file") from error
    if not (data.startswith(b"PAR1") and data.endswith(b"PAR1")):
        raise _damaged(path, "it is cut short, or no Parquet file")
    start = data.rfind(_SEAL) + len(_SEAL)
    if start < len(_SEAL):
        raise _damaged(path, "it has no checksum, so lcsim did not write it")
    sealed = data[start : start + _DIGITS]
    crc = zlib.crc32(data[start + _DIGITS :], zlib.crc32(b"0" * _DIGITS, zlib.crc32(data[:start])))
    if sealed != b"%08x" % crc:
        raise _damaged(path, "its bytes do not agree with its checksum")
    return data


def read_part(path: Path) -> Part:
    """Return the rows of the part `path`, checked.

    Raises:
        PartError: the part is damaged, or belongs to another unit or version.
        StoreError: it cannot be read.
    """
    frame = _read_frame(path)
    row_dtype = build_row_dtype(dict(frame.schema))
    rows = np.empty(frame.height, dtype=row_dtype)
    for name in row_dtype.names or ():
        rows[name] = frame[name].to_numpy()
    matchup, ruleset = frame.row(0)[:2] if frame.height else ("", "")
    return Part(rows, matchup, ruleset)


def iter_parts(paths: Iterable[Path]) -> Iterator[pl.DataFrame]:
    """Yield the frame of each part in turn, checked; memory holds one part at a time."""
    for path in paths:
        yield _read_frame(path)


def scan_parts(paths: Sequence[Path], *, checked: bool = True) -> pl.LazyFrame:
    """Return one lazy frame over the parts, in the order given.

    With `checked`, every part is held against its checksum first (about 1 GB a second).

    Raises:
        PartError: a part is damaged, or there is none at all.
    """
    import polars as pl

    if not paths:
        raise PartError("there is no part to read", hint="play the experiment first: lcsim run …")
    if checked:
        for path in paths:
            check_part(path)
    return pl.scan_parquet([str(path) for path in paths], glob=False)


def _read_frame(path: Path) -> pl.DataFrame:
    import polars as pl

    data = check_part(path)
    metadata = pl.read_parquet_metadata(io.BytesIO(data))
    unit, version = metadata.get("lcsim.unit"), metadata.get("lcsim.schema")
    if version != str(SCHEMA_VERSION):
        raise _damaged(path, f"its schema version is {version}, not {SCHEMA_VERSION}")
    if unit != path.stem:
        raise _damaged(path, f"it holds the unit {unit}")
    return pl.read_parquet(io.BytesIO(data))


def _damaged(path: Path, what: str) -> PartError:
    return PartError(
        f"the part {path} is damaged: {what}",
        hint="delete that file and give the command of the run again: only its unit is replayed",
    )
