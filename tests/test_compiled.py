"""Compiled code is kept in a folder that has room for it, or the user is told which has none."""

import errno
import shutil
from collections import namedtuple

import pytest
from numba import int64

from lcsim import compiled
from lcsim.compiled import CACHE_VARIABLE, ROOM, CompilationUnit
from lcsim.errors import UsageError

Usage = namedtuple("Usage", "total used free")
TEXT = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def unit(tmp_path, monkeypatch):
    """A unit of a file of its own, in a cache of its own."""
    monkeypatch.setattr(compiled, "find_cache_dir", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    source = tmp_path / "double.py"
    source.write_text(TEXT)
    return CompilationUnit(source, TEXT)


def make_double(unit):
    scope = {"__name__": "double"}
    exec(compile(TEXT, str(unit.source), "exec"), scope)
    return scope["double"]


def fill_disk(monkeypatch, free):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9 - free, free))


def test_nothing_is_compiled_without_room_to_keep_it(unit, tmp_path, monkeypatch):
    fill_disk(monkeypatch, ROOM - 1)
    monkeypatch.setattr(compiled.numba, "njit", None)  # it is not even begun
    with pytest.raises(UsageError) as caught:
        unit.compile(make_double(unit), int64(int64), {})
    assert str(tmp_path / "cache") in caught.value.message
    assert "8.0 MB are free" in caught.value.message
    assert CACHE_VARIABLE in caught.value.hint
    assert caught.value.exit_code == 2


def test_what_is_kept_needs_no_room(unit, monkeypatch):
    assert unit.compile(make_double(unit), int64(int64), {})(4) == 8
    assert unit.is_compiled("double")
    fill_disk(monkeypatch, 0)
    assert unit.compile(make_double(unit), int64(int64), {})(5) == 10


def test_a_disk_that_fills_up_meanwhile_is_named(unit, tmp_path, monkeypatch):
    def refuse(*_args, **_words):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", refuse)
    with pytest.raises(UsageError, match="no space left on device") as caught:
        unit.compile(make_double(unit), int64(int64), {})
    assert str(tmp_path / "cache") in caught.value.message
    monkeypatch.setattr(compiled.os, "fdopen", refuse)
    with pytest.raises(UsageError, match="no space left on device"):
        CompilationUnit(tmp_path / "other.py", "x = 1\n")
    left = [path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert left == ["double.py"]


@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("left", [0, 20, -20])
def test_damaged_machine_code_is_made_anew(unit, kind, left):
    assert unit.compile(make_double(unit), int64(int64), {})(4) == 8
    (file,) = (unit.path.parent / "__pycache__").glob(kind)
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    assert unit.compile(make_double(unit), int64(int64), {})(5) == 10
    assert len(file.read_bytes()) > len(whole[:left])  # it is whole again
