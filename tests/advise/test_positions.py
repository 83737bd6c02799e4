"""Positions: read and written, taken from games, and refused at the entry that is wrong."""

import dataclasses
from dataclasses import replace

import pytest
from positions import SMALL, write_text

from lcsim.advise import (
    DRAW,
    PLAY,
    STEP,
    load_position,
    parse_position,
    take_position,
    write_position,
)
from lcsim.advise.games import ROOMS
from lcsim.errors import CountError, PositionError, UsageError
from lcsim.rules import GAMES, list_presets, parse_ruleset
from lcsim.strategy import load_strategy

GAMES_TAKEN = {
    "duel": ("duel", ("balanced", "denier"), 0),
    "board": ("board", ("steady", "racer", "collector"), 1),
    "updown": ("board-updown", ("balanced", "all-paths"), 0),
    "either": ("duel-long:direction=either,wagers_per_color=2", ("ladder", "balanced"), 2),
}


def test_every_game_has_positions():
    assert set(ROOMS) == set(GAMES)


@pytest.mark.parametrize("kind", ROOMS)
def test_the_example_is_a_position(kind):
    position = parse_position(ROOMS[kind].example)
    assert position.ruleset.kind == kind
    assert position.decision == PLAY
    assert len(ROOMS[kind].list_moves(position)) > 3
    assert parse_position(write_position(position)).view == position.view


def forget_wagers(view):
    """Return a duel's view in which equal wagers are equal: of each color their number."""
    if not hasattr(view, "their_playable"):
        return view
    fields = view._asdict()
    for name, value in fields.items():
        if name in {"hand", "mine", "theirs", "discarded", "known_theirs", "playable"}:
            fields[name] = [(mask >> 3, (mask & 7).bit_count()) for mask in value]
    fields.pop("their_playable")
    fields["discard_top"] = [top if top % 16 > 2 else top // 16 - 10 for top in view.discard_top]
    return fields


@pytest.mark.parametrize("name", GAMES_TAKEN)
@pytest.mark.parametrize("decision", [PLAY, DRAW])
def test_a_position_is_what_its_seat_saw_and_nothing_else(name, decision):
    ruleset, specs, round_ = GAMES_TAKEN[name]
    rules = parse_ruleset(ruleset)
    seen = {}

    def watch(table, seat, decider, rng, asked):
        if table.round == round_ and asked == decision:
            seen[table.turn] = table.view(seat)

    deciders = [load_strategy(spec, kind=rules.kind).decider for spec in specs]
    GAMES[rules.kind].replay(rules, seed=3, deal=5, rotation=1, strategies=deciders, watch=watch)
    assert len(seen) > 20
    for turn in list(seen)[3::12]:
        address = {"seed": 3, "deal": 5, "rotation": 1, "round_": round_, "turn": turn}
        position = take_position(specs, ruleset=ruleset, decision=decision, **address)
        assert position.view == seen[turn]
        known = [seat.known for seat in position.table.seats[1:]]
        assert [seat.hand for seat in position.table.seats[1:]] == known
        assert set(position.table.draw_pile) == {-1}
        text = write_position(position)
        again = parse_position(text)
        assert write_position(again) == text
        assert again.decision == decision
        assert position.mover in specs
        assert forget_wagers(again.view) == forget_wagers(seen[turn])


STEPS = "board-short:artefact_tiles=3,step_tiles=22,vp_tiles=none"


def test_each_step_of_a_turn_can_be_taken():
    rules, specs = parse_ruleset(STEPS), ("racer", "steady", "random-legal")
    seen = {}

    def watch(table, seat, decider, rng, asked):
        if asked == STEP:
            seen.setdefault((table.round, table.turn), []).append(table.view(seat))

    deciders = [load_strategy(spec, kind="board").decider for spec in specs]
    GAMES["board"].replay(rules, seed=3, deal=5, rotation=1, strategies=deciders, watch=watch)
    (round_, turn), views = max(seen.items(), key=lambda item: len(item[1]))
    assert len(views) > 1
    address = {"seed": 3, "deal": 5, "rotation": 1, "round_": round_, "turn": turn}
    for step, view in enumerate(views):
        position = take_position(specs, ruleset=STEPS, decision=STEP, step=step, **address)
        assert position.view == view
        again = parse_position(write_position(position))
        assert (again.view, again.decision, again.played) == (view, STEP, position.played)
        assert again.played.startswith("lay ")
    with pytest.raises(CountError, match=f"no step {len(views)} in turn {turn}"):
        take_position(specs, ruleset=STEPS, decision=STEP, step=len(views), **address)
    turn = next(turn for turn in range(99) if (round_, turn) not in seen)
    with pytest.raises(CountError, match=f"no step in turn {turn}"):
        take_position(specs, ruleset=STEPS, decision=STEP, **{**address, "turn": turn})


def write_all(kind, ruleset, specs, *, deal, every):
    """Write every so many positions of a game and read them again; return how many."""
    rules, room = parse_ruleset(ruleset), ROOMS[kind]
    before, counts = {}, {PLAY: 0, DRAW: 0, STEP: 0}

    def watch(table, seat, decider, rng, asked):
        position = room.hide(table, seat, asked)
        if asked == PLAY:
            before[PLAY] = position
        else:
            position = replace(position, played=room.tell_play(before[PLAY], position))
        counts[asked] += 1
        if counts[asked] % every == deal % every:
            text = write_position(position)
            again = parse_position(text)
            assert write_position(again) == text
            assert again.decision == asked

    deciders = [load_strategy(spec, kind=kind).decider for spec in specs]
    GAMES[kind].replay(rules, seed=8, deal=deal, rotation=0, strategies=deciders, watch=watch)
    return counts


PLAYERS = {
    "duel": ("random-legal", "balanced"),
    "board": ("random-legal", "steady", "racer", "collector"),
}
RULESETS = [
    *((kind, preset) for kind, preset in list_presets()),
    ("duel", "duel:hand_size=1"),
    ("board", STEPS),
    (
        "board",
        "board:hand_size=1,removed_cards=0,space_points=-5/5/10/20,bridge_after=2,"
        "crossings_to_end=9,artefact_tiles=2,step_tiles=8,vp_tiles=5,"
        "tile_places=2/3/4|2/3/4|2/4|2/4|4",
    ),
]


@pytest.mark.parametrize(("kind", "ruleset"), RULESETS)
def test_what_games_come_to_is_not_refused(kind, ruleset):
    for n_players in GAMES[kind].player_counts:
        counts = write_all(kind, ruleset, PLAYERS[kind][:n_players], deal=n_players, every=5)
        assert counts[PLAY] > 20


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "ruleset"), RULESETS)
def test_what_many_games_come_to_is_not_refused(kind, ruleset):
    for deal in range(40):
        specs = PLAYERS[kind][deal % 4 :] + PLAYERS[kind][: deal % 4]
        for n_players in GAMES[kind].player_counts:
            write_all(kind, ruleset, specs[:n_players], deal=deal, every=1)


