"""A run's folder: nothing of others is touched, one writer at a time, whole manifests only."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.errors import RunDirError, StoreError
from lcsim.store import claim_run, find_difference, open_run, read_part
from lcsim.store.lock import LOCK_FILE
from lcsim.store.tune_dir import TuneDir

UNITS = [{"id": f"u{n}", "matchup": n % 2, "first_deal": 0, "n_deals": 1} for n in range(4)]


def test_a_new_run_is_written_and_opened(tmp_path):
    folder = tmp_path / "deep" / "run"
    with claim_run(folder) as claimed:
        assert claimed.manifest == {}
        run = claimed.write_manifest({"status": "running", "units": UNITS, "name": "Zoë"})
        run.write_source("a.py", b"x = 1\n")
        assert not run.is_finished()
    run = open_run(folder)
    assert run.manifest["name"] == "Zoë"
    assert run.manifest["units"] == UNITS
    assert (folder / "sources" / "a.py").read_text() == "x = 1\n"
    assert sorted(path.name for path in folder.iterdir()) == ["parts", "run.json", "sources"]


def test_parts_are_listed_in_the_order_of_the_units(tmp_path):
    with claim_run(tmp_path) as claimed:
        run = claimed.write_manifest({"units": UNITS})
    for name in ("u3", "u1", "u0", "stranger"):
        (tmp_path / "parts" / f"{name}.parquet").touch()
    assert [path.stem for path in run.list_parts()] == ["u0", "u1", "u3"]
    assert [path.stem for path in run.list_parts(matchup=1)] == ["u1", "u3"]


def test_temporary_files_of_a_killed_process_are_removed(tmp_path):
    with claim_run(tmp_path) as claimed:
        claimed.write_manifest({"units": []})
    for name in ("parts/u0.parquet.77.tmp", "sources/a.py.77.tmp", "run.json.77.tmp"):
        (tmp_path / name).write_text("half")
    with claim_run(tmp_path):
        assert not list(tmp_path.rglob("*.tmp"))


def test_a_start_killed_before_its_manifest_is_no_foreign_folder(tmp_path):
    (tmp_path / LOCK_FILE).write_text("process 1 on nowhere")
    (tmp_path / "run.json.77.tmp").write_text("{")
    with claim_run(tmp_path) as claimed:
        assert claimed.manifest == {}


def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    (tmp_path / "notes.tmp").write_text("mine")
    with pytest.raises(RunDirError, match=r"something else.*thesis\.tex"), claim_run(tmp_path):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.tmp", "thesis.tex"]
    (tmp_path / "thesis.tex").rename(tmp_path / "thesis.tmp")
    with pytest.raises(RunDirError, match="something else"), claim_run(tmp_path):
        pass
    file = tmp_path / "thesis.tmp"
    with pytest.raises(RunDirError, match="is a file"), claim_run(file):
        pass


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is damaged: Expecting property name"),
        ("[1]", "was not written by lcsim"),
        ('{"a": 1}', "was not written by lcsim"),
        ('{"lcsim_run": 99}', "schema version 99.*newer lcsim"),
        ('{"lcsim_run": 1}', "schema version 1.*lcsim that wrote it"),
        ('{"lcsim_run": "2"}', "schema version '2'"),
        ("[" * 100_000, "is damaged: it nests too deep"),
        ("9" * 5000, "is damaged: it has a number of thousands of digits"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_refused(tmp_path, text, said):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunDirError, match=f"(?s){said}") as caught:
        open_run(tmp_path)
    assert caught.value.exit_code == 4
    assert caught.value.hint
    with pytest.raises(RunDirError, match=f"(?s){said}"), claim_run(tmp_path):
        pass


def test_a_manifest_of_bytes_is_refused(tmp_path):
    (tmp_path / "run.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunDirError, match="is damaged: it is no UTF-8 text"):
        open_run(tmp_path)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_never_ends_is_not_read(make, tmp_path):
    make(tmp_path / "run.json")
    with pytest.raises(StoreError, match=r"cannot read .*run\.json: it is a pipe or a device"):
        open_run(tmp_path)
    make(tmp_path / "part.parquet")
    with pytest.raises(StoreError, match=r"part\.parquet: it is a pipe or a device"):
        read_part(tmp_path / "part.parquet")
    make(tmp_path / "tune.json")
    with pytest.raises(RunDirError, match=r"tune\.json cannot be read: it is a pipe or a device"):
        TuneDir(tmp_path).read_manifest()


def test_opening_what_is_no_run_says_so(tmp_path):
    with pytest.raises(RunDirError, match="no folder"):
        open_run(tmp_path / "none")
    with pytest.raises(RunDirError, match="holds no run"):
        open_run(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(RunDirError, match="is a file"):
        open_run(tmp_path / "file")


HOLDER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from lcsim.store import claim_run
    with claim_run(Path(sys.argv[1])) as claimed:
        claimed.write_manifest({"units": []})
        print("held", flush=True)
        time.sleep(60)
    """
)


def test_a_second_process_is_told_who_holds_the_folder(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout.readline() == "held\n"
            with (
                pytest.raises(RunDirError, match=f"in use by process {holder.pid} on ") as caught,
                claim_run(tmp_path),
            ):
                pass
            assert caught.value.exit_code == 4
            assert open_run(tmp_path).manifest["units"] == []
        finally:
            holder.kill()
            holder.wait()
    assert (tmp_path / LOCK_FILE).exists()
    with claim_run(tmp_path):
        assert str(os.getpid()) in (tmp_path / LOCK_FILE).read_text()
    assert not (tmp_path / LOCK_FILE).exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot create"), claim_run(tmp_path / "run"):
        pass


def test_a_folder_under_a_file_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(StoreError, match=r"cannot create .*Not a directory"),
        claim_run(tmp_path / "file" / "run"),
    ):
        pass


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@given(JSON, JSON)
def test_a_difference_is_found_exactly_where_the_texts_differ(old, new):
    assert find_difference(old, old) is None
    as_text = [json.dumps(value, sort_keys=True) for value in (old, new)]
    if as_text[0] == as_text[1]:
        assert find_difference(old, new) is None


def test_a_difference_names_its_path():
    old = {"a": {"b": [1, {"c": 2}]}, "d": 1}
    assert find_difference(old, {"a": {"b": [1, {"c": 3}]}, "d": 1}) == ("a.b[1].c", 2, 3)
    assert find_difference(old, {"a": {"b": [1]}, "d": 1}) == ("a.b[1]", {"c": 2}, None)
    assert find_difference(old, {"a": old["a"]}) == ("d", 1, None)
    assert find_difference({"x": 1}, {"x": True}) == ("x", 1, True)
