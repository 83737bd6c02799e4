"""The progress line: on a terminal it tells where the run stands, elsewhere there is none."""

import io
import os
import pty
import subprocess
import sys
import textwrap

from lcsim.runner import NoProgress, build_progress, run_plan

PLAYER = textwrap.dedent(
    """
    from lcsim.experiment import build_match_experiment, build_plan
    from lcsim.runner import build_progress, run_plan
    options = {"games": 40_000, "seed": 3, "unit_deals": 500}
    plan = build_plan(build_match_experiment(["ladder", "random-legal"], **options))
    run_plan(plan, None, jobs=2, progress=build_progress())
    """
)


def test_off_a_terminal_nothing_is_shown(make_plan, capfd, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(build_progress(), NoProgress)
    run_plan(make_plan(), None, progress=build_progress())
    assert sys.stderr.getvalue() == ""
    assert capfd.readouterr() == ("", "")


def test_on_a_terminal_the_line_has_speed_and_estimate():
    own, its = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "150"}
    command = [sys.executable, "-c", PLAYER]
    with subprocess.Popen(command, stderr=its, stdout=subprocess.PIPE, env=environment) as player:
        os.close(its)
        shown = b""
        try:
            while chunk := os.read(own, 65536):
                shown += chunk
        except OSError:  # the other end is closed
            pass
        assert player.stdout.read() == b""
    os.close(own)
    assert player.returncode == 0, shown
    text = shown.decode()
    assert "rounds/s" in text
    assert "ladder vs random-legal: +" in text
    assert "±" in text