def test_a_hand_of_no_cards_is_written():
    position = take_position(
        ["tuned", "tuned"],
        ruleset="duel:hand_size=1",
        deal=75,
        rotation=1,
        turn=32,
        decision=DRAW,
    )
    assert position.view.hand == (0,) * 6
    assert parse_position(write_position(position)).view.deck_left == position.view.deck_left


def test_what_is_played_in_a_turn_is_told():
    position = take_position(["balanced", "ladder"], deal=7, turn=30, decision=DRAW)
    assert position.played == "lay B8"
    assert 'played = "lay B8"' in write_position(position)
    assert len(write_position(position).split('hand = "')[1].split('"')[0].split()) == 7


def test_a_position_is_read_from_a_file(tmp_path):
    file = tmp_path / "p.toml"
    file.write_text(write_text(), encoding="utf-8")
    position = load_position(file)
    assert position.ruleset.spec == parse_ruleset(SMALL).spec
    assert position.view.deck_left == 24 - 2 - 2 - 15
    assert position.view.turn == 24 - 4 - 5
    assert [len(pile) for pile in position.table.piles[:2]] == [5, 1]
    with pytest.raises(PositionError, match=r"cannot read the position .*nowhere"):
        load_position(tmp_path / "nowhere.toml")


def test_what_was_played_closes_its_pile():
    laid = parse_position(write_text(hand="G2", mine="Rw R2 R5 R9", played="lay R9"))
    assert laid.view.drawable == 0b11
    thrown = parse_position(write_text(hand="R9", discards="R3 R8 G3 G2", played="discard G2"))
    assert thrown.view.drawable == 0b01
    assert thrown.decision == DRAW


