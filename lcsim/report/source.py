"""What a report reads: the run's manifest as values, and where each part lies."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcsim.errors import PartError, RunDirError
from lcsim.experiment.stored import check_manifest
from lcsim.store import RunDir, open_run
from lcsim.store.run_dir import SOURCES


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
    """A run, as far as a report needs to know it.

    `folders` are those that strategies were looked for in besides the usual ones. `fork_pieces` are
    the parts of forks; `n_planned` and `n_forks_planned` count deals.
    """

    path: Path
    question: str
    kind: str
    seed: int
    rulesets: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    entrants: tuple[Entrant, ...]
    pieces: tuple[Piece, ...]
    versions: Mapping[str, str]
    command: str
    seconds: float | None
    jobs: int | None
    n_planned: int
    notes: tuple[str, ...]
    folders: tuple[str, ...] = ()
    fork_pieces: tuple[Piece, ...] = ()
    n_forks_planned: int = 0

    @property
    def is_whole(self) -> bool:
        """Tell whether everything that was planned has been played, forks aside."""
        return sum(piece.n_deals for piece in self.pieces) >= self.n_planned

    @property
    def has_all_forks(self) -> bool:
        """Tell whether every fork that was planned has been played."""
        return sum(piece.n_deals for piece in self.fork_pieces) >= self.n_forks_planned

    def list_matchups(self, ruleset: str) -> list[Matchup]:
        """Return the matchups under one ruleset that have at least one part."""
        played = {piece.matchup for piece in self.pieces}
        return [m for m in self.matchups if m.ruleset == ruleset and m.number in played]


def open_source(path: Path) -> Source:
    """Read the manifest of the run in `path`.

    Raises:
        RunDirError: `path` is no run, or its manifest was changed, or lacks what a report needs.
        PartError: nothing has been played yet.
    """
    run = open_run(path)
    check_manifest(path, run.manifest)
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
    units, forks = manifest["units"], manifest.get("fork_units", [])
    timing: Mapping[str, Any] = manifest.get("timing") or {}
    return Source(
        path=run.path,
        question=manifest["question"],
        kind=manifest["kind"],
        seed=manifest["seed"],
        rulesets=tuple(entry["spec"] for entry in manifest["rulesets"]),
        matchups=matchups,
        entrants=_read_entrants(manifest, matchups),
        pieces=_list_pieces(units, run.find_part),
        versions=dict(manifest["versions"]),
        command=manifest["files"]["command"],
        folders=tuple(manifest["files"].get("folders", ())),
        seconds=timing.get("seconds"),
        jobs=timing.get("jobs"),
        n_planned=sum(unit["n_deals"] for unit in units),
        notes=tuple(_list_notes(manifest.get("results") or {})),
        fork_pieces=_list_pieces(forks, run.find_fork_part),
        n_forks_planned=sum(unit["n_deals"] for unit in forks),
    )


def _list_pieces(
    units: Iterable[Mapping[str, Any]], find: Callable[[str], Path]
) -> tuple[Piece, ...]:
    return tuple(
        Piece(unit["matchup"], path, unit["first_deal"], unit["n_deals"])
        for unit in units
        if (path := find(unit["id"])).exists()
    )


def _read_entrants(
    manifest: Mapping[str, Any], matchups: tuple[Matchup, ...]
) -> tuple[Entrant, ...]:
    entrants: dict[str, Entrant] = {}
    for matchup, entry in zip(matchups, manifest["matchups"], strict=True):
        for label, number in zip(matchup.labels, entry["strategies"], strict=True):
            strategy = manifest["strategies"][number]
            kept = f"{SOURCES}/{strategy['source']}"
            entrants.setdefault(label, Entrant(label, strategy["spec"], kept))
    return tuple(entrants.values())


def _list_notes(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the run itself concluded: why it stopped, and whether expectations hold."""
    for entry in results.get("matchups", ()):
        if entry["sentence"]:
            yield entry["sentence"]
    for entry in results.get("expectations", ()):
        yield f"Expected: {entry['sentence']}"
