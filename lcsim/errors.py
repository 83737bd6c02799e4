"""Every exception of lcsim, with the exit code the command line gives it.

    LcsimError                    70  a fault of lcsim itself
    ├── UsageError                 2  what was asked for cannot be done
    │   ├── SpecError              2  a strategy's spec is malformed or out of range
    │   ├── UnknownNameError       2  no strategy, ruleset, field or key of that name
    │   ├── RulesetError           2  a ruleset's field has an impossible value
    │   ├── CountError             2  a number of games, deals, jobs or a seed that cannot be
    │   ├── ExperimentError        2  an experiment file is wrong, at a path in it
    │   └── PositionError          2  a position cannot be, at an entry of it
    ├── StrategyError              3  a strategy broke
    │   ├── StrategyLoadError      3  its file cannot be read, parsed or imported
    │   ├── StrategyCompileError   3  its code cannot be compiled
    │   └── StrategyBrokeError     3  it raised, or answered nonsense, in the middle of a game
    ├── StoreError                 4  stored data cannot be used
    │   ├── RunDirError            4  a folder is not a run, or is another one
    │   └── PartError              4  a part is damaged
    ├── WorkerError                5  workers of another process or machine were lost
    └── InterruptedRunError      130  stopped by the user; carries the command that goes on

A message says what is wrong with which thing; the hint says what to do next.
"""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class LcsimError(Exception):
    """A failure with a sentence for the user: `message`, and `hint` for the next step."""

    exit_code = 70

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, vars(self))

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(LcsimError):
    """What was asked for cannot be done as it was asked."""

    exit_code = 2


class SpecError(UsageError):
    """A strategy's spec is malformed, or a parameter in it is out of range."""


class UnknownNameError(UsageError):
    """Nothing has that name; the message lists what is allowed."""

    def __init__(self, what: str, value: str, choices: Iterable[str], *, hint: str = "") -> None:
        names = sorted(set(choices))
        allowed = f"known are {', '.join(names)}" if names else "none is known"
        near = did_you_mean(value, names)
        super().__init__(f"unknown {what} {value!r}: {near}{allowed}", hint=hint)


class RulesetError(UsageError):
    """A field of a ruleset has an impossible value."""


class CountError(UsageError):
    """A number of games, deals or jobs, or a seed, that cannot be."""


class ExperimentError(UsageError):
    """An experiment file is wrong; the message gives the path of the key."""


class PositionError(UsageError):
    """A position that cannot be; the message gives the entry."""


class StrategyError(LcsimError):
    """A strategy, which is foreign code, broke; `path` and `line` say where, as far as is known."""

    exit_code = 3

    def __init__(
        self, message: str, *, hint: str = "", path: Path | None = None, line: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.line = line


class StrategyLoadError(StrategyError):
    """A strategy's file cannot be read, parsed or imported."""


class StrategyCompileError(StrategyError):
    """A strategy's code cannot be compiled; the message gives file and line."""


class StrategyBrokeError(StrategyError):
    """A strategy raised or answered nonsense in a game.

    `deal`, `rotation` and `strategy` (its number in the matchup) say where; `replay`, where the
    referee met it, is the game up to there, a replay record whose last round has no end.
    """

    def __init__(
        self,
        message: str,
        *,
        deal: int = 0,
        rotation: int = 0,
        strategy: int = 0,
        hint: str = "",
        path: Path | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message, hint=hint, path=path, line=line)
        self.deal = deal
        self.rotation = rotation
        self.strategy = strategy
        self.replay: dict[str, Any] | None = None


class StoreError(LcsimError):
    """Stored data cannot be used."""

    exit_code = 4


class RunDirError(StoreError):
    """A folder is not a run, or holds another one."""


class PartError(StoreError):
    """A part of a run is damaged."""


class WorkerError(LcsimError):
    """Workers in other processes or on other machines were lost, or cannot be reached any more."""

    exit_code = 5


class InterruptedRunError(LcsimError):
    """The user stopped a run; the hint is the command that goes on with it."""

    exit_code = 130


def did_you_mean(value: str, choices: Iterable[str]) -> str:
    """Return "did you mean 'x'? " for the nearest of `choices`, or nothing."""
    near = difflib.get_close_matches(value, list(choices), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}? " if near else ""


def _rebuild(cls: type[LcsimError], message: str, state: dict[str, Any]) -> LcsimError:
    """Make an error again that comes from another process, whatever its class is made from."""
    error = cls.__new__(cls, message)
    vars(error).update(state)
    return error
