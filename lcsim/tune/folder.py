"""What a tuning keeps in its folder, and whether that is the tuning which is asked for."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lcsim import __version__
from lcsim.compiled import digest_platform
from lcsim.errors import RunDirError
from lcsim.experiment.identity import describe_files, digest_rules, list_sources, name_source
from lcsim.stats.estimate import Estimate
from lcsim.stats.rounding import format_count
from lcsim.store.run_dir import SOURCES
from lcsim.store.tune_dir import Generations, TuneDir
from lcsim.strategy import LoadedStrategy
from lcsim.tune.fitness import SELF
from lcsim.tune.search import Generation
from lcsim.tune.settings import IN_OTHER_WORDS, Tuning

Notify = Callable[[str], None]


def begin_tuning(
    tuning: Tuning, folder: TuneDir, notify: Notify | None
) -> tuple[Generations, list[Generation]]:
    """Write the manifest of a new tuning, or read the generations of one that stopped.

    `notify` is told of generations that were lost and are played anew. Raises RunDirError where
    the folder holds another tuning, or a file of it was changed.
    """
    described = describe_tuning(tuning)
    if folder.is_begun:
        kept = folder.read_manifest()
        if kept["digest"] != tuning.digest:
            raise _refuse_other(folder.path, kept, described, tuning)
        found = folder.read_generations(tuning.digest)
        if notify:
            for loss in _list_losses(found, kept):
                notify(loss)
    else:
        folder.write_manifest({**described, "status": "searching"})
        found = folder.read_generations(tuning.digest)
    for one in list_strategies(tuning):
        for player in (one, *one.guests.values()):
            for name, data in list_sources(player).items():
                folder.write_source(name, data)
    folder.mend_generations(found)
    return found, [read_generation(record) for record in found.records]


def _list_losses(found: Generations, kept: Mapping[str, Any]) -> list[str]:
    n, losses = len(found.records), []
    if found.was_cut:
        losses.append(
            f"{found.file}: its last line was cut short, so generation {n + 1} is played anew"
        )
    n_ended = kept["result"]["n_generations"] if "result" in kept else n
    if n < n_ended:
        losses.append(
            f"{found.file}: {format_count(n_ended - n, 'generation')} of a tuning that had ended "
            f"{'is' if n_ended - n == 1 else 'are'} missing, and played anew from number {n + 1} on"
        )
    return losses


def describe_tuning(tuning: Tuning) -> dict[str, Any]:
    """Return the manifest of a tuning that begins."""
    params = {
        name: {"low": p.low, "high": p.high, "default": p.default, "help": p.help}
        for name, p in tuning.space.params.items()
    }
    return {
        "digest": tuning.digest,
        "engine": {
            "lcsim": __version__,
            "rules": digest_rules(),
            "machine": digest_platform()[:24],
        },
        "settings": asdict(tuning.settings),
        "kind": tuning.ruleset.kind,
        "ruleset": tuning.ruleset.spec,
        "strategy": tuning.space.strategy.name,
        "params": params,
        "seats": [one.digest if one else SELF for one in _list_seats(tuning)],
        "strategies": [
            {
                "label": one.label,
                "spec": one.spec,
                "digest": one.digest,
                "source": name_source(one.name, one.digest),
                **describe_files(one),
            }
            for one in list_strategies(tuning)
        ],
    }


def list_strategies(tuning: Tuning) -> list[LoadedStrategy]:
    """Return who takes part, each once: the strategy as it was, then its opponents."""
    return list({one.digest: one for one in _list_seats(tuning) if one}.values())


def _list_seats(tuning: Tuning) -> list[LoadedStrategy | None]:
    return [tuning.space.strategy, *tuning.opponents]


def write_generation(generation: Generation) -> dict[str, Any]:
    """Return a generation as it is kept."""
    return asdict(generation)


def read_generation(record: Mapping[str, Any]) -> Generation:
    """Return a generation that was kept."""
    return Generation(
        record["number"],
        record["values"],
        Estimate(**record["estimate"]),
        record["spread"],
        tuple(record["goals"]),
    )


def _refuse_other(
    path: Path, kept: Mapping[str, Any], described: Mapping[str, Any], tuning: Tuning
) -> RunDirError:
    """Return the error that names what is not as it was when the tuning in `path` began."""
    new = json.loads(json.dumps(described))
    found = [*_compare_settings(kept, new), *_compare_seats(path, kept, new, tuning)]
    if kept["engine"]["rules"] != new["engine"]["rules"]:
        found.append("it was played by another version of the rules' code")
    elif kept["engine"]["machine"] != new["engine"]["machine"]:
        found.append("lcsim's code, Python, NumPy, Numba or the machine was another")
    what = "; ".join(found) or "something else that decides its games differs"
    return RunDirError(
        f"{path} holds another tuning: {what}",
        hint="give another folder with --out, or undo the change to go on with that one",
    )


def _compare_settings(kept: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    old, now = kept["settings"], new["settings"]
    pairs = [(name, old.get(name), now[name]) for name in now if name not in IN_OTHER_WORDS]
    pairs.append(("ruleset", kept["ruleset"], new["ruleset"]))
    return [
        f"{name} was {_show(before)} and is now {_show(after)}"
        for name, before, after in pairs
        if before != after
    ]


def _show(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "not given"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _compare_seats(
    path: Path, kept: Mapping[str, Any], new: Mapping[str, Any], tuning: Tuning
) -> list[str]:
    """Return what differs in who is tuned, and against whom."""
    texts, words = [], []
    for manifest in (kept, new):
        settings = manifest["settings"]
        texts.append([settings["strategy"], *settings["against"]])
    if len(texts[0]) != len(texts[1]):
        return [f"the opponents were {', '.join(texts[0][1:])}, now {', '.join(texts[1][1:])}"]
    for place, one in enumerate(_list_seats(tuning)):
        before, after = kept["seats"][place], new["seats"][place]
        if before == after:
            continue
        stored = next((s for s in kept["strategies"] if s["digest"] == before), None)
        if stored and one and stored["spec"] == one.spec:
            words.append(_say_changed(path, stored, one))
        else:
            which = f"opponent {place}" if place else "the strategy"
            words.append(f"{which} was {texts[0][place]} and is now {texts[1][place]}")
    return list(dict.fromkeys(words))


def _say_changed(path: Path, stored: Mapping[str, Any], one: LoadedStrategy) -> str:
    """Say that what a spec names is not what it was."""
    source = f"{SOURCES}/{stored['source']}"
    file = path / source
    if file.is_file() and file.read_bytes() == one.source.encode():
        return f"what the strategy {one.spec} needs, a guest or a file beside it, has changed"
    return f"the source of the strategy {one.spec} has changed since it began (as it was: {source})"
