"""The conformance suite for strategies: what `lcsim strategies check` runs, and authors' own tests.

    from lcsim.testing import check_strategy

    def test_mine():
        assert check_strategy("path/to/mine.py") == []

It reads the file for what a strategy may not use, compiles it, and plays in the referee with an
ear on every decision: the same view must get the same answer, also when all that is hidden has been
dealt anew. Then the compiled form must play the same games; a batch strategy, which is not
compiled, must play them in batches of any size.
"""

import copy
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lcsim.errors import StrategyError
from lcsim.rules import Game, get_game
from lcsim.rules.restriction import FREE
from lcsim.rules.streams import Stream
from lcsim.rules.underway import OverrunError
from lcsim.runner.watchdog import DECISION_LIMIT, limit_decisions
from lcsim.strategy import LoadedStrategy, compile_strategy, load_strategy
from lcsim.strategy.base import BATCH
from lcsim.strategy.load import find_strategy, read_source
from lcsim.strategy.scan import scan_source

SEED = 2026
_BATCHES = ({"batch": 64}, {"batch": 5})
HIDDEN_STREAM = 99  # of the addresses of section 3 of the rules, one that no game uses


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a strategy: where, what, and what to do about it."""

    level: Literal["error", "warning"]
    path: Path
    line: int
    what: str
    todo: str


class ScriptedStrategy:
    """A decider for the referee that plays given moves, for tests of situations.

    `moves` gives each decision's answers in order, such as {"choose_play": [3], "choose_draw":
    [-1]}; after the last `then` decides, or a ValueError says that the script is over.
    """

    spec = name = "scripted"
    path = Path(__file__)
    lines: Mapping[str, int] = {}
    restriction = FREE

    def __init__(self, moves: Mapping[str, Sequence[int]], *, then: Any = None) -> None:
        for decision, script in moves.items():
            setattr(self, decision, functools.partial(self._answer, decision, iter(script), then))

    @staticmethod
    def _answer(decision: str, script: Iterator[int], then: Any, view: Any, rng: Any) -> int:
        for move in script:
            return move
        if then is None:
            raise ValueError(f"the script for {decision} is over")
        return int(getattr(then, decision)(view, rng))


def check_strategy(
    target: str | Path,
    *,
    kind: str | None = None,
    folders: Sequence[Path] = (),
    n_games: int = 12,
    decision_limit: float = DECISION_LIMIT,
) -> list[Finding]:
    """Check a strategy, given as a spec or the path of a file; an empty list means all is well.

    Plays `n_games` deals against itself under every preset of its game, shared among the numbers of
    players that the game allows. In plain Python, no decision may take more than `decision_limit`
    seconds.
    """
    with limit_decisions(decision_limit):
        return _check(str(target), kind, folders, n_games)


def _check(spec: str, kind: str | None, folders: Sequence[Path], n_games: int) -> list[Finding]:
    try:
        found = find_strategy(spec, kind=kind, folders=folders)
        faults = scan_source(read_source(found.path), found.kind or kind or "")
        if faults:  # none of it is run
            return [Finding("error", found.path, *fault) for fault in faults]
        loaded = load_strategy(spec, kind=kind, folders=folders)
        compiled = compile_strategy(loaded)
    except StrategyError as error:
        return [_report(error, Path(spec.partition(":")[0]))]
    game = get_game(loaded.kind)
    n_deals = -(-n_games // len(game.player_counts))
    for ruleset in game.presets.values():
        for n_players in game.player_counts:
            findings = _play_games(game, ruleset, [(loaded, compiled)] * n_players, n_deals)
            if findings:
                return _name_table(findings, game, n_players)
    return []


def _name_table(findings: Sequence[Finding], game: Game, n_players: int) -> list[Finding]:
    """Return the findings with how many players sat there, where the game leaves it open."""
    if len(game.player_counts) == 1:
        return list(findings)
    return [replace(one, what=f"with {n_players} players: {one.what}") for one in findings]


def _report(error: StrategyError, path: Path) -> Finding:
    where = error.path or path
    what = error.message.removeprefix(f"{where}, line {error.line}: ").removeprefix(f"{where}: ")
    todo = error.hint or "It must answer every view with a legal move or a number, and never raise."
    return Finding("error", where, error.line or 1, what, todo)


def _play_games(
    game: Game, ruleset: Any, seats: Sequence[tuple[LoadedStrategy, Any]], n_deals: int
) -> list[Finding]:
    """Play deals with one strategy in all seats, loaded and compiled, and return what is found.

    In each rotation it would play the same game, so the referee plays a deal in one of them.
    """
    n_players, (loaded, compiled) = len(seats), seats[0]
    watch = _Watch(game, loaded)
    records: dict[tuple[int, int], Any] = {}
    try:
        for deal in range(n_deals):
            rotation = deal % n_players
            records[deal, rotation] = game.replay(
                ruleset,
                seed=SEED,
                deal=deal,
                rotation=rotation,
                strategies=[loaded.decider] * n_players,
                watch=watch,
            )
            if watch.findings:
                return watch.findings
        rows = [
            game.play_deals(
                ruleset,
                seed=SEED,
                first_deal=0,
                n_deals=n_deals,
                strategies=[compiled] * n_players,
                **size,
            )
            for size in (_BATCHES if loaded.form == BATCH else ({}, {}))
        ]
    except StrategyError as error:
        return [_report(error, loaded.path)]
    if not np.array_equal(rows[0], rows[1]):
        return [_report_batch(loaded) if loaded.form == BATCH else watch.unsteady("")]
    points = game.settle_games(ruleset, rows[0]).points
    for (deal, rotation), record in records.items():
        by_strategy = [record["totals"][seat] for seat in record["seats"]]
        if list(points[deal, rotation]) != by_strategy:
            where = f"{ruleset.spec}, seed {SEED}, deal {deal}, rotation {rotation}"
            return [_report_forms(loaded, where)]
    return []


def _report_batch(loaded: LoadedStrategy) -> Finding:
    """Return the finding for a strategy whose moves depend on the size of the batch."""
    return Finding(
        "error",
        loaded.path,
        min(loaded.decider.lines.values()),
        "answers a view differently with other views beside it",
        "Let each view be answered by itself: no sums over the batch, random numbers for all views "
        "or for those of a mask by rngs[mask], and sums that are exact (whole numbers, or weights "
        "and activations in steps of a power of two).",
    )


def _report_forms(loaded: LoadedStrategy, where: str) -> Finding:
    """Return the finding for two forms of a strategy that play differently."""
    if loaded.form == BATCH:
        return _report_batch(loaded)
    return Finding(
        "error",
        loaded.path,
        min(loaded.decider.lines.values()),
        f"plays differently compiled than in plain Python ({where})",
        "Avoid what the two do differently: numbers beyond 64 bits, indices out of range, memory "
        "of earlier moves.",
    )


class _Watch:
    """Listens to every decision of a game in the referee, and asks again behind its back."""

    def __init__(self, game: Game, loaded: LoadedStrategy) -> None:
        self.game, self.loaded = game, loaded
        self.findings: list[Finding] = []

    def __call__(self, table: Any, seat: int, decider: Any, rng: Stream, decision: str) -> None:
        if self.findings:
            return
        choose: Callable[[Any, Any], int] = getattr(decider, decision)
        view = table.view(seat)
        try:
            first = choose(view, copy.deepcopy(rng))
            again = choose(view, copy.deepcopy(rng))
            hidden = Stream(SEED, table.turn, seat, HIDDEN_STREAM)
            other_table = self.game.shuffle_hidden(table, seat, hidden)
            elsewhere = choose(other_table.view(seat), copy.deepcopy(rng))
        except OverrunError:
            raise  # once is enough
        except Exception:
            return  # the referee meets the same exception next, and says where
        if first != again:
            self.findings.append(self.unsteady(decision))
        elif first != elsewhere:
            self.findings.append(
                Finding(
                    "error",
                    self.loaded.path,
                    self.loaded.decider.lines[decision],
                    f"{decision} changes with cards that it cannot see: it peeks",
                    "Use the view alone; what is not in it is hidden from a player too.",
                )
            )

    def unsteady(self, decision: str) -> Finding:
        """Return the finding for two answers to one view."""
        lines = self.loaded.decider.lines
        return Finding(
            "error",
            self.loaded.path,
            lines.get(decision, min(lines.values())),
            f"{decision or 'it'} answers the same view differently",
            "Draw random numbers from `rng` only, and remember nothing from move to move.",
        )


def describe_findings(findings: Sequence[Finding]) -> str:
    """Return findings as text, a line where and what, a line what to do."""
    return "\n".join(
        f"{finding.path}:{finding.line}: {finding.level}: {finding.what}\n    {finding.todo}"
        for finding in findings
    )


__all__ = ["Finding", "ScriptedStrategy", "check_strategy", "describe_findings"]
