"""The shipped strategies of every game: well kept, and a template worth starting from."""

import ast

import pytest

from lcsim.rules import GAMES
from lcsim.shipped import find_shipped
from lcsim.strategy import compile_strategy, find_strategies, load_strategy

FOLDER = find_shipped("strategies")
ENTRIES = [entry for entry in find_strategies(kind=None) if entry.source == "shipped"]
FILES = [path for kind in GAMES for path in sorted((FOLDER / kind).glob("*.py"))]
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def name_file(path):
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.kind}-{entry.name}")
def test_a_strategy_is_well_kept(entry):
    assert entry.status == "ok", entry.error
    assert entry.path == FOLDER / entry.kind / f"{entry.name.replace('-', '_')}.py"
    assert entry.summary.endswith(".")
    assert "Idea: " in entry.doc
    assert "Source: " in entry.doc
    assert all(param.help for param in entry.params)
    chapter = README.partition(f"(`{entry.kind}/`)")[2].partition("\n## ")[0]
    assert f"| `{entry.name}` |" in chapter


@pytest.mark.parametrize("path", FILES, ids=name_file)
def test_a_file_imports_the_door_only_and_holds_one_strategy(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    door = f"lcsim.{path.parent.name}"
    modules = [node.module if isinstance(node, ast.ImportFrom) else "" for node in imports]
    named = [alias.name for node in imports for alias in node.names]
    uses_arrays = "BatchStrategy" in named or "Guest" in named
    assert modules == (["", door] if uses_arrays else [door])
    assert ("numpy" in named) == uses_arrays
    assert sum(isinstance(node, ast.ClassDef) for node in tree.body) == 1


@pytest.mark.parametrize("path", FILES, ids=name_file)
def test_every_parameter_is_used(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    loaded = load_strategy(str(path), kind=path.parent.name)
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert set(loaded.params) <= used


@pytest.mark.parametrize("path", sorted(FOLDER.glob("_template_*.py")), ids=lambda path: path.stem)
def test_the_template_is_a_strategy_worth_starting_from(path):
    kind, _, form = path.stem.removeprefix("_template_").partition("_")
    game = GAMES[kind]
    template = load_strategy(str(path), kind=kind)
    floor = load_strategy("random-legal", kind=kind)
    ruleset = next(iter(game.presets.values()))
    rows = game.play_deals(
        ruleset,
        seed=3,
        first_deal=0,
        n_deals=200,
        strategies=[compile_strategy(template), compile_strategy(floor)],
    )
    assert template.form == (form or "rating")
    assert game.settle_games(ruleset, rows).win_twelfths[..., 0].mean() / 12 > 0.95
