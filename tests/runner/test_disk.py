"""A disk that is full or may not be written: a sentence, nothing lost, and the run goes on later.

The small disks are file systems in memory, mounted in a namespace of the test's own; where the
system allows no such thing, those tests are skipped.
"""

import resource
import shutil
import subprocess
import sys
import textwrap

import pytest

from lcsim.experiment import build_match_experiment, build_plan
from lcsim.runner import run_plan
from lcsim.store import open_run

OPTIONS = {"games": 4000, "seed": 3, "unit_deals": 250}
PLAYERS = ("ladder", "random-legal")
MATCH = ("match", *PLAYERS, "--games", "4000", "--seed", "3", "--unit-deals", "250", "--out")
LCSIM = (sys.executable, "-m", "lcsim.cli.app")
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The run as it should be; it leaves all that has to be compiled in the user's cache."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    run_plan(build_plan(build_match_experiment(PLAYERS, **OPTIONS)), folder)
    return folder


@pytest.fixture(scope="module")
def namespace():
    """The words that run a command in a namespace where it may mount."""
    probe = (*NAMESPACE, "sh", "-c", "mount -t tmpfs none /mnt")
    if not shutil.which(NAMESPACE[0]) or subprocess.run(probe, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    return NAMESPACE


def in_shell(namespace, script, folder):
    command = [*namespace, "bash", "-c", textwrap.dedent(script), *LCSIM, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def read_bytes(folder):
    return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}


def test_a_part_that_finds_no_room_ends_the_run_and_leaves_nothing_half(whole, tmp_path):
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    largest = max(len(data) for data in read_bytes(whole).values())
    assert largest > 20_000
    done = subprocess.run(
        [*LCSIM, *MATCH, str(tmp_path / "run")],
        preexec_fn=limit_files,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (4, "")
    assert "cannot write" in done.stderr
    assert "File too large" in done.stderr
    assert "make room or choose another folder" in done.stderr
    assert not list((tmp_path / "run").rglob("*.tmp"))
    assert read_bytes(tmp_path / "run") == {}


def test_a_disk_that_fills_up_loses_nothing_and_the_run_goes_on(whole, namespace, tmp_path):
    script = f"""
        mount -t tmpfs -o size=256k none $3 || exit 99
        $0 $1 $2 {" ".join(MATCH)} $3/run; echo "code $?"
        ls $3/run/parts | grep -c parquet; find $3 -name '*.tmp' | wc -l
        mount -o remount,size=64m $3
        $0 $1 $2 {" ".join(MATCH)} $3/run --json > /dev/null; echo "code $?"
        diff -r $3/run/parts {whole}/parts && echo same
    """
    (tmp_path / "disk").mkdir()
    done = in_shell(namespace, script, tmp_path / "disk")
    code, n_parts, n_half, again, same = done.stdout.splitlines()
    assert (code, n_half, again, same) == ("code 4", "0", "code 0", "same"), done.stderr
    assert 0 < int(n_parts) < 8
    assert "No space left on device" in done.stderr
    assert "what is already stored is not played again" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_may_not_be_written_is_a_sentence_and_may_be_read(whole, namespace, tmp_path):
    script = f"""
        mount --bind $3 $3 && mount -o remount,ro,bind $3 || exit 99
        $0 $1 $2 {" ".join(MATCH)} $3/run; echo "code $?"
        $0 $1 $2 {" ".join(MATCH)} $3/new; echo "code $?"
        $0 $1 $2 verify $3/run --units 2 > /dev/null; echo "code $?"
        $0 $1 $2 report $3/run --format json --out {tmp_path}/report > /dev/null; echo "code $?"
    """
    shutil.copytree(whole, tmp_path / "disk" / "run")
    done = in_shell(namespace, script, tmp_path / "disk")
    assert done.stdout.split("\n")[:4] == ["code 4", "code 4", "code 0", "code 0"], done.stderr
    assert done.stderr.count("Read-only file system") == 2
    assert "Traceback" not in done.stderr
    assert open_run(tmp_path / "disk" / "run").is_finished()
