"""Commands as text, ready to be pasted into a shell."""

import shlex
from collections.abc import Iterable


def write_replay_command(
    specs: Iterable[str],
    *,
    ruleset: str,
    seed: int,
    deal: int,
    rotation: int,
    folders: Iterable[str] = (),
) -> str:
    """Return the command that tells one game turn by turn: the strategies in matchup order."""
    words = ["lcsim", "replay", *specs, "--ruleset", ruleset]
    words += ["--seed", str(seed), "--deal", str(deal), "--rotation", str(rotation)]
    for folder in folders:
        words += ["--strategies", folder]
    return shlex.join(words)
