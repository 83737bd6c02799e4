"""The help texts, which are part of the interface, and how little they import."""

import json
import subprocess
import sys

import pytest

from lcsim import errors

COMMANDS = (
    (),
    ("match",),
    ("run",),
    ("report",),
    ("replay",),
    ("verify",),
    ("advise",),
    ("tune",),
    ("strategies",),
    ("strategies", "list"),
    ("strategies", "show"),
    ("strategies", "check"),
    ("strategies", "new"),
    ("rules",),
    ("rules", "list"),
    ("rules", "show"),
    ("rules", "diff"),
    ("rules", "score"),
    ("rules", "columns"),
    ("bench",),
    ("bench", "ladder"),
    ("bench", "turns"),
    ("bench", "units"),
)
GROUPS = (("strategies",), ("rules",))
HEAVY = ("numpy", "numba", "polars", "pandas", "matplotlib", "pydantic", "joblib", "jinja2", "rich")
PARSER = "pydantic"  # typer reads a command's words with it
SCRIPT = f"""
import json, sys
from lcsim.cli.app import app
try:
    app(sys.argv[1:], prog_name="lcsim")
except SystemExit:
    pass
print(json.dumps([name for name in {HEAVY} if name in sys.modules]), file=sys.stderr)
"""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_is_as_it_was(command, run, snapshot):
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert result.stderr == ""
    snapshot("-".join(["help", *command]), result.stdout)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_help_has_examples(command, run):
    text = run(*command, "--help").stdout
    if command not in GROUPS:
        assert "Examples:\n    lcsim " in text


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("match", "--help"), ("mtch",)])
def test_nothing_heavy_is_imported_before_a_command_runs(words):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, check=True
    )
    imported = set(json.loads(done.stderr.splitlines()[-1]))
    assert imported <= (set() if words[0].startswith("--") else {PARSER})


def test_every_exit_code_of_an_error_is_in_the_help(run):
    text = " ".join(run("--help").stdout.split())
    codes = {
        value.exit_code
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.LcsimError)
    }
    told = text.partition("Exit codes:")[2].partition("Options:")[0].split("; ")
    assert codes <= {int(one.split()[0]) for one in told}


def test_version(run):
    assert run("--version").stdout == "lcsim 0.1.0\n"


def test_no_words_show_the_help(run):
    result = run()
    assert result.exit_code == 2
    assert "Commands:" in result.output
