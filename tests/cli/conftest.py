"""The command line as a test sees it: words in, stdout, stderr and an exit code out."""

import difflib
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lcsim.cli.app import app

SNAPSHOTS = Path(__file__).parent / "snapshots"

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run `lcsim` with the words given; nothing it raises may come through."""

    def call(*words: object) -> Result:
        runner = CliRunner(env={"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"})
        with warnings.catch_warnings():
            # pytest resets the filter that lcsim.compiled sets, after the first test.
            warnings.filterwarnings("ignore", "First-class function type feature")
            result = runner.invoke(app, [str(word) for word in words], prog_name="lcsim")
        assert "Traceback" not in result.output, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return call


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def snapshot() -> Callable[[str, str], None]:
    """Hold a text against tests/cli/snapshots/NAME.txt, which LCSIM_GOLDEN=1 renews."""
    return _check_snapshot


def _check_snapshot(name: str, text: str) -> None:
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("LCSIM_GOLDEN"):
        path.write_text(text, encoding="utf-8")
        return
    assert path.exists(), f"there is no snapshot {path.name}; `make golden` writes it"
    kept = path.read_text(encoding="utf-8")
    difference = "\n".join(
        difflib.unified_diff(kept.splitlines(), text.splitlines(), "kept", "now", lineterm="")
    )
    assert kept == text, f"{path.name} differs; `make golden` renews it\n{difference}"
