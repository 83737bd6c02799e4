"""What no strategy may use is refused wherever it is to be played, before any of it is run."""

import pytest

from lcsim.errors import StrategyLoadError
from lcsim.strategy import find_strategies, load_strategy
from lcsim.testing import check_strategy

CLOSURE = "def make(c):\n    def f():\n        {}\n    return f\nf = make({})"
FORBIDDEN = {
    "the system": ({"before": "import os"}, 1, "os is out of bounds"),
    "the system, inside": ({"lay": "import sys\n        return 1"}, 8, "sys is out of bounds"),
    "the engine": ({"before": "from lcsim import rules"}, 1, "lcsim.rules is out of bounds"),
    "the engine by the door": (
        {"before": "import lcsim.duel", "lay": "return lcsim.rules.GAMES"},
        8,
        "lcsim.rules is out of bounds",
    ),
    "the other game": ({"before": "import lcsim.board"}, 1, "lcsim.board is out of bounds"),
    "a file": ({"lay": "return len(open('x').read())"}, 8, "open is out of bounds"),
    "a file by NumPy": ({"before": "from numpy import load"}, 1, "load is out of bounds"),
    "all of NumPy": ({"before": "from numpy import *"}, 1, r"numpy.* is out of bounds"),
    "memory": ({"lay": "return view.__class__.x"}, 8, "__class__ is out of bounds"),
    "builtins": ({"lay": "return __builtins__"}, 8, "__builtins__ is out of bounds"),
    "modules of typing": (
        {"before": "import typing as t", "lay": "return t.sys.maxsize"},
        8,
        "typing.sys is out of bounds",
    ),
    "the clock": ({"before": "from time import time"}, 1, "differ from run to run"),
    "chance": ({"before": "import random as r"}, 1, "differ from run to run"),
    "NumPy's chance": ({"before": "import numpy.random"}, 1, "differ from run to run"),
    "NumPy's chance by name": (
        {"before": "from numpy import random"},
        1,
        "differ from run to run",
    ),
    "NumPy's chance, renamed": (
        {"before": "import numpy as n", "lay": "return n.random.rand()"},
        8,
        "differ from run to run",
    ),
    "a global": (
        {"before": "n = 0", "lay": "global n\n        n = 1\n        return n"},
        8,
        "n is changed, and outlives the move: no state",
    ),
    "a list of the file": (
        {"before": "n = []", "lay": "n.append(card)\n        return len(n)"},
        8,
        "n is changed, and",
    ),
    "a field of the file": ({"before": "n = [0]", "lay": "n[0] += 1\n        return 1"}, 8, "n[0]"),
    "a dictionary of the file": (
        {"before": "n = {}", "lay": "n[0, 1] = 1\n        return 1"},
        8,
        "n[0, 1] is changed",
    ),
    "its class": ({"lay": "Mine.n = 1\n        return 1"}, 8, "Mine.n is changed"),
    "a list of its class": (
        {"inside": "n = [0]", "lay": "self.n[0] = 1\n        return 1"},
        8,
        "self.n[0] is changed",
    ),
    "a list of its class, longer": (
        {"inside": "n = [0]", "lay": "self.n.append(1)\n        return 1"},
        8,
        "self.n is changed",
    ),
    "a module": (
        {"before": "import math", "lay": "math.pi = 3\n        return 1"},
        8,
        "math.pi is changed",
    ),
    "a module, at once": ({"before": "import math\nmath.tau = 6"}, 2, "math.tau is changed"),
    "a helper's default": (
        {"before": "def f(memo=[0]):\n    memo[0] += 1\n    return memo[0]", "lay": "return f()"},
        1,
        "f has a default value that can change",
    ),
    "a method's default": (
        {"inside": "def f(self, memo={}):\n        return 1"},
        5,
        "f has a default value that can change",
    ),
    "a list in a closure": (
        {"before": CLOSURE.format("c[0] += 1; return c[0]", "[0]"), "lay": "return f()"},
        2,
        "f remembers c from call to call",
    ),
    "a number in a closure": (
        {
            "before": CLOSURE.format("nonlocal c; c += 1; return c", "0"),
            "lay": "return f()",
        },
        2,
        "f remembers c from call to call",
    ),
    "its base's method": ({"lay": "return super().lay(view, card)"}, 8, "super cannot be compiled"),
}


@pytest.mark.parametrize("why", FORBIDDEN)
def test_what_no_strategy_may_use_is_refused_with_its_line(why, write_strategy):
    parts, line, says = FORBIDDEN[why]
    path = write_strategy(**parts)
    with pytest.raises(StrategyLoadError) as caught:
        load_strategy(str(path), kind="duel")
    assert (caught.value.path, caught.value.line, caught.value.exit_code) == (path, line, 3)
    assert says in caught.value.message
    assert caught.value.hint
    first = check_strategy(path, kind="duel")[0]
    assert (first.line, first.todo) == (line, caught.value.hint)
    assert caught.value.message == f"{path}, line {line}: {first.what}"


