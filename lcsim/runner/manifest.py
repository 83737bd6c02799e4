"""What stands in `run.json`, and whether a folder's run is the one that is asked for.

Only what stands under `timing` and `files` may differ between two runs of the same command.
"""

import platform
from collections.abc import Mapping, Sequence
from typing import Any

from lcsim import __version__
from lcsim.errors import RunDirError
from lcsim.experiment import Matchup, Plan, WorkUnit
from lcsim.experiment.identity import (
    describe_files,
    digest_rules,
    name_source,
    resolve_fields,
)
from lcsim.experiment.stored import check_manifest, read_manifest
from lcsim.rules import get_game
from lcsim.runner.expect import evaluate_expectations
from lcsim.runner.result import RunResult
from lcsim.store import RunDir, find_difference
from lcsim.strategy import LoadedStrategy

IDENTITY = ("engine", "kind", "seed", "experiment", "rulesets", "strategies", "matchups")
"""The keys that decide the rows; a run goes on only where all of them are as they were."""


def describe_plan(plan: Plan, *, run_dir: str, command: str) -> dict[str, Any]:
    """Return the manifest of a run that begins."""
    experiment = plan.experiment
    return {
        "status": "running",
        "question": experiment.question,
        "cost": experiment.cost,
        "engine": {"lcsim": __version__, "rules": digest_rules()},
        "versions": _list_versions(),
        "kind": plan.kind,
        "seed": experiment.seed,
        "experiment": {
            "games": experiment.games,
            "players": experiment.players,
            "rulesets": [ruleset.spec for ruleset in experiment.rulesets],
            "strategies": [strategy.spec for strategy in plan.strategies],
            "matchups": experiment.matchups
            if isinstance(experiment.matchups, str)
            else [list(matchup) for matchup in experiment.matchups],
            "unit_deals": experiment.unit_deals,
            "precision": experiment.precision,
            "sprt": None if experiment.sprt is None else list(experiment.sprt),
            "forks": {"games": experiment.fork_games} if experiment.fork_games else None,
        },
        "rulesets": [_describe_ruleset(plan, ruleset) for ruleset in plan.rulesets],
        "strategies": [_describe_strategy(strategy) for strategy in plan.strategies],
        "matchups": [_describe_matchup(matchup) for matchup in plan.matchups],
        "results": None,
        "files": {
            "experiment": str(experiment.path) if experiment.path else None,
            "run_dir": run_dir,
            "strategies": [str(strategy.path) for strategy in plan.strategies],
            "folders": [str(folder) for folder in plan.folders],
            "command": command,
        },
        "timing": None,
        "units": _list_units(plan.units),
        **({"fork_units": _list_units(plan.fork_units)} if plan.fork_units else {}),
    }


def describe_result(manifest: Mapping[str, Any], result: RunResult) -> dict[str, Any]:
    """Return the manifest of a run that has ended: with its results, and the units played only."""
    played = [one.n_deals for one in result.matchups]
    return {
        **manifest,
        "status": "finished",
        "results": {
            "stopped": result.stopped,
            "matchups": [
                {
                    "n_deals": one.n_deals,
                    "n_games": one.n_games,
                    "n_rounds": one.n_rounds,
                    "stopped": one.stop.reason,
                    "decision": one.stop.decision,
                    "sentence": one.stop.sentence,
                }
                for one in result.matchups
            ],
            "expectations": [
                {
                    "matchup": outcome.matchup,
                    "ruleset": outcome.ruleset,
                    "holds": outcome.holds,
                    "is_clear": outcome.is_clear,
                    "sentence": outcome.sentence,
                }
                for outcome in evaluate_expectations(result)
            ],
        },
        "timing": _describe_timing(result, manifest["timing"]),
        "units": [
            unit for unit in manifest["units"] if unit["first_deal"] < played[unit["matchup"]]
        ],
    }


def _describe_timing(result: RunResult, old: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the timing of the last session that played anything."""
    timing = result.timing
    if timing.units_played == timing.fork_units_played == 0 and old:
        return dict(old)
    return {
        "seconds": round(timing.seconds, 3),
        "seconds_before": round(timing.seconds_before, 3),
        "jobs": timing.jobs,
        "units_played": timing.units_played,
        "units_read": timing.units_read,
        "rounds_played": timing.rounds_played,
        "rounds_per_second": round(timing.rounds_per_second),
        "seconds_forks": round(timing.seconds_forks, 3),
    }


def refuse_other_run(run: RunDir, manifest: Mapping[str, Any]) -> None:
    """Raise RunDirError, naming the first difference, unless the folder's run is `manifest`'s.

    A run that says of itself what cannot be is refused, too.
    """
    read_manifest(run.path, run.manifest)
    old = {key: run.manifest.get(key) for key in IDENTITY}
    new = {key: manifest[key] for key in IDENTITY}
    found = find_difference(old, new)
    if found is None:
        check_manifest(run.path, run.manifest)
        return
    raise RunDirError(
        f"{run.path} holds another run: {_say_difference(run.manifest, manifest, *found)}",
        hint="choose a new folder with --out, or undo the change to go on with that run",
    )


def _say_difference(
    old_manifest: Mapping[str, Any],
    manifest: Mapping[str, Any],
    at: str,
    old: object,
    new: object,
) -> str:
    if at.startswith("strategies[") and at.endswith(("].digest", "].source")):
        number = int(at[len("strategies[") : at.index("]")])
        spec = manifest["strategies"][number]["spec"]
        kept = old_manifest["strategies"][number]["source"]
        return (
            f"the source of the strategy {spec} has changed since it began "
            f"(as it was: sources/{kept})"
        )
    if at == "engine.rules":
        return "it was played by another version of the rules' code"
    return f"{at} was {_show(old)} and is now {_show(new)}"


def _show(value: object) -> str:
    if value is None:
        return "not given"
    if isinstance(value, Mapping):
        return repr(value.get("label") or value.get("spec") or "a table")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else repr(value)


def _describe_ruleset(plan: Plan, ruleset: Any) -> dict[str, Any]:
    notes = get_game(plan.kind).describe(ruleset)
    return {
        "spec": ruleset.spec,
        "preset": ruleset.preset,
        "fields": resolve_fields(ruleset),
        "assumed": [note.name for note in notes if note.assumed],
    }


def _describe_strategy(strategy: LoadedStrategy) -> dict[str, Any]:
    guests = {name: _describe_strategy(guest) for name, guest in strategy.guests.items()}
    return {
        "spec": strategy.spec,
        "label": strategy.label,
        "name": strategy.name,
        "form": strategy.form,
        "params": dict(strategy.params),
        "digest": strategy.digest,
        "source": name_source(strategy.name, strategy.digest),
        **({"guests": guests} if guests else {}),
        **describe_files(strategy),
    }


def _describe_matchup(matchup: Matchup) -> dict[str, Any]:
    return {
        "label": matchup.label,
        "labels": list(matchup.labels),
        "strategies": list(matchup.strategies),
        "ruleset": matchup.ruleset.spec,
        "n_deals": matchup.n_deals,
        "n_rotations": matchup.n_rotations,
    }


def _list_units(units: Sequence[WorkUnit]) -> list[dict[str, Any]]:
    return [
        {
            "id": unit.id,
            "matchup": unit.matchup,
            "first_deal": unit.first_deal,
            "n_deals": unit.n_deals,
        }
        for unit in units
    ]


def _list_versions() -> dict[str, str]:
    from importlib.metadata import version

    return {
        "lcsim": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "polars")},
    }
