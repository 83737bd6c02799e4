"""Parts: what is written comes back, the same bytes each time, and no damage goes unseen."""

import errno
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lcsim.errors import PartError, StoreError
from lcsim.store import (
    build_schema,
    check_part,
    iter_parts,
    parts,
    read_part,
    scan_parts,
    write_part,
)
from lcsim.store.parts import encode_part

ROW = np.dtype(
    [("deal", "i8"), ("rotation", "i1"), ("turns", "i2"), ("score_0", "i4"), ("mask", "u2")]
)


def make_rows(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = np.zeros(n, ROW)
    rows["deal"] = np.arange(n)
    rows["score_0"] = rng.integers(-100, 200, n)
    rows["mask"] = rng.integers(0, 4096, n)
    return rows


@given(hnp.arrays(ROW, st.integers(0, 40)), st.text(min_size=1), st.text(min_size=1))
@settings(max_examples=30, deadline=None)
def test_rows_come_back(tmp_path_factory, rows, matchup, ruleset):
    path = tmp_path_factory.mktemp("parts") / "unit.parquet"
    write_part(path, rows, matchup=matchup, ruleset=ruleset)
    part = read_part(path)
    assert part.rows.dtype == ROW
    assert part.rows.tobytes() == rows.tobytes()
    if len(rows):
        assert (part.matchup, part.ruleset) == (matchup, ruleset)


def test_the_same_rows_give_the_same_bytes():
    rows = make_rows(5000)
    first = encode_part(rows, unit="u", matchup="a vs b", ruleset="duel")
    again = encode_part(rows.copy(), unit="u", matchup="a vs b", ruleset="duel")
    assert first == again


def test_shape_is_flattened_in_order(tmp_path):
    rows = make_rows(24)
    write_part(tmp_path / "u.parquet", rows.reshape(4, 2, 3), matchup="m", ruleset="r")
    assert np.array_equal(read_part(tmp_path / "u.parquet").rows, rows)


def test_any_parquet_reader_sees_the_columns(tmp_path):
    path = tmp_path / "u.parquet"
    write_part(path, make_rows(7), matchup="a vs b", ruleset="duel:rounds=1")
    frame = pl.read_parquet(path)
    assert dict(frame.schema) == build_schema(ROW)
    assert list(build_schema(ROW)) == ["matchup", "ruleset", *ROW.names]
    assert frame["matchup"].unique().to_list() == ["a vs b"]
    assert frame["ruleset"].unique().to_list() == ["duel:rounds=1"]


@pytest.fixture(scope="module")
def sound_part(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "unit.parquet"
    write_part(path, make_rows(200), matchup="a vs b", ruleset="duel")
    return path.read_bytes()


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_a_changed_byte_is_found(tmp_path_factory, sound_part, data):
    position = data.draw(st.integers(0, len(sound_part) - 1))
    flip = data.draw(st.integers(1, 255))
    damaged = bytearray(sound_part)
    damaged[position] ^= flip
    path = tmp_path_factory.mktemp("damaged") / "unit.parquet"
    path.write_bytes(damaged)
    with pytest.raises(PartError, match=r"unit\.parquet is damaged") as caught:
        read_part(path)
    assert "delete that file" in caught.value.hint


def test_no_byte_of_a_part_can_change_unseen(tmp_path, sound_part):
    """Each byte of the file in turn, one bit of it."""
    path = tmp_path / "unit.parquet"
    for position in range(len(sound_part)):
        damaged = bytearray(sound_part)
        damaged[position] ^= 1 << position % 8
        path.write_bytes(damaged)
        with pytest.raises(PartError):
            check_part(path)


@pytest.mark.parametrize("change", [-1, 1])
def test_a_part_of_another_schema_says_so(tmp_path, monkeypatch, change):
    monkeypatch.setattr(parts, "SCHEMA_VERSION", parts.SCHEMA_VERSION + change)
    write_part(tmp_path / "u.parquet", make_rows(3), matchup="m", ruleset="r")
    monkeypatch.undo()
    with pytest.raises(PartError, match=f"its schema version is {parts.SCHEMA_VERSION + change}"):
        read_part(tmp_path / "u.parquet")


@pytest.mark.parametrize("keep", [0, 3, 4, 100, -1])
def test_a_truncated_part_is_found(tmp_path, sound_part, keep):
    path = tmp_path / "unit.parquet"
    path.write_bytes(sound_part[:keep])
    for reader in (
        check_part,
        read_part,
        lambda p: scan_parts([p]),
        lambda p: list(iter_parts([p])),
    ):
        with pytest.raises(PartError, match=r"unit\.parquet is damaged"):
            reader(path)


def test_a_part_under_another_name_is_refused(tmp_path, sound_part):
    path = tmp_path / "other.parquet"
    path.write_bytes(sound_part)
    with pytest.raises(PartError, match="it holds the unit unit"):
        read_part(path)


def test_foreign_parquet_and_missing_files_are_refused(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "foreign.parquet")
    with pytest.raises(PartError, match="did not write it"):
        read_part(tmp_path / "foreign.parquet")
    with pytest.raises(PartError, match="not a file"):
        read_part(tmp_path / "missing.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(PartError, match="not a file"):
        read_part(tmp_path / "folder.parquet")
    with pytest.raises(PartError, match="no part"):
        scan_parts([])


def test_scan_keeps_the_order_given(tmp_path):
    paths = []
    for number in (2, 0, 1):
        rows = make_rows(3)
        rows["deal"] += 10 * number
        paths.append(tmp_path / f"u{number}.parquet")
        write_part(paths[-1], rows, matchup=f"m{number}", ruleset="duel")
    frame = scan_parts(paths).collect()
    assert frame["deal"].to_list() == [20, 21, 22, 0, 1, 2, 10, 11, 12]
    assert frame["matchup"].to_list() == ["m2"] * 3 + ["m0"] * 3 + ["m1"] * 3
    assert pl.concat(iter_parts(paths)).equals(frame)


def test_a_full_disk_is_a_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "u.parquet"
    write_part(path, make_rows(3), matchup="m", ruleset="r")
    before = path.read_bytes()

    def fail(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(StoreError, match=r"cannot write .*u\.parquet: No space left") as caught:
        write_part(path, make_rows(4), matchup="m", ruleset="r")
    assert caught.value.exit_code == 4
    assert caught.value.hint
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["u.parquet"]
