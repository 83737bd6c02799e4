"""Where the values of the board game's presets come from, and which are assumed."""

from collections.abc import Mapping

from lcsim.rules.ruleset import Source

_SHEET = Source("rule sheet of the board game")
_SILENT = Source("the rule sheet is silent", assumed=True)
_KELTIS = "the points of Keltis times five"

_LONG: Mapping[str, Source] = {
    **dict.fromkeys(
        (
            "colors",
            "copies",
            "lowest_rank",
            "highest_rank",
            "hand_size",
            "rounds",
            "bridge_after",
            "crossings_to_end",
            "explorers",
            "leader_factor",
            "artefact_tiles",
            "step_tiles",
            "direction",
            "opening",
        ),
        _SHEET,
    ),
    "removed_cards": Source(f"{_SHEET.text}: 30 in a game of two"),
    "space_points": Source(
        f"{_SHEET.text} for -20, -15, 15 and 30; the others are {_KELTIS}, as in play reports"
    ),
    "vp_tiles": Source(f"{_SHEET.text} for their number; their split is {_KELTIS}"),
    "tile_places": Source(
        "the five patterns of the board; which color has which is on no text", assumed=True
    ),
    "artefact_points": Source(
        f"{_SHEET.text} for 30 at 6, 70 at 9 and a loss up to 5; a play report for 40 at 8; the "
        "others are on no text",
        assumed=True,
    ),
    "redraw_own_discard": _SILENT,
    "next_starter": Source(
        f"{_SHEET.text}; where nobody advanced, the seat after the last starter",
        assumed=True,
    ),
    "turn_limit": Source("no rule sheet limits a round", assumed=True),
}
_SHORT: Mapping[str, Source] = {
    **_LONG,
    "rounds": Source(f"{_SHEET.text}: the short game"),
    "artefact_points": Source("the small track of the board"),
    "next_starter": Source("a game of one round has no next starter"),
}
_UPDOWN = Source(f"{_SHEET.text}: the variant of rising and falling rows")

SOURCES: Mapping[str, Mapping[str, Source]] = {
    "board": _LONG,
    "board-short": _SHORT,
    "board-updown": {**_LONG, "direction": _UPDOWN, "opening": _UPDOWN},
    "board-short-updown": {**_SHORT, "direction": _UPDOWN, "opening": _UPDOWN},
}
