"""Tunings made by hand, in the layout of the store: a goal that is a parabola, with plain noise."""

import numpy as np

from lcsim.store.tune_dir import TuneDir


def write_tuning(path, *, n_params=2, n_generations=12, goal="margin", against=("rival", "self")):
    """Write a finished tuning of a strategy `mine`: the first parameter matters, the rest do not.

    Its optimum, 0.7 of the range 0 .. 10, is worth 5 points (or 65 % of games) more than 0.2.
    """
    rng = np.random.default_rng(n_params)
    unit = 1.0 if goal == "margin" else 0.03
    names = [f"weight_{number}" for number in range(n_params)]
    params = {
        name: {"low": 0, "high": 10, "default": 2.0, "help": "what it means"} for name in names
    }
    generations = list(draw_generations(rng, names, n_generations, unit))
    found = {name: 7.0 if name == names[0] else 4.5 for name in names}
    spec = "mine:" + ",".join(f"{name}={value:g}" for name, value in found.items())
    result = {
        "spec": spec,
        "values": found,
        "n_generations": n_generations,
        "searched": write_goal(3.0, 0.5, 100, unit),
        "tuned": write_goal(2.9, 0.1, 5000, unit),
        "start": write_goal(-2.1, 0.1, 5000, unit),
        "gain": write_goal(5.0, 0.12, 5000, unit),
        "neighbours": [
            {"param": name, "value": value, "loss": write_goal(loss, 0.1, 400, unit)}
            for name in names
            for value in (found[name] - 2, found[name] + 1)
            for loss in [(value - 7) ** 2 / 2 if name == names[0] else 0.05]
        ],
    }
    manifest = {
        "digest": "0" * 64,
        "settings": write_settings(goal=goal, against=list(against)),
        "kind": "duel",
        "strategy": "mine",
        "params": params,
        "strategies": [{"label": "mine", "spec": "mine", "source": "mine-00000000.py"}],
        "status": "finished",
        "result": result,
    }
    path.mkdir(parents=True)
    folder = TuneDir(path)
    folder.write_manifest(manifest)
    kept = folder.read_generations(manifest["digest"])
    for generation in generations:
        kept.add(generation)
    return path


def draw_generations(rng, names, n_generations, unit):
    """Yield generations that come nearer to the optimum."""
    for number in range(n_generations):
        at = 2 + 5 * (1 - 0.6**number)
        values = {name: at if name == names[0] else float(rng.uniform(3, 6)) for name in names}
        yield {
            "number": number,
            "values": values,
            "estimate": write_goal(3 - 0.2 * (at - 7) ** 2, 0.5, 100, unit),
            "spread": 0.2 / (number + 1),
            "goals": [int(x) for x in rng.integers(-400, 800, 9)],
        }


def write_goal(mean, se, n, unit=1.0):
    return {"mean": unit * mean, "se": unit * se, "n": n}


def write_settings(**changes):
    return {
        "strategy": "mine",
        "against": ["rival"],
        "ruleset": "duel",
        "players": 2,
        "goal": "margin",
        "seed": 42,
        "budget": 50_000,
        "deals": 100,
        "population": 0,
        "spread": 0.2,
        "params": [],
        "validation": 20_000,
        "sensitivity": 1600,
        "question": "",
        **changes,
    }


def change_tuning(path, change):
    """Let `change` edit the manifest of a tuning, and seal it as if it had been written so."""
    folder = TuneDir(path)
    manifest = folder.read_manifest()
    change(manifest)
    folder.write_manifest(manifest)
    return path
