"""The board game: Lost Cities, le jeu de plateau, for two to four."""

from typing import Any

import numpy.typing as npt

from lcsim.rules.board.batch import load_kernel, load_lockstep, play_deals
from lcsim.rules.board.choice import (
    choose_play_by_rating,
    choose_step_by_rating,
    choose_step_by_rule,
)
from lcsim.rules.board.kernel import HOOK_SIGNATURE
from lcsim.rules.board.outcome import ENDINGS, TIE_BREAKER, build_row_dtype, settle_games
from lcsim.rules.board.referee import play_game
from lcsim.rules.board.restrict import VOCABULARY
from lcsim.rules.board.ruleset import (
    KIND,
    MAX_SEATS,
    MIN_SEATS,
    PRESETS,
    BoardRuleset,
    check_players,
)
from lcsim.rules.board.scoring import score_text
from lcsim.rules.board.simulate import SIMULATION
from lcsim.rules.board.table import shuffle_hidden
from lcsim.rules.board.telling import render_replay
from lcsim.rules.board.view import VIEW_DTYPE, View
from lcsim.rules.choice import (
    choose_draw_by_rating,
    choose_draw_by_rule,
    choose_play_by_rule,
    wait_for_batch,
)
from lcsim.rules.game import AuthorContract, Game, Settled
from lcsim.rules.ruleset import FieldNote, describe_fields


def _describe(ruleset: BoardRuleset) -> list[FieldNote]:
    return describe_fields(ruleset, PRESETS[ruleset.preset])


def _settle(_ruleset: BoardRuleset, rows: npt.NDArray[Any]) -> Settled:
    return settle_games(rows)


AUTHOR = AuthorContract(
    methods={
        "rating": {
            "lay": ("view", "card"),
            "discard": ("view", "card"),
            "draw": ("view", "card"),
            "open_with_leader": ("view", "card"),
            "step": ("view", "color"),
        },
        "deciding": {
            "choose_play": ("view", "rng"),
            "choose_draw": ("view", "rng"),
            "choose_step": ("view", "rng"),
        },
        "batch": {
            "choose_play": ("views", "rngs"),
            "choose_draw": ("views", "rngs"),
            "choose_step": ("views", "rngs"),
        },
    },
    view_fields=View._fields,
    batch_dtype=VIEW_DTYPE,
    decisions=("choose_play", "choose_draw", "choose_step"),
    templates={
        "rating": (choose_play_by_rating, choose_draw_by_rating, choose_step_by_rating),
        "deciding": (choose_play_by_rule, choose_draw_by_rule, choose_step_by_rule),
        "batch": (wait_for_batch, wait_for_batch, wait_for_batch),
    },
    signature=HOOK_SIGNATURE,
)

FIXED = (
    "A round ends at once with the last crossing (`crossings_to_end`), whose tile does not act, or "
    "when the last card of the draw pile is drawn (rule sheet of the board game).",
    "Nobody has fewer than 0 points: when a round's points or the artefacts' would lead below 0, "
    "0 are left (rule sheet of the board game, of rounds; of artefacts by likeness).",
    "VP tiles count at once; artefacts are kept, and count once, at the end of the game (rule "
    "sheet of the board game).",
    "Most points win; of equals, those with most artefacts of the whole game; those equal in that "
    "too share the win (rule sheet of the board game).",
)

GAME = Game(
    kind=KIND,
    title="the board game",
    presets=PRESETS,
    player_counts=range(MIN_SEATS, MAX_SEATS + 1),
    endings=ENDINGS,
    row_dtype=build_row_dtype,
    author=AUTHOR,
    describe=_describe,
    fixed=FIXED,
    check_players=check_players,
    load_kernel=load_kernel,
    load_lockstep=load_lockstep,
    play_deals=play_deals,
    settle_games=_settle,
    replay=play_game,
    render_replay=render_replay,
    score_text=score_text,
    shuffle_hidden=shuffle_hidden,
    restrictions=VOCABULARY,
    find_tools=SIMULATION.find_tools,
    tie_breaker=TIE_BREAKER,
)
