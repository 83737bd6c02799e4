"""What a file keeps beside its functions cannot change, by whatever name it is reached."""

import numpy as np
import pytest

from lcsim.errors import StrategyBrokeError, StrategyLoadError
from lcsim.rules import get_game, parse_ruleset
from lcsim.strategy import compile_strategy, load_strategy
from lcsim.strategy.seal import seal_array

HEAD = """import numpy as np
from lcsim.duel import *
{before}
class Mine(BatchStrategy):
    {inside}
    def choose_play(self, views, rngs):
        {body}
        return PLAYS[legal_plays(views).argmax(axis=1)]
    def choose_draw(self, views, rngs):
        return np.full(len(views), DRAW_DECK)
"""
BODY_LINE = 7
MADE = "def gen():\n    n = 0\n    while True:\n        n += 1\n        yield n\n"


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a batch strategy."""

    def write(body="pass", *, before="N = np.zeros(1, int)", inside="pass"):
        path = tmp_path / "mine.py"
        path.write_text(HEAD.format(body=body, before=before, inside=inside))
        return path

    return write


def play(path):
    strategies = [compile_strategy(load_strategy(s, kind="duel")) for s in (str(path), "ladder")]
    ruleset = parse_ruleset("duel:rounds=1")
    return get_game("duel").play_deals(
        ruleset, seed=1, first_deal=0, n_deals=2, strategies=strategies
    )


CHANGES = {
    "an array, by out=": ("np.add(N, len(views), out=N)", {}),
    "an array, by np.copyto": ("np.copyto(N, 1)", {}),
    "an array of its class": ("np.add(self.n, 1, out=self.n)", {"inside": "n = np.zeros(1)"}),
    "an array in a tuple": ("np.add(N[1], 1, out=N[1])", {"before": "N = (1, np.zeros(1))"}),
    "an array in a dictionary": (
        "np.add(N['a'][0], 1, out=N['a'][0])",
        {"before": "N = {'a': [np.zeros(1)]}"},
    ),
    "an array behind a view": (
        "np.add(N.base, 1, out=N.base)",
        {"before": "N = np.arange(6.0)[2:].reshape(2, 2)"},
    ),
    "an array of the door": ("np.add(PLAYS, 0, out=PLAYS)", {}),
    "a list, through another": (
        "[kept] = [N]; kept.append(1)",
        {"before": "N = []"},
    ),
    "a list in place": ("for n in (N,): n += [1]", {"before": "N = []"}),
    "a list in a list": ("for n in N: n.append(1)", {"before": "N = [[]]"}),
    "a dictionary": ("for n in (N,): n.update(a=1)", {"before": "N = {}"}),
    "a set": ("for n in (N,): n.add(1)", {"before": "N = {0}"}),
    "a list of its class": ("for n in self.n: n.append(1)", {"inside": "n = [[]]"}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_nothing_that_outlives_the_move_can_be_written_to(what, write):
    body, parts = CHANGES[what]
    path = write(body, **parts)
    line = BODY_LINE + parts.get("before", "").count("\n")
    with pytest.raises(StrategyBrokeError) as caught:
        play(path)
    assert (caught.value.path, caught.value.line) == (path, line)


KEPT = {
    "a generator": (f"{MADE}G = gen()", 8, "G keeps a generator"),
    "an iterator": ("G = iter([1, 2])", 3, "G keeps a list_iterator"),
    "pairs": ("G = zip([1], [2])", 3, "G keeps a zip"),
    "an iterator inside": ("G = (1, [map(abs, [1])])", 3, "G keeps a map"),
    "bytes": ("G = bytearray(3)", 3, "G keeps a bytearray"),
    "a record": ("G = np.zeros(1, 'i8,i8')[0]", 3, "G keeps a void"),
    "objects": ("G = np.array([[], 1], 'O')", 3, "G keeps an array of object"),
    "an array of another kind": ("G = np.ma.zeros(3)", 3, "G keeps a MaskedArray"),
    "something of its own": ("class Box:\n    n = 0\nG = Box()", 5, "G keeps a Box"),
}


@pytest.mark.parametrize("what", KEPT)
def test_what_changes_as_it_is_used_is_refused_with_its_line(what, write):
    before, line, says = KEPT[what]
    with pytest.raises(StrategyLoadError, match=says) as caught:
        load_strategy(str(write(before=before)), kind="duel")
    assert (caught.value.line, caught.value.exit_code) == (line, 3)


def test_a_compiled_strategy_keeps_no_iterator_either(write_strategy):
    path = write_strategy(before="G = iter([1, 2])", lay="return next(G)")
    with pytest.raises(StrategyLoadError, match="G keeps a list_iterator"):
        load_strategy(str(path), kind="duel")


READ = {
    "a setting of NumPy": "np.seterr(all='raise')",
    "how NumPy prints": "np.set_printoptions(precision=1)",
    "a shape": "for n in (N,):\n            n.shape = (1, 1)",
    "a lock": "N.setflags(write=True)",
    "its class": "type(self).n = 1",
    "its class, by another name": "kept = Mine\n        kept.n = 1",
    "an array, by another name": "kept = N\n        kept[0] += 1",
    "a function, by another name": "kept = unpack_cards\n        kept.n = 1",
}


@pytest.mark.parametrize("what", READ)
def test_what_reading_finds_is_refused_before_it_is_run(what, write):
    path = write(READ[what])
    with pytest.raises(StrategyLoadError, match="outlives the move: no state") as caught:
        load_strategy(str(path), kind="duel")
    assert caught.value.line == BODY_LINE + READ[what].count("\n")


@pytest.mark.parametrize(
    "body", ["np.add.at(N, 0, 1)", "add = np.add; add.at(views['hand'], 0, 1)"]
)
def test_what_writes_into_locked_arrays_is_refused(body, write):
    with pytest.raises(StrategyLoadError, match="at is out of bounds: it writes") as caught:
        load_strategy(str(write(body)), kind="duel")
    assert (caught.value.line, "np.bincount" in caught.value.hint) == (BODY_LINE, True)


def test_constants_are_read_as_before(write):
    before = (
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: list\n    b: int\n"
        "N = {'a': [1, 2], 'b': Pair(np.arange(3), 1)}\nL = [0, 2]\nL.append(1)\nS = {1, 2}\n"
        "E = np.zeros((0, 3))\nF = np.asfortranarray(np.arange(6).reshape(2, 3))"
    )
    body = (
        "assert N['b'].a[L].tolist() == [0, 2, 1] and type(N['b']).__name__ == 'Pair'\n        "
        "assert L + [3] == [0, 2, 1, 3] and sorted(S | {0}) == [0, 1, 2] and E.shape == (0, 3)\n"
        "        assert F.flags.f_contiguous and F[1].tolist() == [3, 4, 5] and len(N['a']) == 2\n"
        "        mine = np.zeros(3); mine[L] += 1; mine = N['b'].a; mine = mine + 1; mine[0] = 1\n"
        "        more = list(L); more.append(2); seen = views['hand']; seen = seen & 1"
    ).replace("type(N['b']).__name__ == 'Pair'", "N['b'].b == 1")
    assert play(write(body, before=before)).size == 4


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_sealed_array_has_the_same_numbers_and_layout(order):
    array = np.array(np.arange(6.0).reshape(2, 3), order=order)
    for one in (array, array[:, ::2], array.T, array[:0], np.array(2)):
        sealed = seal_array(one)
        np.testing.assert_array_equal(sealed, one)
        assert sealed.dtype == one.dtype
    assert seal_array(array).strides == array.strides
    with pytest.raises(ValueError, match="WRITEABLE"):
        seal_array(array).setflags(write=True)
