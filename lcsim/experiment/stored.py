"""Holds a stored manifest to itself: a run that someone hands on is data, perhaps changed.

A manifest says most things twice, and the ids of its units are digests of all that decides their
rows. So a report, or a start that goes on with a run, can see whether the manifest says what was
played, and name the entry that was changed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lcsim.errors import LcsimError, RunDirError
from lcsim.experiment.complain import list_problems
from lcsim.experiment.identity import (
    describe_entries,
    hash_unit,
    name_file,
    name_source,
    resolve_fields,
)
from lcsim.experiment.load import SEED_LIMIT
from lcsim.experiment.model import MAX_QUESTION
from lcsim.rules import GAMES, parse_ruleset
from lcsim.store.files import is_sealed
from lcsim.store.run_dir import CIRCUMSTANCES, MANIFEST, SOURCES
from lcsim.strategy.load import digest_strategy
from lcsim.strategy.params import write_number
from lcsim.strategy.registry import list_classes
from lcsim.strategy.spec import parse_spec
from lcsim.strategy.weights import digest_file

_HINT = "take the run as it was written, or play it again in a new folder"
_Count = Annotated[int, Field(ge=0)]
_Positive = Annotated[int, Field(ge=1)]
_Number = Annotated[float, Field(allow_inf_nan=False)]
_Source = Annotated[str, Field(pattern=r"^[^/\\]+\.py$")]
_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]+$")]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class _Engine(_Entry):
    lcsim: str
    rules: _Hex


class _Ruleset(_Entry):
    spec: str
    fields: dict[str, Any]


class StoredStrategy(_Entry):
    """A strategy of a run, as its manifest describes it."""

    spec: str
    label: str
    name: str
    params: dict[str, int | _Number]
    digest: _Hex
    source: _Source
    guests: dict[str, "StoredStrategy"] = {}
    files: dict[Annotated[str, Field(pattern=r"^[^/\\]+$")], _Hex] = {}


class _Matchup(_Entry):
    label: str
    labels: Annotated[list[str], Field(min_length=2)]
    strategies: list[_Count]
    ruleset: str
    n_deals: _Positive
    n_rotations: _Positive


class StoredUnit(_Entry):
    """A work unit of a run, as its manifest describes it."""

    id: _Hex
    matchup: _Count
    first_deal: _Count
    n_deals: _Positive


class _Played(_Entry):
    n_deals: _Positive
    sentence: str | None


class _Outcome(_Entry):
    sentence: str


class _Results(_Entry):
    matchups: list[_Played]
    expectations: list[_Outcome] = []


class _Files(_Entry):
    command: str
    folders: list[str] = []


class _Timing(_Entry):
    seconds: Annotated[_Number, Field(ge=0)]
    jobs: _Positive


class StoredRun(_Entry):
    """What a manifest must have, of these types; it may have more, which its check covers."""

    lcsim_run: _Positive
    status: Literal["running", "finished"]
    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    engine: _Engine
    versions: dict[str, str]
    kind: str
    seed: Annotated[int, Field(ge=0, lt=SEED_LIMIT)]
    rulesets: Annotated[list[_Ruleset], Field(min_length=1)]
    strategies: Annotated[list[StoredStrategy], Field(min_length=1)]
    matchups: Annotated[list[_Matchup], Field(min_length=1)]
    results: _Results | None
    files: _Files
    timing: _Timing | None
    units: list[StoredUnit]
    fork_units: list[StoredUnit] = []


def read_manifest(folder: Path, manifest: Mapping[str, Any]) -> StoredRun:
    """Return a manifest's entries; raises RunDirError for one that is missing or of no use."""
    try:
        return StoredRun.model_validate(dict(manifest))
    except ValidationError as error:
        problems = "; ".join(list_problems(error, StoredRun)[:3])
        raise RunDirError(f"{folder / MANIFEST} cannot be used: {problems}", hint=_HINT) from None


