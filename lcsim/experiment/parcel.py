"""A plan as it travels to a worker: the sources and settings of its strategies, who meets whom.

A parcel is compressed JSON: plain values only. Whoever opens it needs lcsim and nothing else: no
strategy's file, no manifest. It says which lcsim packed it, since another one would play other
games.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lcsim import __version__
from lcsim.compiled import find_cache_dir
from lcsim.errors import LcsimError, UsageError
from lcsim.experiment.identity import digest_rules
from lcsim.experiment.model import Experiment
from lcsim.experiment.plan import Matchup, Plan
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.restriction import parse_restriction
from lcsim.store import SCHEMA_VERSION
from lcsim.store.files import explain_disk_errors, replace_file
from lcsim.strategy import LoadedStrategy
from lcsim.strategy.load import load_class

Paths = dict[str, str]
"""By the path of a worker's own copy of a source: the path of the file it is a copy of."""


def pack_plan(plan: Plan) -> bytes:
    """Return a plan without its units, ready to be sent."""
    content = {
        "engine": _describe_engine(),
        "kind": plan.kind,
        "seed": plan.experiment.seed,
        "folders": [str(folder) for folder in plan.folders],
        "strategies": [_pack_strategy(strategy) for strategy in plan.strategies],
        "matchups": [
            {
                "label": matchup.label,
                "labels": list(matchup.labels),
                "strategies": list(matchup.strategies),
                "ruleset": matchup.ruleset.spec,
                "n_deals": matchup.n_deals,
            }
            for matchup in plan.matchups
        ],
    }
    return zlib.compress(json.dumps(content).encode())


def open_parcel(data: bytes) -> tuple[Plan, Paths]:
    """Return the plan of a parcel, without units, with its strategies loaded from copies.

    Raises:
        UsageError: another lcsim packed it.
        StrategyLoadError: a source uses what no strategy may.
        LcsimError: a strategy did not arrive as it was sent.
    """
    content = json.loads(zlib.decompress(data))
    _refuse_other_engine(content["engine"])
    kind: str = content["kind"]
    paths: Paths = {}
    strategies = tuple(_open_strategy(entry, kind, paths) for entry in content["strategies"])
    rulesets = {entry["ruleset"]: parse_ruleset(entry["ruleset"]) for entry in content["matchups"]}
    matchups = tuple(
        Matchup(
            entry["label"],
            tuple(entry["labels"]),
            tuple(entry["strategies"]),
            rulesets[entry["ruleset"]],
            entry["n_deals"],
        )
        for entry in content["matchups"]
    )
    experiment = Experiment(
        question="",
        cost="",
        kind=kind,
        seed=content["seed"],
        games=max(matchup.n_games for matchup in matchups),
        players=max(matchup.n_rotations for matchup in matchups),
        rulesets=tuple(rulesets.values()),
        strategies=tuple(strategy.spec for strategy in strategies),
        matchups=tuple(tuple(strategies[n].spec for n in one.strategies) for one in matchups),
    )
    plan = Plan(
        experiment,
        kind,
        experiment.rulesets,
        strategies,
        matchups,
        (),
        {strategy.spec: number for number, strategy in enumerate(strategies)},
        tuple(map(Path, content["folders"])),
    )
    return plan, paths


def _describe_engine() -> dict[str, Any]:
    return {"lcsim": __version__, "rules": digest_rules(), "schema": SCHEMA_VERSION}


def _refuse_other_engine(sender: Mapping[str, Any]) -> None:
    if sender == (own := _describe_engine()):
        return
    if sender["lcsim"] == own["lcsim"]:
        raise UsageError(
            f"it has another version of the rules' code ({own['rules']}) than this lcsim "
            f"({sender['rules']}), and would play other games",
            hint="Install there exactly what is installed here, and start the workers again.",
        )
    raise UsageError(
        f"it has lcsim {own['lcsim']}, and this is lcsim {sender['lcsim']}",
        hint=f"Install lcsim {sender['lcsim']} there, and start the workers again.",
    )


def _pack_strategy(strategy: LoadedStrategy) -> dict[str, Any]:
    return {
        "spec": strategy.spec,
        "name": strategy.name,
        "form": strategy.form,
        "class": strategy.cls.__name__,
        "params": dict(strategy.params),
        "restriction": strategy.restriction.text if strategy.restriction else "",
        "digest": strategy.digest,
        "path": str(strategy.path),
        "source": strategy.source,
        "files": {n: base64.b64encode(data).decode() for n, data in strategy.files.items()},
        "guests": {name: _pack_strategy(guest) for name, guest in strategy.guests.items()},
    }


def _open_strategy(entry: Mapping[str, Any], kind: str, paths: Paths) -> LoadedStrategy:
    path = _copy_source(entry)
    paths[str(path)] = entry["path"]
    loaded = LoadedStrategy(
        spec=entry["spec"],
        name=entry["name"],
        kind=kind,
        form=entry["form"],
        cls=load_class(path, entry["class"], kind=kind),
        params=entry["params"],
        source=entry["source"],
        path=path,
        restriction=parse_restriction(entry["restriction"], get_game(kind).restrictions),
        guests={name: _open_strategy(one, kind, paths) for name, one in entry["guests"].items()},
        files={name: base64.b64decode(text) for name, text in entry["files"].items()},
    )
    if loaded.digest != entry["digest"]:
        raise LcsimError(f"the strategy {entry['spec']} did not arrive as it was sent")
    return loaded


def _copy_source(entry: Mapping[str, Any]) -> Path:
    """Write a strategy's source into the cache of this machine; return where it lies.

    It keeps the name of its file: machine code that was compiled from that very file is taken.
    """
    folder: Path = find_cache_dir().resolve() / "sources" / entry["digest"][:24]
    path = folder / Path(entry["path"]).name
    text = entry["source"].encode()
    with explain_disk_errors("create", folder):
        folder.mkdir(parents=True, exist_ok=True)
        is_there = path.is_file() and path.read_bytes() == text
    if not is_there:
        replace_file(path, text)
    return path
