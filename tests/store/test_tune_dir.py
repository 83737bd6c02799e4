"""A tuning's folder: lines that hold each other, a manifest that holds itself, and older ones."""

import json

import pytest

from lcsim.errors import RunDirError
from lcsim.store.tune_dir import TuneDir

DIGEST = "0123abcd"


@pytest.fixture
def folder(tmp_path):
    """Return a folder with four generations."""
    folder = TuneDir(tmp_path)
    folder.write_manifest({"digest": DIGEST, "settings": {"against": ("a", "b")}})
    kept = folder.read_generations(DIGEST)
    for number in range(4):
        kept.add({"number": number, "goals": [3, -5, number], "note": "±"})
    return folder


def edit_lines(folder, change):
    file = folder.path / "generations.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    change(lines)
    file.write_bytes(b"".join(lines))


def test_generations_are_read_as_they_were_added(folder):
    found = folder.read_generations(DIGEST)
    assert [one["number"] for one in found.records] == [0, 1, 2, 3]
    assert found.records[1] == {"number": 1, "goals": [3, -5, 1], "note": "±"}
    assert not found.was_cut
    for line in (folder.path / "generations.jsonl").read_text("utf-8").splitlines():
        assert set(json.loads(line)) == {"number", "goals", "note", "check"}


def negate(lines):
    lines[1] = lines[1].replace(b"[3, -5, 1]", b"[-3, 5, -1]")


def space_out(lines):
    lines[1] = lines[1].replace(b"[3, -5, 1]", b"[3,-5,1]")


def cut(lines):
    lines[1] = lines[1][:20] + b"\n"


def swap(lines):
    lines[1], lines[2] = lines[2], lines[1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (negate, "line 2: it was changed after it was written"),
        (space_out, "line 2: it was changed"),
        (cut, "line 2: it was changed"),
        (lambda lines: lines.insert(1, b"\n"), "line 2: it was changed"),
        (lambda lines: lines.insert(1, b"\xff\x00\n"), "line 2: it was changed"),
        (lambda lines: lines.pop(1), "line 2: it has generation 3, where generation 2 must be"),
        (swap, "line 2: it has generation 3, where generation 2 must be"),
        (lambda lines: lines.pop(0), "line 1: it has generation 2, where generation 1 must be"),
    ],
)
def test_a_line_that_was_changed_is_named(folder, change, says):
    edit_lines(folder, change)
    with pytest.raises(RunDirError) as caught:
        folder.read_generations(DIGEST)
    assert says in caught.value.message
    assert "lines from there on" in caught.value.hint


def test_lines_of_another_tuning_do_not_go_on(folder):
    with pytest.raises(RunDirError, match="line 1"):
        folder.read_generations("another")


@pytest.mark.parametrize("tail", [b'{"number": 4, "go', b"\x00" * 40, b'{"number": 4}'])
def test_half_a_line_at_the_end_is_taken_off(folder, tail):
    file = folder.path / "generations.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + tail)
    found = folder.read_generations(DIGEST)
    assert found.was_cut
    assert len(found.records) == 4
    folder.mend_generations(found)
    assert file.read_bytes() == whole
    found.add({"number": 4, "goals": []})
    assert len(folder.read_generations(DIGEST).records) == 5


def test_an_edited_manifest_is_refused(folder):
    file = folder.path / "tune.json"
    assert folder.read_manifest()["settings"] == {"against": ["a", "b"]}
    file.write_text(file.read_text("utf-8").replace('"a"', '"c"'), encoding="utf-8")
    with pytest.raises(RunDirError, match=r"tune\.json was changed after it was written"):
        folder.read_manifest()


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (1, "has the schema version 1, and this lcsim reads 2\nuse the lcsim that wrote it"),
        (9, "has the schema version 9, and this lcsim reads 2\nuse a newer lcsim"),
        (None, "was not written by lcsim"),
    ],
)
def test_a_manifest_of_another_version_is_refused(folder, version, says):
    file = folder.path / "tune.json"
    manifest = json.loads(file.read_text("utf-8")) | {"lcsim_tune": version}
    file.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(RunDirError) as caught:
        folder.read_manifest()
    assert says in str(caught.value)
