"""Runs made by hand: rows drawn from a plain random model, in the layout of the store."""

import hashlib
import itertools
import json
import re

import numpy as np
import pytest

from lcsim import __version__
from lcsim.experiment.identity import describe_matchup, digest_rules, hash_unit, resolve_fields
from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import COLORS as BOARD_COLORS
from lcsim.rules.board.outcome import build_row_dtype
from lcsim.rules.board.ruleset import PRESETS as BOARD_PRESETS
from lcsim.rules.duel.outcome import ROW_DTYPE
from lcsim.rules.duel.ruleset import PRESETS
from lcsim.rules.duel.scoring import build_score_table
from lcsim.store import SCHEMA_VERSION, RunDir, write_part
from lcsim.strategy.spec import parse_spec

COLORS = "RGWBY"


def draw_rows(rng, *, n_deals, first_deal=0, skills=(0.5, 0.4), ruleset="duel"):
    """Return rows (n_deals, 2, rounds): strategy i lays each card with chance skills[i] / 2."""
    rules = PRESETS[ruleset]
    table = build_score_table(rules)
    rows = np.zeros((n_deals, 2, rules.rounds), ROW_DTYPE)
    rows["deal"] = np.arange(first_deal, first_deal + n_deals)[:, None, None]
    rows["rotation"] = np.arange(2)[None, :, None]
    rows["round"] = np.arange(rules.rounds)[None, None, :]
    rows["starter"] = np.arange(2)[None, :, None]
    rows["turns"] = rng.integers(40, 60, rows.shape)
    bits = 1 << np.arange(12)
    opens = rng.random((2, *rows.shape, len(COLORS))) < 0.75
    luck = rng.random((*rows.shape, len(COLORS), 12))
    for number, skill in enumerate(skills):
        side = luck < skill if number == 0 else luck > 1 - skill
        side[..., :3] &= rng.random((*side.shape[:-1], 3)) < 0.5
        masks = (side * bits).sum(axis=-1) * opens[number]
        (own,) = rng.spawn(1)
        turns = own.integers(1, 60, masks.shape) * (masks > 0)
        held = np.maximum(table[masks] // 3 + own.integers(2, 20, masks.shape), 0) * (masks > 0)
        for index, color in enumerate(COLORS):
            rows[f"exp_{number}_{color}"] = masks[..., index]
            rows[f"opened_{number}_{color}"] = turns[..., index]
            rows[f"held_{number}_{color}"] = held[..., index]
        rows[f"score_{number}"] = table[masks].sum(axis=-1)
    return rows


def draw_board_rows(rng, *, n_deals, n_players=2, ruleset="board", reach=7):
    """Return rows (n_deals, n_players, rounds) of the board game: pawns at random up to `reach`."""
    rules = BOARD_PRESETS[ruleset]
    rows = np.zeros((n_deals, n_players, rules.rounds), build_row_dtype(n_players))
    rows["deal"] = np.arange(n_deals)[:, None, None]
    rows["rotation"] = np.arange(n_players)[None, :, None]
    rows["round"] = np.arange(rules.rounds)[None, None, :]
    rows["turns"] = rng.integers(40, 60, rows.shape)
    rows["ended_by"] = rng.integers(0, 2, rows.shape)
    worth = np.array([0, *rules.space_points])
    for number in range(n_players):
        spaces = rng.integers(0, reach + number, (*rows.shape, len(BOARD_COLORS)))
        leader = rng.integers(-1, len(BOARD_COLORS), rows.shape)
        at = np.take_along_axis(spaces, np.maximum(leader, 0)[..., None], axis=-1)[..., 0]
        leader = np.where(at > 0, leader, -1)
        for place, color in enumerate(BOARD_COLORS):
            rows[f"space_{number}_{color}"] = spaces[..., place]
        rows[f"leader_{number}"] = leader
        rows[f"space_points_{number}"] = worth[spaces].sum(axis=-1) + worth[at] * (leader >= 0)
        rows[f"vp_{number}"] = 5 * rng.integers(0, 5, rows.shape)
        rows[f"artefacts_{number}"] = rng.integers(0, 4, rows.shape)
        held = np.zeros(rows.shape[:2], dtype=np.int64)
        for turn in range(rules.rounds):
            gained = rows[f"space_points_{number}"] + rows[f"vp_{number}"]
            held = np.maximum(0, held + gained[..., turn])
            rows[f"points_{number}"][..., turn] = held
        kept = np.minimum(rows[f"artefacts_{number}"].sum(axis=2), len(rules.artefact_points) - 1)
        rows[f"artefact_points_{number}"][..., -1] = np.array(rules.artefact_points)[kept]
    return rows


def write_run(
    path,
    rows_by_matchup,
    *,
    labels,
    unit_deals=64,
    question="Who wins?",
    rulesets=None,
    kind="duel",
):
    """Write rows as a run: `labels[k]` are the strategies of matchup k, `rulesets[k]` its rules."""
    names = list(dict.fromkeys(itertools.chain.from_iterable(labels)))
    rulesets = rulesets or [kind] * len(labels)
    manifest = describe_run(names, question, rulesets, kind)
    units, matchups = [], []
    (path / "parts").mkdir(parents=True)
    for number, (pair, rows) in enumerate(zip(labels, rows_by_matchup, strict=True)):
        label = " vs ".join(pair)
        matchup = {"label": label, "labels": list(pair), "ruleset": rulesets[number]}
        matchup |= {"strategies": [names.index(name) for name in pair], "n_deals": len(rows)}
        matchups.append(matchup | {"n_rotations": len(pair)})
        for first in range(0, len(rows), unit_deals):
            part = rows[first : first + unit_deals]
            deal = int(part["deal"][0, 0, 0])
            unit = name_unit(manifest, matchup, deal, len(part))
            units.append({"id": unit, "matchup": number, "first_deal": deal, "n_deals": len(part)})
            file = path / "parts" / f"{unit}.parquet"
            write_part(file, part, matchup=label, ruleset=rulesets[number])
    manifest |= {"matchups": matchups, "units": units}
    RunDir(path, {}).write_manifest(manifest)
    return path


def name_unit(manifest, matchup, first_deal, n_deals, *, has_forks=False):
    """Return the id that the unit of these deals has in the run of `manifest`."""
    digests = [manifest["strategies"][number]["digest"] for number in matchup["strategies"]]
    ruleset = parse_ruleset(matchup["ruleset"])
    decides = describe_matchup(matchup["label"], ruleset, digests, manifest["seed"])
    return hash_unit(decides, first_deal, n_deals, has_forks=has_forks)


def describe_run(names, question, rulesets, kind):
    return {
        "engine": {"lcsim": __version__, "rules": digest_rules()},
        "lcsim_run": SCHEMA_VERSION,
        "status": "finished",
        "kind": kind,
        "question": question,
        "seed": 42,
        "rulesets": [
            {"spec": spec, "fields": resolve_fields(parse_ruleset(spec))}
            for spec in dict.fromkeys(rulesets)
        ],
        "strategies": [describe_strategy(name) for name in names],
        "results": None,
        "files": {"command": "lcsim run example.toml"},
        "versions": {"lcsim": "0.1.0", "numpy": np.__version__},
        "timing": {"seconds": 12.5, "jobs": 2},
    }


def find_part(run, matchup, first_deal, *, folder="parts"):
    """Return the part of a run's unit that begins with that deal."""
    manifest = json.loads((run / "run.json").read_text())
    units = manifest["fork_units" if folder == "forks" else "units"]
    (unit,) = (
        unit for unit in units if (unit["matchup"], unit["first_deal"]) == (matchup, first_deal)
    )
    return run / folder / f"{unit['id']}.parquet"


def describe_strategy(text):
    """Return a strategy that stands as `text` in a matchup: its label, or else its spec."""
    spec = parse_spec(text)
    is_label = re.fullmatch(r"[\w#-]+", spec.target)
    name = spec.target if is_label else "mine"
    return {
        "spec": text,
        "label": text if is_label else name,
        "name": name,
        "params": {key: float(value) for key, value in spec.given.items()},
        "digest": "0" * 8 + hashlib.sha256(text.encode()).hexdigest()[8:],
        "source": f"{name}-00000000.py",
    }


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture(scope="session")
def round_robin(tmp_path_factory):
    """Three strategies, each against each on the same 400 deals."""
    skills = {"bold": 0.55, "even": 0.45, "timid": 0.35}
    labels = list(itertools.combinations(skills, 2))
    rows = [
        draw_rows(np.random.default_rng(3), n_deals=400, skills=(skills[a], skills[b]))
        for a, b in labels
    ]
    return write_run(tmp_path_factory.mktemp("runs") / "three", rows, labels=labels)