@pytest.mark.parametrize(
    ("changes", "entry", "says"),
    [
        ({"hand": "R9"}, "hand", "has 1 cards; it has 2 before a play"),
        ({"hand": "R9 G2 G7"}, "hand", "has 3 cards"),
        ({"hand": "R9 X2"}, "hand", "'X2' is not a card"),
        ({"hand": "R9 R11"}, "hand", "'R11' is not a card"),
        ({"hand": "R9 B2"}, "hand", "B2 is not in the deck"),
        ({"hand": "R9 R9"}, "hand", "R9 is in hand already"),
        ({"mine": "R9"}, "mine", "R9 is in hand already"),
        ({"mine": "Rw R5 R2"}, "mine", "R2 cannot follow Rw R5"),
        ({"mine": "R5 Rw"}, "mine", "Rw cannot follow R5"),
        ({"theirs": "Gw Gw Gw Gw"}, "theirs", "Gw is there 4 times"),
        ({"known_theirs": "R6 R7 R10"}, "known_theirs", "has 3 cards"),
        ({"draw_pile": 6}, "draw_pile", "is 6, but the other cards leave 5"),
        ({"draw_pile": -1}, "draw_pile", "0"),
        ({"round": 1}, "round", "has rounds 0 to 0"),
        ({"turn": 3}, "turn", "15 cards have been drawn"),
        ({"turn": 60}, "turn", "ends after 60 turns"),
        ({"points": [1]}, "points", "2 entries"),
        ({"points": "31"}, "points", "a list"),
        ({"played": "lay R9"}, "hand", "has 2 cards; it has 1 when one has been played"),
        ({"hand": "G2", "played": "R9"}, "played", "is no play"),
        ({"hand": "G2", "played": "lay R9"}, "played", "R9 is not the last of my expedition"),
        ({"hand": "G2", "played": "discard R3"}, "played", "R3 is not on top"),
        ({"hnad": "G2"}, "hnad", "did you mean 'hand'"),
        ({"hand": None}, "hand", "is missing"),
        ({"hand": 3}, "hand", "must be a text"),
        ({"ruleset": "dule"}, "ruleset", "did you mean"),
        ({"ruleset": "duel:rounds=0"}, "ruleset", "rounds"),
        ({"ruleset": 3}, "ruleset", "must be a text"),
        ({"points": [10**20, 2]}, "points[0]", "less than or equal to 100000000"),
        ({"points": [1, -(10**20)]}, "points[1]", "greater than or equal to -100000000"),
        ({"round": 10**30}, "round", "has rounds 0 to 0"),
        ({"turn": 10**30}, "turn", "ends after 60 turns"),
        ({"draw_pile": 10**30}, "draw_pile", "but the other cards leave 5"),
        ({"turn": 15, "known_theirs": "R6"}, "turn", "1 are known to have been taken"),
    ],
)
def test_what_cannot_be_is_refused_at_its_entry(changes, entry, says):
    with pytest.raises(PositionError) as caught:
        parse_position(write_text(**changes), where="p.toml")
    assert f"p.toml: {entry}: " in caught.value.message
    assert says in caught.value.message
    assert caught.value.hint


def test_a_round_that_is_over_is_no_position():
    rest = "G3 G7 G8 G9 G10 R6 R7 R10"
    with pytest.raises(PositionError, match="the round is over"):
        parse_position(write_text(discards=f"Rw Rw R3 R4 R8 {rest}"))


def test_text_that_is_no_toml_is_told():
    with pytest.raises(PositionError, match="no valid TOML"):
        parse_position("hand = R9")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"turn": 300}, "no turn 300 of round 0"),
        ({"turn": 0, "round_": 3}, "no turn 0 of round 3"),
        ({"turn": 0, "rotation": 2}, "the rotation is 2"),
        ({"turn": 0, "specs": ["balanced"]}, "1 strategies"),
        ({"turn": 0, "seed": -1}, "the seed is -1"),
        ({"turn": 0, "deal": -1}, "the deal is -1"),
    ],
)
def test_a_turn_that_is_not_there_is_told(changes, says):
    given = {"specs": ["balanced", "ladder"], "ruleset": "duel", **changes}
    specs = given.pop("specs")
    with pytest.raises(CountError, match=says):
        take_position(specs, **given)


def test_the_card_game_has_no_steps():
    with pytest.raises(UsageError, match="'step' is no decision of duel"):
        take_position(["balanced", "ladder"], turn=3, decision=STEP)


def test_rows_need_turns():
    text = write_text(turn=15, theirs="Gw Gw Gw G4 G5 G6 R6 R7", discards="Rw Rw R3 R4")
    with pytest.raises(PositionError, match="had 8 turns before this one, but 9 cards"):
        parse_position(text.replace("R6 R7", "R6 R7 R10", 1).replace("Rw Rw R3 R4", "Rw Rw R3"))
    parse_position(text)
    free = text.replace("turn = 15\n", "").replace("R6 R7", "R6 R7 R10")
    assert parse_position(free).view.turn == 17


def test_a_missing_ruleset_is_said_where_it_is_missed():
    text = ROOMS["board"].example
    with pytest.raises(PositionError) as caught:
        parse_position(text.replace('ruleset = "board"\n', ""))
    assert caught.value.message == (
        "this position: ruleset: is missing, and artefacts, others, pawns, tiles are of the board "
        "game"
    )
    assert 'ruleset = "board"' in caught.value.hint
    with pytest.raises(PositionError) as caught:
        parse_position('hnad = "R9"')
    assert caught.value.hint.startswith('There is no ruleset, so "duel" is taken.')


def test_positions_keep_the_table_to_themselves():
    position = parse_position(write_text())
    with pytest.raises(dataclasses.FrozenInstanceError):
        position.decision = DRAW
