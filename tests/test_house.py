"""The house rules that a reader relies on: sizes of files and functions, the import contracts."""

import ast
import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import polars
import pytest
import typer
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for folder in ("lcsim", "strategies", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "_shipped" not in path.parts
)
# One round of a kernel is one loop: taken apart it is harder to hold beside the referee.
LONG_FUNCTIONS = {("lcsim/rules/duel/kernel.py", "_play_round")}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_file_is_above_400_lines_and_no_function_above_50(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and (name_of(path), node.name) not in LONG_FUNCTIONS:
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= 50, f"{node.name} has {length} lines"


def test_strategies_are_never_imported_by_the_package():
    for path in (ROOT / "lcsim").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] == "strategies" for name in names), path


def test_imports_go_down_only():
    tool = Path(sys.executable).with_name("lint-imports")
    if not tool.exists():
        pytest.skip("import-linter is not installed")
    done = subprocess.run([tool], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_pinned_versions_are_allowed():
    """`make` installs what constraints.txt pins: no lower bound may lie above it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().lower().splitlines()
    )
    needed = [Requirement(text) for text in project["dependencies"]]
    assert needed
    for one in needed:
        assert [spec.operator for spec in one.specifier] == [">="], one
        assert one.specifier.contains(pins[one.name.lower()]), one


def test_what_the_lower_bounds_are_for_is_there():
    """polars 1.30 has metadata in Parquet files, typer 0.27.2 an exception of its own."""
    assert "metadata" in inspect.signature(polars.DataFrame.write_parquet).parameters
    assert callable(polars.read_parquet_metadata)
    assert issubclass(typer.TyperException, Exception)
