"""Words that numbers bend."""


def pluralise(count: int, noun: str, plural: str = "") -> str:
    """Return the noun as it stands after a number: "game" after 1, "games" after any other.

    `plural` is for nouns that take more than an s.
    """
    return noun if abs(count) == 1 else plural or f"{noun}s"
