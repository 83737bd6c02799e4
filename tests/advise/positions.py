"""Positions by hand, and what a whole deck is cut down to so that they stay short."""

SMALL = "duel:colors=2,hand_size=2,rounds=1,turn_limit=60"  # 24 cards
TINY = {
    "ruleset": SMALL,
    "hand": "R9 G2",
    "mine": "Rw R2 R5",
    "theirs": "Gw Gw Gw G4 G5 G6",
    "discards": "Rw Rw R3 R4 R8 G3",
}


def write_text(**changes):
    """Return TINY as TOML with entries changed; None leaves one out."""
    entries = {name: value for name, value in (TINY | changes).items() if value is not None}
    return "".join(
        f'{name} = "{value}"\n' if isinstance(value, str) else f"{name} = {value}\n"
        for name, value in entries.items()
    )
