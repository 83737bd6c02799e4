"""What is fuzzed: for each kind of text or file that lcsim reads, how one is made up and fed.

A target is fed with what a person might write, with slips, and with nonsense. It may succeed or
raise an error of lcsim; nothing else. A new kind of input becomes an entry of TARGETS.
"""

import functools
import json
import os
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lcsim.advise import parse_position, write_position
from lcsim.advise.games import ROOMS
from lcsim.experiment import build_plan, parse_experiment
from lcsim.experiment.identity import name_source
from lcsim.experiment.rebuild import rebuild_plan
from lcsim.experiment.stored import check_manifest
from lcsim.rules import GAMES, get_game, parse_ruleset
from lcsim.rules.ruleset import list_fields
from lcsim.runner.manifest import describe_plan
from lcsim.store import SCHEMA_VERSION, open_run, read_part
from lcsim.store.files import seal_manifest
from lcsim.store.parts import encode_part
from lcsim.store.run_dir import CIRCUMSTANCES
from lcsim.store.tune_dir import GENERATIONS, TuneDir
from lcsim.strategy import compile_strategy, load_strategy
from lcsim.tune.settings import load_settings, prepare_tuning

NAMES = ("balanced", "ladder", "cautious-opener", "random-legal", "steady", "racer", "nobody")
WORDS = st.text(max_size=12) | st.sampled_from(
    ["", " ", "..", "/", "é", "\x00", "\ud800", "0x1", "1e999", "nan", "-0", "9" * 5000, "\n", "'"]
)
INTEGERS = st.integers(-3, 30) | st.sampled_from([-(2**63), 2**31, 2**62, 2**64, 10**10, 10**30])
WILD = st.recursive(
    st.booleans() | INTEGERS | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@dataclass(frozen=True)
class Target:
    """A kind of input: `make` makes one up, `feed` lets lcsim read it."""

    make: st.SearchStrategy[Any]
    feed: Callable[[Any], object]


SLIPS = st.sampled_from(list(":=,@+/|.-_ []{}\"'#\n09")) | WORDS


@st.composite
def with_slips(draw: Any, texts: st.SearchStrategy[str]) -> str:
    """Return a text, mostly with a few characters struck out, doubled or replaced."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        end = at + draw(st.integers(0, 2))
        text = (
            text[:at] + draw(st.sampled_from(list(":=,@+/|.-_ []{}\"'#\n09")) | WORDS) + text[end:]
        )
    return text


def join(separator: str, texts: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    """Return lists of texts, joined."""
    return st.lists(texts, max_size=most).map(separator.join)


def assign(names: Any, values: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    """Return texts of the form name=value."""
    return st.tuples(st.sampled_from(names) | WORDS, values).map(
        lambda pair: f"{pair[0]}={pair[1]}"
    )


NUMBERS = INTEGERS.map(str) | st.floats().map(str) | WORDS
PARAMS = join(",", assign(("open_at", "wager_at", "paths", "skip"), NUMBERS), 3)
LIMITS = st.sampled_from(
    ["no-wagers", "no-lay=R5", "max-expeditions=2", "no-leader", "no-discard-draws:0.3", "no-x"]
)
SPECS = st.one_of(
    st.sampled_from(NAMES),
    st.tuples(st.sampled_from(NAMES), PARAMS).map(":".join),
    st.tuples(st.sampled_from(NAMES), join("+", LIMITS, 2)).map("@".join),
    st.tuples(st.sampled_from(NAMES), PARAMS, LIMITS).map(lambda t: f"{t[0]}:{t[1]}@{t[2]}"),
    st.sampled_from(["x.py", "a/b.py:Mine", "x.py:Mine:open_at=3", ".py", "x.py:"]),
    WORDS,
)


def feed_spec(case: tuple[str, str | None]) -> None:
    """Load a strategy by its spec; what it says of itself must be loadable."""
    text, kind = case
    loaded = load_strategy(text, kind=kind)
    again = load_strategy(loaded.spec, kind=loaded.kind)
    assert (again.spec, again.digest) == (loaded.spec, loaded.digest)


FIELDS = sorted(
    {field.name for game in GAMES.values() for field in list_fields(game.presets[game.kind])}
)
PRESETS = sorted(preset for game in GAMES.values() for preset in game.presets)
FIELD_VALUES = (
    INTEGERS.map(str)
    | st.sampled_from(["yes", "no", "either", "leader", "alternate", "any", "-", "1/2/3", "1|2|3"])
    | st.lists(st.integers(-60, 60), max_size=12).map(lambda items: "/".join(map(str, items)))
    | WORDS
)
RULESETS = st.tuples(
    st.sampled_from(PRESETS) | WORDS, join(",", assign(FIELDS, FIELD_VALUES), 4)
).map(lambda pair: f"{pair[0]}:{pair[1]}" if pair[1] else pair[0])


@functools.cache
def compile_player(kind: str) -> Any:
    """Return a strategy that plays any legal move."""
    return compile_strategy(load_strategy("random-legal", kind=kind))


def feed_ruleset(text: str) -> None:
    """Parse a ruleset, write it, and play a deal by it."""
    ruleset = parse_ruleset(text)
    assert parse_ruleset(ruleset.spec) == ruleset
    game = get_game(ruleset.kind)
    if ruleset.rounds > 10:  # long games add time and nothing else
        return
    for n_players in game.player_counts:
        game.check_players(ruleset, n_players)
        rows = game.play_deals(
            ruleset,
            seed=1,
            first_deal=0,
            n_deals=1,
            strategies=[compile_player(ruleset.kind)] * n_players,
        )
        assert game.settle_games(ruleset, rows).points.shape == (1, n_players, n_players)


def write_toml(value: Any) -> str:
    """Return a value as TOML, or nearly so: some values have no form there."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(write_toml, value))}]"
    if isinstance(value, dict):
        items = (f"{json.dumps(key)} = {write_toml(item)}" for key, item in value.items())
        return f"{{{', '.join(items)}}}"
    return str(value)


SOME_SPECS = st.lists(SPECS, max_size=4)
EXPERIMENTS = st.fixed_dictionaries(
    {"question": st.just("?") | WILD, "games": st.sampled_from([4, 12, 600]) | WILD},
    optional={
        "seed": INTEGERS | WILD,
        "players": st.integers(2, 4) | WILD,
        "rulesets": st.lists(RULESETS | st.fixed_dictionaries({"preset": WORDS}), max_size=3)
        | WILD,
        "strategies": SOME_SPECS | WILD,
        "matchups": st.sampled_from(["round-robin", "gauntlet"]) | st.lists(SOME_SPECS) | WILD,
        "unit_deals": INTEGERS | WILD,
        "precision": st.floats() | WILD,
        "sprt": st.lists(st.floats(), max_size=3) | WILD,
        "forks": st.fixed_dictionaries({"games": INTEGERS}) | WILD,
        "expect": st.lists(st.dictionaries(st.sampled_from(["strategy", "diff_above"]), WILD))
        | WILD,
        "kind": st.sampled_from(["duel", "board", "x"]) | WILD,
    },
).map(lambda values: "\n".join(f"{key} = {write_toml(value)}" for key, value in values.items()))
PLAIN_EXPERIMENTS = st.tuples(
    st.sampled_from([2, 6, 600, 10**10]), INTEGERS, st.lists(st.sampled_from(NAMES), max_size=4)
).map(lambda t: f'question="?"\ngames={t[0]}\nunit_deals={t[1]}\nstrategies={write_toml(t[2])}')
NESTED = st.sampled_from(
    ["a = " + "9" * 5000, "a = " + "[" * 5000, "{" * 5000, "[" * 5000, '{"a":' * 5000]
)


def feed_experiment(text: str) -> None:
    """Parse an experiment and plan it."""
    plan = build_plan(parse_experiment(text))
    assert sum(unit.n_deals for unit in plan.units) == sum(m.n_deals for m in plan.matchups)


@functools.cache
def write_run() -> tuple[Path, dict[str, Any]]:
    """Return the folder of a run, with its sources, and its manifest."""
    folder = Path(tempfile.mkdtemp(prefix="lcsim-fuzz-"))
    text = 'question = "?"\ngames = 40\nunit_deals = 5\nstrategies = ["ladder", "balanced"]\n'
    plan = build_plan(parse_experiment(f"{text}forks = {{games = 20}}"))
    (folder / "sources").mkdir()
    for strategy in plan.strategies:
        name = name_source(strategy.name, strategy.digest)
        (folder / "sources" / name).write_bytes(strategy.source.encode())
    described = describe_plan(plan, run_dir=str(folder), command="lcsim run x")
    return folder, json.loads(json.dumps({"lcsim_run": SCHEMA_VERSION, **described}))


@st.composite
def edit_manifests(draw: Any) -> str:
    """Return a manifest with a few of its entries changed, left out or doubled."""
    manifest = json.loads(json.dumps(write_run()[1]))
    for _ in range(draw(st.integers(0, 3))):
        entry: Any = manifest
        while entry:
            keys = list(entry) if isinstance(entry, dict) else range(len(entry))
            key = draw(st.sampled_from(keys))
            if not isinstance(entry[key], dict | list) or draw(st.integers(0, 3)) == 0:
                break
            entry = entry[key]
        else:
            continue
        how = draw(st.sampled_from(["change", "remove", "double", "null"]))
        if how == "remove":
            del entry[key]
        elif how == "double" and isinstance(entry, list):
            entry.append(entry[key])
        else:
            entry[key] = None if how == "null" else draw(WILD)
    if draw(st.booleans()):  # as one would who knows how a run is sealed
        manifest = seal_manifest(manifest, CIRCUMSTANCES)
    return json.dumps(manifest)


def feed_manifest(text: str) -> None:
    """Open a run by its manifest, hold it to itself, and make a plan of it."""
    folder, _ = write_run()
    (folder / "run.json").write_bytes(text.encode(errors="surrogatepass"))
    run = open_run(folder)
    rebuild_plan(folder, check_manifest(folder, run.manifest))


@functools.cache
def write_part_bytes() -> bytes:
    """Return a part of a few rows."""
    player = [compile_player("duel")] * 2
    rows = get_game("duel").play_deals(
        parse_ruleset("duel"), seed=1, first_deal=0, n_deals=4, strategies=player
    )
    return encode_part(rows, unit="u", matchup="a vs b", ruleset="duel")


@st.composite
def damage_parts(draw: Any) -> bytes:
    """Return a part with bytes changed, left out or put in, anywhere."""
    data = write_part_bytes()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        n = draw(st.sampled_from([0, 1, 2, 50, len(data)]))
        data = data[:at] + draw(st.binary(max_size=9)) + data[at + n :]
    return data


def feed_part(data: bytes) -> None:
    """Read a part; damage must be found unless there is none."""
    path = write_run()[0] / "u.parquet"
    path.write_bytes(data)
    read_part(path)
    assert data == write_part_bytes()


BEFORE_STEP = (
    ROOMS["board"]
    .example.replace('"R4 R7', 'step = true\nplayed = "lay R4"\nhand = "R7', 1)
    .replace("hand = step", "step")
    .replace("R2 R3 W1", "R2 R3 R4 W1")
    .replace("R5L", "R6L")
)
EXAMPLES = [*(room.example for room in ROOMS.values()), BEFORE_STEP]
CARDS = st.lists(st.sampled_from(["Rw", "R2", "R10", "B0", "W7", "P5", "x"]) | WORDS).map(" ".join)


@st.composite
def edit_positions(draw: Any) -> str:
    """Return a position with a few of its entries changed, left out, or put elsewhere."""
    entries = tomllib.loads(draw(st.sampled_from(EXAMPLES)))
    for _ in range(draw(st.integers(0, 3))):
        key = draw(st.sampled_from(sorted(entries)))
        table = entries[key]
        if isinstance(table, dict) and table and draw(st.booleans()):
            table[draw(st.sampled_from(sorted(table)) | WORDS)] = draw(CARDS | WILD)
        elif draw(st.booleans()):
            entries[key] = draw(CARDS | RULESETS | WILD)
        else:
            entries.setdefault(draw(WORDS), entries.pop(key))
            if not entries:
                break
    return "\n".join(f"{json.dumps(key)} = {write_toml(item)}" for key, item in entries.items())


def feed_position(text: str) -> None:
    """Read a position; what is written of it must be the same position."""
    position = parse_position(text)
    written = write_position(position)
    assert write_position(parse_position(written)) == written


TUNINGS = st.fixed_dictionaries(
    {"strategy": SPECS | WILD, "against": SOME_SPECS | WILD},
    optional={
        "ruleset": RULESETS | WILD,
        "players": st.integers(2, 4) | WILD,
        "goal": st.sampled_from(["margin", "wins"]) | WILD,
        "seed": INTEGERS | WILD,
        "budget": INTEGERS | WILD,
        "deals": INTEGERS | WILD,
        "population": INTEGERS | WILD,
        "spread": st.floats() | WILD,
        "params": st.lists(st.sampled_from(["open_at", "skip"]) | WORDS, max_size=2) | WILD,
        "strategies": SOME_SPECS,
    },
).map(lambda values: "\n".join(f"{key} = {write_toml(value)}" for key, value in values.items()))


def feed_tuning(text: str) -> None:
    """Read a tuning's file and load who takes part."""
    path = Path(tempfile.gettempdir()) / "lcsim-fuzz-tuning.toml"
    path = path.with_stem(f"{path.stem}-{os.getpid()}")
    path.write_bytes(text.encode(errors="surrogatepass"))
    try:
        prepare_tuning(load_settings(path))
    finally:
        path.unlink()


@functools.cache
def write_generations() -> bytes:
    """Return the lines of five generations."""
    with tempfile.TemporaryDirectory() as name:
        kept = TuneDir(Path(name)).read_generations("0")
        for number in range(5):
            kept.add({"number": number, "goals": [number, -7], "values": {"é": 0.5}})
        return kept.file.read_bytes()


@st.composite
def damage_generations(draw: Any) -> bytes:
    """Return the lines with some bytes struck out, put in or changed."""
    data = write_generations()
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        put = draw(st.binary(max_size=3) | st.sampled_from([b"\n", b'"}', b'{"number": 1}\n']))
        data = data[:at] + put + data[at + draw(st.integers(0, 400)) :]
    return data


def feed_generations(data: bytes) -> None:
    """Read a tuning's lines; what is read is what was written, from the first on."""
    with tempfile.TemporaryDirectory() as name:
        folder = TuneDir(Path(name))
        (folder.path / GENERATIONS).write_bytes(data)
        found = folder.read_generations("0")
    whole = [json.loads(line) for line in write_generations().splitlines()]
    n = len(found.records)
    assert found.records == [{k: v for k, v in one.items() if k != "check"} for one in whole[:n]]


TARGETS = {
    "specs": Target(
        st.tuples(with_slips(SPECS), st.sampled_from([None, "duel", "board"])), feed_spec
    ),
    "rulesets": Target(with_slips(RULESETS), feed_ruleset),
    "experiments": Target(
        EXPERIMENTS | with_slips(EXPERIMENTS) | PLAIN_EXPERIMENTS | NESTED | st.text(),
        feed_experiment,
    ),
    "manifests": Target(edit_manifests() | with_slips(edit_manifests()) | NESTED, feed_manifest),
    "parts": Target(damage_parts(), feed_part),
    "tunings": Target(TUNINGS | with_slips(TUNINGS) | NESTED | st.text(), feed_tuning),
    "generations": Target(damage_generations() | st.binary(), feed_generations),
    "positions": Target(edit_positions() | with_slips(edit_positions()) | NESTED, feed_position),
}