def test_nothing_of_a_refused_file_is_run(write_strategy, tmp_path):
    trace = tmp_path / "trace"
    path = write_strategy(before=f"import os; os.mkdir({str(trace)!r})")
    with pytest.raises(StrategyLoadError, match="os is out of bounds"):
        load_strategy(str(path), kind="duel")
    entries = {entry.path: entry for entry in find_strategies(folders=[tmp_path])}
    assert entries[path].status == "broken"
    assert "os is out of bounds" in entries[path].error
    assert not trace.exists()


def test_what_only_looks_like_memory_is_accepted(write_strategy):
    path = write_strategy(
        before=(
            "import math as m\nimport numpy as np\nfrom typing import Final\n"
            "TABLE = []\nfor n in range(3):\n    TABLE.append(n)\nROW: Final = tuple(TABLE)\n"
            "GRID = np.zeros(3)\nGRID[1] = 2.0\n"
            "def keep(x):\n    kept = [0]\n    kept[0] = x\n    kept.append(x)\n"
            "    def more(y):\n        kept[0] += y\n    more(1)\n"
            "    return np.append(GRID, x)[0]\n"
            "def make(k):\n    def f(x):\n        return x * k\n    return f\n"
            "twice = make(2)"
        ),
        inside=(
            "'load and save'\n    rest = Param(1.0, low=0, high=2)\n"
            "    def save(self, x):\n        return x\n"
            "    def update(self, load):\n        return self.save(load) + self.rest"
        ),
        lay="return self.discard(view, card) + self.update(1) + m.floor(keep(card))",
        discard="return twice(0) + view.turn",
    )
    loaded = load_strategy(str(path), kind="duel")
    assert loaded.name == "mine"


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("def lay(self, view):", "takes (self, view), and is called with (self, view, card)"),
        ("def lay(self, view, card, x):", "takes (self, view, card, x)"),
        ("def lay(self, view, *, card):", "takes (self, view, *, card)"),
        ("def lay():", "takes ()"),
        ("@staticmethod\n    def lay(view, card):", "is no plain method"),
        ("@classmethod\n    def lay(cls, view, card):", "is no plain method"),
        ("@wrap\n    def lay(self, view, card):", "is no plain method"),
    ],
)
def test_a_wrong_signature_is_told_with_the_right_one(write_strategy, head, says):
    wrap = "def wrap(f):\n    def g(self, *rest):\n        return f(self, *rest)\n    return g"
    path = write_strategy(before=wrap)
    path.write_text(path.read_text().replace("def lay(self, view, card):", head))
    with pytest.raises(StrategyLoadError) as caught:
        load_strategy(str(path), kind="duel")
    assert says in caught.value.message
    assert f"Mine.lay {says.partition(',')[0]}" in caught.value.message
    assert "`def lay(self, view, card):`" in caught.value.hint
    assert caught.value.line in (2, 10)


def test_more_arguments_are_fine_where_they_have_defaults(write_strategy):
    path = write_strategy()
    text = path.read_text().replace("lay(self, view, card)", "lay(self, view, card, more=1, *rest)")
    path.write_text(text)
    assert load_strategy(str(path), kind="duel").form == "rating"


SUPER = "class {name}({base}):\n    def choose_play(self, views, rngs):\n        {body}\n"
WITH_SUPER = "return super().choose_play(views, rngs)"


@pytest.mark.parametrize(
    ("classes", "says"),
    [
        ([("Mine", "BatchStrategy", WITH_SUPER)], "super is out of bounds for a batch strategy"),
        (
            [("Base", "board.BatchStrategy", "pass"), ("Mine", "Base", WITH_SUPER)],
            "super is out of bounds for a batch strategy",
        ),
        (
            [("Base", "BatchStrategy", "pass"), ("Mine", "Strategy", WITH_SUPER)],
            "super cannot be compiled",
        ),
    ],
    ids=["batch", "batch by a base of its own", "compiled"],
)
def test_super_is_refused_in_words_that_fit(tmp_path, classes, says):
    head = "from lcsim import board\nfrom lcsim.board import BatchStrategy, Strategy\n"
    path = tmp_path / "mine.py"
    bodies = [SUPER.format(name=name, base=base, body=body) for name, base, body in classes]
    path.write_text(head + "".join(bodies))
    with pytest.raises(StrategyLoadError) as caught:
        load_strategy(f"{path}:Mine", kind="board")
    assert says in caught.value.message
    assert f"line {2 + 3 * len(classes)}: " in caught.value.message
    assert "call it as self.name(…)" in caught.value.hint
