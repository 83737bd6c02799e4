"""What a failure becomes: a sentence on stderr, an exit code, never a traceback."""

import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import lcsim.rules
from lcsim.cli.app import app
from lcsim.errors import (
    InterruptedRunError,
    LcsimError,
    PartError,
    RunDirError,
    SpecError,
    StrategyLoadError,
)


def _raise(error):
    def parse(_text):
        raise error

    return parse


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SpecError("the spec is odd", hint="Write it so."), 2),
        (StrategyLoadError("the file is odd", hint="Mend it."), 3),
        (RunDirError("the folder is odd", hint="Take another."), 4),
        (PartError("the part is odd", hint="Delete it."), 4),
        (LcsimError("lcsim is odd", hint="Wait."), 70),
        (InterruptedRunError("stopped", hint="lcsim run x.toml"), 130),
    ],
)
def test_an_error_of_lcsim_gives_its_code_message_and_hint(error, code, run, monkeypatch):
    monkeypatch.setattr(lcsim.rules, "parse_ruleset", _raise(error))
    result = run("rules", "show", "duel")
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr == f"lcsim: {error.message}\n  {error.hint}\n"


def test_a_fault_inside_asks_for_a_report_with_the_command(run, monkeypatch):
    monkeypatch.setattr(lcsim.rules, "parse_ruleset", _raise(ZeroDivisionError("no such thing")))
    result = run("rules", "score", "duel", "Rw R4")
    assert result.exit_code == 70
    assert "ZeroDivisionError: no such thing" in result.stderr
    assert "report it with this command: lcsim rules score duel 'Rw R4'" in result.stderr


def test_debugging_shows_the_traceback(monkeypatch):
    monkeypatch.setattr(lcsim.rules, "parse_ruleset", _raise(ZeroDivisionError("no such thing")))
    runner = CliRunner(env={"LCSIM_DEBUG": "1"})
    result = runner.invoke(app, ["rules", "show", "duel"])
    assert result.exit_code == 70
    assert "Traceback" in result.stderr


def test_an_interrupt_gives_130_and_the_command_again(run, monkeypatch):
    monkeypatch.setattr(lcsim.rules, "parse_ruleset", _raise(KeyboardInterrupt()))
    result = run("rules", "show", "duel:rounds=1")
    assert result.exit_code == 130
    assert "lcsim rules show duel:rounds=1" in result.stderr


def test_an_unusable_path_is_named(run, monkeypatch):
    error = PermissionError(13, "Permission denied", "/somewhere/else")
    monkeypatch.setattr(lcsim.rules, "parse_ruleset", _raise(error))
    result = run("rules", "show", "duel")
    assert result.exit_code == 2
    assert "/somewhere/else" in result.stderr
    assert "permission denied" in result.stderr


def _run_in_shell(line):
    command = line.replace("lcsim", f"{sys.executable} -m lcsim.cli.app")
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)


@pytest.mark.parametrize("words", ["--help", "replay ladder ladder --deal 0:200 --json"])
def test_a_reader_that_leaves_ends_the_command_quietly(words):
    done = _run_in_shell(f"lcsim {words} | true; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout.strip(), done.stderr) == ("0", "")


@pytest.mark.parametrize("words", ["--help", "rules --help", "rules list"])
def test_a_full_disk_is_named(words):
    done = _run_in_shell(f"lcsim {words} > /dev/full; echo $?")
    assert done.stdout.strip() == "2"
    assert "no space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_stderr_is_no_fault():
    done = _run_in_shell("lcsim rules list 2>&- | wc -l; lcsim rules show x 2>&-; echo $?")
    assert done.stdout.split()[1] == "2"
    assert int(done.stdout.split()[0]) > 5
    assert done.stderr == ""


@pytest.mark.parametrize("words", ["--help", "rules list", "rules list --json", "strategies -h"])
def test_a_result_that_cannot_be_printed_is_not_lost_in_silence(words):
    done = _run_in_shell(f"(lcsim {words} >&-); echo $?")
    assert done.stdout.strip() == "2"
    assert done.stderr.startswith("lcsim: stdout is closed, so the result cannot be printed\n")
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("mach",), "match"),
        (("rules", "shwo"), "show"),
        (("strategies", "lst"), "list"),
        (("bench", "lader"), "ladder"),
        (("match", "a", "b", "--game", "4"), "--games"),
    ],
)
def test_a_slip_in_a_word_is_met_with_the_nearest_one(words, meant, run):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert meant in result.stderr


def test_ctrl_c_while_it_plays_gives_130_and_the_command_that_goes_on(tmp_path):
    out = tmp_path / "run"
    words = ["match", "cautious-opener", "ladder", "--games", "200000000", "--out", str(out)]
    with subprocess.Popen(
        [sys.executable, "-m", "lcsim.cli.app", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            _wait_for_parts(out / "parts", process)
            process.send_signal(signal.SIGINT)
            printed, told = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130, told
    assert printed == ""
    assert "Traceback" not in told
    assert f"lcsim match cautious-opener ladder --games 200000000 --out {out}" in told


def _wait_for_parts(folder, process):
    for _ in range(1200):
        if folder.is_dir() and any(folder.glob("*.parquet")):
            return
        assert process.poll() is None
        time.sleep(0.1)
    raise AssertionError("no part was written")