def check_manifest(folder: Path, manifest: Mapping[str, Any]) -> StoredRun:
    """Return the entries of the manifest in `folder` after holding them against each other.

    Raises:
        RunDirError: an entry was changed after it was written; the message names it.
    """
    run = read_manifest(folder, manifest)
    for check in _CHECKS:
        for problem in check(run, folder):
            raise _refuse(folder, problem)
    for is_fork, units in ((False, run.units), (True, run.fork_units)):
        wrong = {
            number for number, unit in enumerate(units) if unit.id != _name(run, unit, is_fork)
        }
        if wrong:
            key = "fork_units" if is_fork else "units"
            raise _refuse(folder, _find_culprit(run, units, wrong, key))
    if not is_sealed(manifest, CIRCUMSTANCES):
        raise _refuse(folder, "its entries go together, but not with its check, a digest of them")
    return run


def _check_rulesets(run: StoredRun, _folder: Path) -> Iterator[str]:
    if run.kind not in GAMES:
        yield f"kind: there is no game {run.kind!r}"
    for number, entry in enumerate(run.rulesets):
        at = f"rulesets[{number}]"
        try:
            ruleset = parse_ruleset(entry.spec)
        except LcsimError as error:
            yield f"{at}.spec: {error.message}"
            continue
        if ruleset.kind != run.kind:
            yield f"kind is {run.kind!r}, and {at} is a ruleset of the game {ruleset.kind!r}"
        if ruleset.spec != entry.spec:
            yield f"{at}.spec is {entry.spec!r}, which is written {ruleset.spec!r}"
        fields = resolve_fields(ruleset)
        for name in dict.fromkeys([*fields, *entry.fields]):
            old, new = entry.fields.get(name), fields.get(name)
            if json.dumps(old) != json.dumps(new):
                yield f"{at}.fields.{name} is {old}, and in {entry.spec} it is {new}"


def _check_strategies(run: StoredRun, folder: Path) -> Iterator[str]:
    for number, entry in enumerate(run.strategies):
        yield from _check_strategy(f"strategies[{number}]", entry, folder)
        for name, guest in entry.guests.items():
            yield from _check_strategy(f"strategies[{number}].guests.{name}", guest, folder)


def _check_strategy(at: str, entry: StoredStrategy, folder: Path) -> Iterator[str]:
    if entry.source != name_source(entry.name, entry.digest):
        yield f"{at}: its source {entry.source} does not go with its name and digest"
    try:
        spec, label = parse_spec(entry.spec), parse_spec(entry.label)
    except LcsimError as error:
        yield f"{at}: {error.message}"
        return
    own = {name: write_number(value) for name, value in entry.params.items()}
    own |= {name: guest.spec for name, guest in entry.guests.items()}
    is_one = (spec.given, spec.restriction) == (label.given, label.restriction)
    if label.target != entry.name or not is_one:
        yield f"{at}: its label {entry.label!r} does not go with its spec {entry.spec!r}"
    elif any(own.get(name) != value for name, value in spec.given.items()):
        yield f"{at}: its spec {entry.spec!r} does not go with its params"
    path = folder / SOURCES / entry.source
    if path.is_file() and find_class(_read_text(path), entry, spec.restriction) is None:
        yield f"{at} or its source {SOURCES}/{entry.source}: they do not go together"
    for name, digest in entry.files.items():
        kept = folder / SOURCES / name_file(name, digest)
        if kept.is_file() and digest_file(kept.read_bytes()) != digest:
            yield f"{at}.files or {SOURCES}/{kept.name}: they do not go together"


def find_class(text: str, entry: StoredStrategy, restriction: str) -> str | None:
    """Return which class of a source's text a strategy of a manifest is, None where it is none."""
    try:
        classes = list_classes(text)
    except (ValueError, SyntaxError):
        return None
    guests = {name: guest.digest for name, guest in entry.guests.items()}
    for name in classes:
        digest = digest_strategy(
            text, name, entry.params, restriction, guests=guests, files=entry.files
        )
        if digest == entry.digest:
            return name
    return None


def _read_text(path: Path) -> str:
    """Return a file's text; nothing where it has none."""
    try:
        return path.read_bytes().decode()
    except (OSError, ValueError):
        return ""


