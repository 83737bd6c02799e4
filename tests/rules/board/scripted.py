"""A strategy that plays what its parameters say, for situations laid out by hand."""

from lcsim.board import DRAW_DECK, Param, Strategy


class Scripted(Strategy):
    """Plays play_0 in its first turn, and so on, and draws from the draw pile.

    When it is asked for a step after n moves of its pawns in the round, it answers step_n; a 7 is
    no pawn: it must not be asked.
    """

    play_0 = Param(-1, low=-1, high=767)
    play_1 = Param(-1, low=-1, high=767)
    play_2 = Param(-1, low=-1, high=767)
    play_3 = Param(-1, low=-1, high=767)
    play_4 = Param(-1, low=-1, high=767)
    play_5 = Param(-1, low=-1, high=767)
    play_6 = Param(-1, low=-1, high=767)
    play_7 = Param(-1, low=-1, high=767)
    play_8 = Param(-1, low=-1, high=767)
    play_9 = Param(-1, low=-1, high=767)
    play_10 = Param(-1, low=-1, high=767)
    play_11 = Param(-1, low=-1, high=767)
    play_12 = Param(-1, low=-1, high=767)
    play_13 = Param(-1, low=-1, high=767)
    play_14 = Param(-1, low=-1, high=767)
    play_15 = Param(-1, low=-1, high=767)
    play_16 = Param(-1, low=-1, high=767)
    play_17 = Param(-1, low=-1, high=767)
    play_18 = Param(-1, low=-1, high=767)
    play_19 = Param(-1, low=-1, high=767)
    step_0 = Param(7, low=-1, high=7)
    step_1 = Param(7, low=-1, high=7)
    step_2 = Param(7, low=-1, high=7)
    step_3 = Param(7, low=-1, high=7)
    step_4 = Param(7, low=-1, high=7)
    step_5 = Param(7, low=-1, high=7)
    step_6 = Param(7, low=-1, high=7)
    step_7 = Param(7, low=-1, high=7)
    step_8 = Param(7, low=-1, high=7)
    step_9 = Param(7, low=-1, high=7)
    step_10 = Param(7, low=-1, high=7)
    step_11 = Param(7, low=-1, high=7)
    step_12 = Param(7, low=-1, high=7)
    step_13 = Param(7, low=-1, high=7)
    step_14 = Param(7, low=-1, high=7)
    step_15 = Param(7, low=-1, high=7)
    step_16 = Param(7, low=-1, high=7)
    step_17 = Param(7, low=-1, high=7)
    step_18 = Param(7, low=-1, high=7)
    step_19 = Param(7, low=-1, high=7)
    step_20 = Param(7, low=-1, high=7)
    step_21 = Param(7, low=-1, high=7)
    step_22 = Param(7, low=-1, high=7)
    step_23 = Param(7, low=-1, high=7)
    step_24 = Param(7, low=-1, high=7)
    step_25 = Param(7, low=-1, high=7)
    step_26 = Param(7, low=-1, high=7)
    step_27 = Param(7, low=-1, high=7)
    step_28 = Param(7, low=-1, high=7)
    step_29 = Param(7, low=-1, high=7)

    def choose_play(self, view, rng):
        """Return the play of this turn, the turns of all seats taken in order."""
        plays = (
            self.play_0,
            self.play_1,
            self.play_2,
            self.play_3,
            self.play_4,
            self.play_5,
            self.play_6,
            self.play_7,
            self.play_8,
            self.play_9,
            self.play_10,
            self.play_11,
            self.play_12,
            self.play_13,
            self.play_14,
            self.play_15,
            self.play_16,
            self.play_17,
            self.play_18,
            self.play_19,
        )
        return plays[view.turn // view.n_players]

    def choose_draw(self, view, rng):
        """Draw from the draw pile."""
        return DRAW_DECK

    def choose_step(self, view, rng):
        """Return the step for as many moves as have been made."""
        steps = (
            self.step_0,
            self.step_1,
            self.step_2,
            self.step_3,
            self.step_4,
            self.step_5,
            self.step_6,
            self.step_7,
            self.step_8,
            self.step_9,
            self.step_10,
            self.step_11,
            self.step_12,
            self.step_13,
            self.step_14,
            self.step_15,
            self.step_16,
            self.step_17,
            self.step_18,
            self.step_19,
            self.step_20,
            self.step_21,
            self.step_22,
            self.step_23,
            self.step_24,
            self.step_25,
            self.step_26,
            self.step_27,
            self.step_28,
            self.step_29,
        )
        moves = 0
        for color in range(view.colors):
            moves += view.spaces[color]
        return steps[moves]
