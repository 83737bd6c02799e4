"""The board game's own sections: where pawns end, where points come from, what ends a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lcsim.report import board_frames, frames, tables
from lcsim.report.board_tally import LENGTHS, BoardTally
from lcsim.report.document import Answer, Figure, Section, Table
from lcsim.report.plots import board_points, board_space
from lcsim.report.sections import WIDTH, Chapter
from lcsim.stats.rounding import format_count, format_estimate, format_percent

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.stats.estimate import Estimate

WHERE = "Where do pawns end?"
POINTS = "Where do the points come from?"
ENDING = "What ends a round?"

_PARTS = {
    "explorers": "explorers",
    "leader": "leader",
    "vp": "VP tiles",
    "artefact_points": "artefacts",
    "floor": "never below 0",
}
_ENDINGS = {
    "ended_bridges": "the last crossing",
    "ended_deck": "an empty draw pile",
    "ended_turn_limit": "the turn limit",
}
_HELP = {
    "leader": "its factor counted",
    "floor": "given back by the rule that nobody falls below 0",
}
_NOTABLE = 0.001  # of all points: what the floor of 0 gives back is said from here on
_PLUS = "± is one standard error, over deals."


def build_board_answers(chapter: Chapter) -> list[Answer]:
    """Answer where pawns end, where points come from, and what ends a round."""
    tally = cast("BoardTally", chapter.collected.extra)
    return [
        _answer_where(chapter, tally),
        _answer_points(chapter, tally),
        _answer_ending(chapter, tally),
    ]


def build_board_sections(chapter: Chapter) -> list[Section]:
    """Return the sections on points, on pawns and on rounds."""
    tally = cast("BoardTally", chapter.collected.extra)
    return [
        Section(
            chapter.name("points"),
            "Where points come from",
            "What explorers, the leader, VP tiles and artefacts bring.",
            tuple(_build_points(chapter, tally)),
            chapter.ruleset,
        ),
        Section(
            chapter.name("pawns"),
            "Where pawns end",
            "How many expeditions are opened, and how far they come.",
            tuple(_build_pawns(chapter, tally)),
            chapter.ruleset,
        ),
        Section(
            chapter.name("rounds"),
            "Rounds",
            "How long a round lasts, and what ends it.",
            tuple(_build_rounds(chapter, tally)),
            chapter.ruleset,
        ),
    ]


def _answer_where(chapter: Chapter, tally: BoardTally) -> Answer:
    found = [
        (label, space, sums)
        for label in chapter.order
        if (space := (sums := tally.read(label)).ratio("steps", "opened")) is not None
    ]
    if not found:
        sentence = "Nobody set out in these games."
        return Answer(WHERE, "nowhere", sentence, None, chapter.ruleset)
    label, space, sums = found[0]
    crossed, opened = sums.ratio("crossed", "opened"), sums.ratio("opened", "rounds")
    sentence = (
        f"The pawns of {label} end a round on space {_show(space)} on average, {_rate(crossed)} of "
        f"them beyond the bridge; it opens {_show(opened)} expeditions a round"
    )
    ranked = sorted(found, key=lambda one: -one[1].mean)
    if len(ranked) > 1:
        (far, high, _), (near, low, _) = ranked[0], ranked[-1]
        sentence += (
            f"; by strategy the mean space runs from {_show(low)} ({near}) to {_show(high)} ({far})"
        )
    return Answer(WHERE, f"space {_show(space)}", sentence + ".", None, chapter.ruleset)


def _answer_points(chapter: Chapter, tally: BoardTally) -> Answer:
    label = chapter.order[0]
    sums = tally.read(label)
    brought = {name: sums.ratio(name, "games") for name in _PARTS}
    shown = {name: _show(value) for name, value in brought.items()}
    sentence = (
        f"Of the {_show(sums.ratio('points', 'games'))} points a game of {label}, explorers bring "
        f"{shown['explorers']}, the leader {shown['leader']} "
        f"({_show(sums.ratio('doubling', 'games'))} of them by its factor), VP tiles {shown['vp']} "
        f"and artefacts {shown['artefact_points']}"
    )
    weights = {name: abs(value.mean) for name, value in brought.items() if value is not None}
    floor = weights.pop("floor", 0.0)
    if floor > _NOTABLE * sum(weights.values()):
        sentence += f"; the rule that nobody falls below 0 gives back {shown['floor']}"
    if not weights:
        return Answer(POINTS, shown["leader"], sentence + ".", None, chapter.ruleset)
    main = max(weights, key=lambda name: weights[name])
    headline = f"{_PARTS[main]}, {shown[main]} points"
    return Answer(POINTS, headline, sentence + ".", None, chapter.ruleset)


def _answer_ending(chapter: Chapter, tally: BoardTally) -> Answer:
    lengths = tally.read_lengths()
    endings = _list_endings(tally)
    parts: list[str] = []
    for n, sums in lengths.items():
        shares = [_rate(sums.ratio(name, "rounds")) for name in endings]
        turns = f"after {_show(sums.ratio('turns', 'rounds'))} turns"
        if not parts:  # the others list the same
            named = zip(shares, endings, strict=True)
            shares = [f"{share} with {_ENDINGS[name]}" for share, name in named]
            shares[0] = shares[0].replace(" with ", " of the rounds end with ")
            turns += " of all players together"
        who = f"with {n} players " if len(lengths) > 1 else ""
        parts.append(f"{who}{_join(shares)}, {turns}")
    sentence = "; ".join(parts) + "."
    first_n, first = next(iter(lengths.items()))
    main = max(endings, key=first.total)
    headline = f"{_ENDINGS[main]}, {_rate(first.ratio(main, 'rounds'))}"
    if len(lengths) > 1:
        headline += f" with {first_n} players"
    return Answer(ENDING, headline, sentence[0].upper() + sentence[1:], None, chapter.ruleset)


def _list_endings(tally: BoardTally) -> list[str]:
    """Return the names of the endings that occurred."""
    found = tally.read_lengths().values()
    return [name for name in _ENDINGS if any(sums.total(name) for sums in found)]


def _build_points(chapter: Chapter, tally: BoardTally) -> list[Figure | Table]:
    frame = _mark(board_frames.summarise_parts(tally, chapter.order), chapter)
    info = board_points.prepare(frame, _PARTS)
    figure = Figure(
        chapter.name("points-by-part"),
        "What a score is made of",
        "Gains stand to the right of 0, losses to the left; the diamond is the mean score, which "
        f"they add up to, and the text has its standard error; {chapter.count()}.",
        info,
        board_points.draw,
        (WIDTH, 1.3 + 0.4 * len(info.rows)),
    )
    columns = [
        tables.column_strategy(),
        tables.column_estimate("points", "score", help_text="points a game"),
        *(
            tables.column_estimate(name, title, signed=True, help_text=_HELP.get(name, ""))
            for name, title in _PARTS.items()
        ),
        tables.column_estimate(
            "doubling", "leader's factor", signed=True, help_text="beyond an explorer in its place"
        ),
    ]
    table = tables.build_table(
        "board_points",
        frame,
        columns,
        title="Points by where they come from",
        caption="Points a game. The parts add up to the score; the leader's factor is a part of "
        "what the leader brings, and “never below 0” what that rule gives back; "
        f"{chapter.count()}. {_PLUS}",
    )
    kept = _mark(board_frames.summarise_artefacts(tally, chapter.order), chapter)
    artefacts = tables.build_table(
        "board_artefacts",
        kept,
        [
            tables.column_strategy(),
            tables.column_count("artefacts", "artefacts"),
            tables.column_number("points", "points"),
            tables.column_percent("share", "of its games", bar=True),
            tables.column_count("n_games", "games"),
        ],
        title="Artefacts at the end of a game",
        caption=f"The highest number counts the games with more artefacts, too. {_PLUS}",
    )
    return [figure, table, artefacts]


def _build_pawns(chapter: Chapter, tally: BoardTally) -> list[Figure | Table]:
    pawns = _mark(board_frames.summarise_pawns(tally, chapter.order), chapter)
    columns = [
        tables.column_strategy(),
        tables.column_estimate("opened", "opened", help_text="expeditions a round"),
        tables.column_estimate("space", "mean space", help_text="of its pawns that set out"),
        tables.column_percent("crossed", "over the bridge", help_text="share of those pawns"),
        tables.column_percent("leader_out", "leader out", help_text="share of rounds"),
        tables.column_estimate("leader_space", "its space", help_text="of leaders that set out"),
        tables.column_percent("leader_crossed", "its crossing", help_text="share of those leaders"),
        tables.column_estimate("artefacts", "artefacts", help_text="tiles a game"),
    ]
    table = tables.build_table(
        "board_pawns",
        pawns,
        columns,
        title="Expeditions and pawns",
        caption="Opened is expeditions a round; leader out the share of rounds in which it set "
        "out, its space and crossing those of the leaders that did; artefacts are tiles a game; "
        f"n = {format_count(int(pawns['n_pawns'].sum()), 'pawn')}. {_PLUS}",
    )
    spaces = _mark(board_frames.summarise_spaces(tally, chapter.order), chapter)
    info = board_space.prepare(spaces, chapter.colors, bridge_after=tally.bridge)
    figure = Figure(
        chapter.name("pawns-by-space"),
        "Where pawns stand when a round ends",
        "Dots are shares of a strategy's pawns that have set out, bars 95 % intervals; "
        f"n = {format_count(info.n_pawns, 'pawn')}.",
        info,
        board_space.draw,
        (WIDTH, 4.3),
    )
    by_space = tables.build_table(
        "board_spaces",
        spaces,
        [
            tables.column_strategy(),
            tables.column_count("space", "space"),
            tables.column_number("points", "points"),
            tables.column_percent("share", "of its pawns", bar=True),
            tables.column_percent("leader_share", "of its leaders"),
            tables.column_count("n_pawns", "pawns"),
        ],
        title="Pawns by space",
        caption=f"Of the pawns that have set out, at the end of a round. {_PLUS}",
    )
    return [figure, table, by_space]


def _build_rounds(chapter: Chapter, tally: BoardTally) -> list[Figure | Table]:
    columns = [
        tables.column_estimate("turns", "turns", help_text="of all players together"),
        *(
            tables.column_percent(
                name, f"end with {_ENDINGS[name]}", help_text="share of the rounds"
            )
            for name in _list_endings(tally)
        ),
        tables.column_count("n_rounds", "rounds"),
    ]
    crossing = f"The last crossing is that of pawn {tally.crossings} over a bridge"
    endings = tables.build_table(
        "board_rounds",
        _mark(board_frames.summarise_endings(tally), chapter),
        [tables.column_count("players", "players"), *columns],
        title="Rounds by number of players",
        caption=f"Over all matchups, turns of all players together. {crossing}. {_PLUS}",
    )
    names = [name.removeprefix("ended_") for name in LENGTHS[2:]]
    lengths = tables.build_table(
        "board_rounds_by_matchup",
        frames.summarise_lengths(chapter.collected, names),
        [tables.column_text("matchup", "matchup"), *columns],
        title="Rounds by matchup",
        caption=f"Turns are those of all players together. {_PLUS}",
    )
    return [endings, lengths]


def _mark(frame: pd.DataFrame, chapter: Chapter) -> pd.DataFrame:
    frame.insert(0, "ruleset", chapter.collected.ruleset)
    return frame


def _show(value: Estimate | None, *, signed: bool = False) -> str:
    if value is None:
        return format_estimate(None, None)
    return format_estimate(value.mean, value.se, signed=signed)


def _rate(value: Estimate | None) -> str:
    return format_percent(None, None) if value is None else format_percent(value.mean, value.se)


def _join(items: list[Any]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else items[0]
