"""What a report reads: the run's manifest as values, and where each part lies."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcsim.errors import PartError, RunDirError
from lcsim.store import RunDir, open_run


@dataclass(frozen=True, slots=True)
class Piece:
    """A part that exists: the deals first_deal .. first_deal + n_deals of one matchup."""

    matchup: int
    path: Path
    first_deal: int
    n_deals: int

    @property
    def end(self) -> int:
        """The deal after the last."""
        return self.first_deal + self.n_deals


@dataclass(frozen=True, slots=True)
class Matchup:
    """Who meets whom under which ruleset; `labels` name the strategies in the order of numbers."""

    number: int
    label: str
    labels: tuple[str, ...]
    ruleset: str
    n_deals: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy of the run as the report names it, and the kept source, relative to the run."""

    label: str
    spec: str
    source: str


@dataclass(frozen=True, slots=True)
class Source:
    """A run, as far as a report needs to know it."""

    path: Path
    title: str
    question: str
    kind: str
    seed: int
    rulesets: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    entrants: tuple[Entrant, ...]
    pieces: tuple[Piece, ...]
    versions: Mapping[str, str]
    command: str
    wall_seconds: float | None
    n_planned: int
    notes: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Tell whether everything that was planned has been played."""
        return sum(piece.n_deals for piece in self.pieces) >= self.n_planned

    def list_matchups(self, ruleset: str) -> list[Matchup]:
        """Return the matchups under one ruleset that have at least one part."""
        played = {piece.matchup for piece in self.pieces}
        return [m for m in self.matchups if m.ruleset == ruleset and m.number in played]


def open_source(path: Path) -> Source:
    """Read the manifest of the run in `path`.

    Raises:
        RunDirError: `path` is no run, or its manifest lacks what a report needs.
        PartError: nothing has been played yet.
    """
    run = open_run(path)
    try:
        source = _read_manifest(run)
    except (KeyError, TypeError, IndexError) as error:
        raise RunDirError(
            f"{path / 'run.json'} lacks what a report needs: {error}",
            hint="give the command of the run again; it completes the manifest",
        ) from error
    if not source.pieces:
        raise PartError(
            f"{path} has no part to report on yet", hint="play it first: " + source.command
        )
    return source


def _read_manifest(run: RunDir) -> Source:
    manifest = run.manifest
    matchups = tuple(
        Matchup(number, entry["label"], tuple(entry["labels"]), entry["ruleset"], entry["n_deals"])
        for number, entry in enumerate(manifest["matchups"])
    )
    experiment: Mapping[str, Any] = manifest["experiment"]
    units = manifest["units"]
    pieces = tuple(
        Piece(unit["matchup"], path, unit["first_deal"], unit["n_deals"])
        for unit in units
        if (path := run.find_part(unit["id"])).exists()
    )
    return Source(
        path=run.path,
        title=" vs ".join(matchups[0].labels) if len(matchups) == 1 else run.path.name,
        question=experiment["question"],
        kind=manifest["kind"],
        seed=experiment["seed"],
        rulesets=tuple(dict.fromkeys(matchup.ruleset for matchup in matchups)),
        matchups=matchups,
        entrants=_read_entrants(manifest, matchups),
        pieces=pieces,
        versions=dict(manifest["versions"]),
        command=manifest["command"],
        wall_seconds=manifest.get("timing", {}).get("wall_seconds"),
        n_planned=sum(unit["n_deals"] for unit in units),
        notes=(),
    )


def _read_entrants(
    manifest: Mapping[str, Any], matchups: tuple[Matchup, ...]
) -> tuple[Entrant, ...]:
    entrants: dict[str, Entrant] = {}
    for matchup, entry in zip(matchups, manifest["matchups"], strict=True):
        for label, number in zip(matchup.labels, entry["strategies"], strict=True):
            strategy = manifest["strategies"][number]
            entrants.setdefault(label, Entrant(label, strategy["spec"], strategy["source"]))
    return tuple(entrants.values())
