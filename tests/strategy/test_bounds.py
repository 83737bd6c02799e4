"""An index out of bounds, beside which other seats' cards lie, ends the game and names its line."""

import pytest

from lcsim.errors import StrategyBrokeError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import compile_strategy, load_strategy

TEXT = '''"""A strategy that looks beyond its view."""
from lcsim.duel import Strategy, rank_of, unseen_cards


class Mine(Strategy):
    """Looks."""

    def lay(self, view, card):
        return {looks}

    def discard(self, view, card):
        return -1

    def draw(self, view, card):
        return -1
'''


@pytest.mark.parametrize(
    "looks",
    [
        "1.0 * view.mine[1000000000]",
        "1.0 * view.mine[9 + rank_of(card)]",
        "1.0 * view.mine[-9]",
        "unseen_cards(view, 6 + card)",  # inside a helper of lcsim
    ],
)
def test_an_index_out_of_bounds_is_an_error_with_its_line(looks, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TEXT.format(looks=looks), encoding="utf-8")
    compiled = compile_strategy(load_strategy(str(path), kind="duel"))
    ladder = compile_strategy(load_strategy("ladder", kind="duel"))
    with pytest.raises(StrategyBrokeError, match=r"line 9: mine broke in round 0.*IndexError"):
        get_game("duel").play_deals(
            parse_ruleset("duel"), seed=1, first_deal=0, n_deals=4, strategies=[compiled, ladder]
        )
