"""From a stored run back to a plan that can be played: its units with the strategies it kept.

A run from someone else is data. A kept source is run only where it is, byte for byte, a file that
would be run by its name anyway, or where the caller takes the responsibility.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lcsim.errors import LcsimError, RunDirError, UsageError
from lcsim.experiment.identity import name_file
from lcsim.experiment.model import Experiment
from lcsim.experiment.plan import Matchup, Plan, WorkUnit
from lcsim.experiment.stored import StoredRun, StoredStrategy, StoredUnit, find_class
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.restriction import parse_restriction
from lcsim.store.files import read_file
from lcsim.store.run_dir import SOURCES
from lcsim.strategy import LoadedStrategy
from lcsim.strategy.base import find_form, list_params
from lcsim.strategy.load import load_class, read_source
from lcsim.strategy.params import resolve_params, write_number
from lcsim.strategy.registry import scan_strategies
from lcsim.strategy.spec import parse_spec
from lcsim.strategy.weights import digest_file


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A plan made of a manifest; `known` tells by strategy where its source is known from."""

    plan: Plan
    known: tuple[str, ...]


FROM_RUN = "the run itself"


def rebuild_plan(
    folder: Path, run: StoredRun, *, folders: Sequence[Path] = (), run_sources: bool = False
) -> Rebuilt:
    """Return the plan of a run whose manifest has been checked, with its strategies loaded.

    With `run_sources` a source that is known from nowhere is loaded from the run's folder.

    Raises:
        UsageError: a strategy's source is known from nowhere; nothing of it was run.
        RunDirError: a source is missing, or is not what the manifest says.
        StrategyLoadError: a source uses what no strategy may.
    """
    places = _list_known(folder, folders)
    strategies, known = [], []
    for entry in run.strategies:
        text, guests = _read_kept(folder, entry), {}
        place, path = _find_file(folder, entry, text, places, run_sources=run_sources)
        for name, guest in entry.guests.items():
            source = _read_kept(folder, guest)
            where, file = _find_file(folder, guest, source, places, run_sources=run_sources)
            place = FROM_RUN if where == FROM_RUN else place
            guests[name] = _load_kept(folder, run.kind, guest, source, file)
        loaded = _load_kept(folder, run.kind, entry, text, path)
        strategies.append(replace(loaded, guests=guests))
        known.append(place)
    return Rebuilt(_build_plan(run, strategies, tuple(folders)), tuple(known))


def _find_file(
    folder: Path,
    entry: StoredStrategy,
    text: str,
    places: Mapping[str, tuple[str, Path]],
    *,
    run_sources: bool,
) -> tuple[str, Path]:
    """Return where a strategy's source is known from, and the file to run."""
    place, path = places.get(text, (FROM_RUN, folder / SOURCES / entry.source))
    if place == FROM_RUN and not run_sources:
        raise UsageError(
            f"to play {entry.spec} again, {path} would have to be run: foreign code, which is "
            "not the same as any strategy found here",
            hint=f"Read it; then --run-sources runs it. Or name a folder that has the same "
            f"file with --strategies DIR ({entry.name}).",
        )
    return place, path


def _list_known(folder: Path, folders: Sequence[Path]) -> dict[str, tuple[str, Path]]:
    """Return by text which strategies are found here: what lies in the run is not counted."""
    known: dict[str, tuple[str, Path]] = {}
    inside = folder.resolve()
    for found in scan_strategies(folders=folders):
        path = found.path.resolve()
        if not found.error and not path.is_relative_to(inside):
            known.setdefault(read_source(path), (found.source, path))
    return known


def _read_kept(folder: Path, entry: StoredStrategy) -> str:
    path = folder / SOURCES / entry.source
    try:
        return read_file(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise RunDirError(
            f"the source of {entry.spec} cannot be read: {path}",
            hint="take the whole folder of the run: without it, nothing can be played again",
        ) from error


def _load_kept(
    folder: Path, kind: str, entry: StoredStrategy, text: str, path: Path
) -> LoadedStrategy:
    """Load a strategy of the manifest from a file that has its source."""
    spec = parse_spec(entry.spec)
    class_name = find_class(text, entry, spec.restriction)
    if class_name is None:
        raise RunDirError(
            f"{folder / SOURCES / entry.source} is not the source of {entry.spec} as it was played",
            hint="take the run as it was written",
        )
    cls = load_class(path, class_name, kind=kind, source=text)
    given = {name: write_number(value) for name, value in entry.params.items()}
    try:
        params = resolve_params(entry.name, list_params(cls), given)
        restriction = parse_restriction(spec.restriction, get_game(kind).restrictions)
    except LcsimError as error:
        raise RunDirError(
            f"{folder}: the strategy {entry.spec} cannot be: {error.message}", hint=error.hint
        ) from error
    return LoadedStrategy(
        spec=entry.spec,
        name=entry.name,
        kind=kind,
        form=find_form(cls, dict(get_game(kind).author.methods))[0] or "",
        cls=cls,
        params=params,
        source=text,
        path=path.resolve(),
        restriction=restriction,
        files={name: _read_file(folder, name, digest) for name, digest in entry.files.items()},
    )


def _read_file(folder: Path, name: str, digest: str) -> bytes:
    """Return what a run has kept from beside a strategy's source: data, which is never run."""
    path = folder / SOURCES / name_file(name, digest)
    try:
        data = read_file(path)
    except OSError as error:
        raise RunDirError(
            f"{path} cannot be read: {error.strerror or error}",
            hint="take the whole folder of the run: without it, nothing can be played again",
        ) from error
    if digest_file(data) != digest:
        raise RunDirError(f"{path} is not what was played", hint="take the run as it was written")
    return data


def _build_plan(
    run: StoredRun, strategies: Sequence[LoadedStrategy], folders: tuple[Path, ...]
) -> Plan:
    rulesets = {entry.spec: parse_ruleset(entry.spec) for entry in run.rulesets}
    matchups = tuple(
        Matchup(
            one.label,
            tuple(one.labels),
            tuple(one.strategies),
            rulesets[one.ruleset],
            one.n_deals,
        )
        for one in run.matchups
    )
    experiment = Experiment(
        question=run.question,
        cost="",
        kind=run.kind,
        seed=run.seed,
        games=max(matchup.n_games for matchup in matchups),
        players=max(matchup.n_rotations for matchup in matchups),
        rulesets=tuple(rulesets.values()),
        strategies=tuple(strategy.spec for strategy in strategies),
        matchups=tuple(tuple(run.strategies[n].spec for n in one.strategies) for one in matchups),
    )
    return Plan(
        experiment,
        run.kind,
        experiment.rulesets,
        tuple(strategies),
        matchups,
        _list_units(run.units),
        {strategy.spec: number for number, strategy in enumerate(strategies)},
        folders,
        _list_units(run.fork_units),
    )


def _list_units(units: Sequence[StoredUnit]) -> tuple[WorkUnit, ...]:
    return tuple(WorkUnit(one.id, one.matchup, one.first_deal, one.n_deals) for one in units)