def _check_matchups(run: StoredRun, _folder: Path) -> Iterator[str]:
    specs = [ruleset.spec for ruleset in run.rulesets]
    for number, entry in enumerate(run.matchups):
        at, n = f"matchups[{number}]", len(entry.strategies)
        if n not in GAMES[run.kind].player_counts or n != len(entry.labels):
            yield f"{at}: it has {n} strategies and {len(entry.labels)} labels"
        elif max(entry.strategies) >= len(run.strategies):
            yield f"{at}.strategies: there is no strategy {max(entry.strategies)}"
        elif entry.label != " vs ".join(entry.labels):
            yield f"{at}.label is {entry.label!r}, and the labels are {', '.join(entry.labels)}"
        elif entry.ruleset not in specs:
            yield f"{at}.ruleset: {entry.ruleset!r} is none of {', '.join(specs)}"
        elif entry.n_rotations != n:
            yield f"{at}.n_rotations is {entry.n_rotations}, and {n} sit down"
        for label, one in zip(entry.labels, entry.strategies, strict=False):
            strategy = run.strategies[one]
            if not {label, label.rpartition("#")[0]} & {strategy.label, strategy.spec}:
                yield f"{at}.labels: {label!r} does not go with the strategy {strategy.spec}"


def _check_results(run: StoredRun, _folder: Path) -> Iterator[str]:
    if run.results is None:
        return
    played = run.results.matchups
    if len(played) != len(run.matchups):
        yield f"results.matchups has {len(played)} entries for {len(run.matchups)} matchups"
    for number, (one, matchup) in enumerate(zip(played, run.matchups, strict=False)):
        if one.n_deals > matchup.n_deals:
            yield f"results.matchups[{number}].n_deals is {one.n_deals}, of {matchup.n_deals}"


def _check_deals(run: StoredRun, _folder: Path) -> Iterator[str]:
    """Yield where the units are not the deals of the matchups from 0 on, each deal once."""
    ends = [one.n_deals for one in (run.results or run).matchups]
    for key, units in (("units", run.units), ("fork_units", run.fork_units)):
        reached = dict.fromkeys(range(len(ends)), 0)
        for number, unit in enumerate(units):
            if unit.matchup not in reached:
                yield f"{key}[{number}].matchup: there is no matchup {unit.matchup}"
            elif unit.first_deal != reached[unit.matchup]:
                yield (
                    f"{key}[{number}].first_deal is {unit.first_deal}, and the deals of matchup "
                    f"{unit.matchup} before it end at {reached[unit.matchup]}"
                )
            reached[unit.matchup] = unit.first_deal + unit.n_deals
        for matchup, end in reached.items():
            if end > ends[matchup] or (end < ends[matchup] and key == "units"):
                yield f"{key}: they hold {end} of the {ends[matchup]} deals of matchup {matchup}"


_CHECKS = (_check_rulesets, _check_strategies, _check_matchups, _check_results, _check_deals)


def _name(run: StoredRun, unit: StoredUnit, is_fork: bool) -> str:
    """Return the id that a unit must have."""
    matchup = run.matchups[unit.matchup]
    fields = {ruleset.spec: ruleset.fields for ruleset in run.rulesets}
    decides = describe_entries(
        schema=run.lcsim_run,
        engine=run.engine.lcsim,
        rules=run.engine.rules,
        kind=run.kind,
        ruleset=matchup.ruleset,
        fields=fields[matchup.ruleset],
        label=matchup.label,
        strategies=[run.strategies[one].digest for one in matchup.strategies],
        seed=run.seed,
    )
    return hash_unit(decides, unit.first_deal, unit.n_deals, has_forks=is_fork)


def _find_culprit(run: StoredRun, units: Sequence[StoredUnit], wrong: set[int], key: str) -> str:
    """Return which entry the ids that do not fit point to: what those units have in common."""
    broken: dict[int, bool] = {}  # by matchup: whether its units are wrong
    for number, unit in enumerate(units):
        if broken.setdefault(unit.matchup, number in wrong) != (number in wrong):
            first = next(one for one in sorted(wrong) if units[one].matchup == unit.matchup)
            return f"{key}[{first}]: its id does not go with its deals"
    if all(broken.values()):
        return f"seed, engine or the ids of all {key}: they do not go together"
    for number, strategy in enumerate(run.strategies):
        if broken == {m: number in run.matchups[m].strategies for m in broken}:
            return f"strategies[{number}] ({strategy.label}): the ids of its {key} do not follow"
    first = next(matchup for matchup, is_broken in broken.items() if is_broken)
    return f"matchups[{first}] ({run.matchups[first].label}): the ids of its {key} do not follow"


def _refuse(folder: Path, problem: str) -> RunDirError:
    return RunDirError(
        f"{folder / MANIFEST} was changed after it was written: {problem}", hint=_HINT
    )
