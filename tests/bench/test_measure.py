"""The yardstick's table finds its place in README.md."""

import importlib.util
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location("measure", Path(__file__).with_name("measure.py"))
measure = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(measure)


def test_the_block_between_the_markers_is_replaced_and_nothing_else():
    text = f"# lcsim\n\n{measure.BEGIN}\nold\n{measure.END}\n\nafter\n"
    assert measure.replace_block(text, "new") == (
        f"# lcsim\n\n{measure.BEGIN}\nnew\n{measure.END}\n\nafter\n"
    )


def test_a_readme_without_markers_gets_a_section():
    text = measure.replace_block("# lcsim\n", "new")
    assert text == f"# lcsim\n\n## Speed\n\n{measure.BEGIN}\nnew\n{measure.END}\n"
    assert measure.replace_block(text, "newer").count(measure.BEGIN) == 1


def test_the_table_names_the_machine_the_date_and_every_row():
    table = measure.render_table([("a", "1 s", "aim"), ("b", "2 s", "")])
    head, _, *lines = table.splitlines()
    assert "cores" in head
    assert "`make bench`" in head
    assert lines[2:] == ["| a | 1 s | aim |", "| b | 2 s |  |"]


def test_the_games_stand_beside_each_other():
    timing = [
        {
            "strategy": "s",
            "ruleset": "duel",
            "turns": 9,
            "one_job": 1000,
            "all_jobs": 1900,
            "gain": 1.9,
        },
        {
            "strategy": "s",
            "ruleset": "board",
            "turns": 9,
            "one_job": 400,
            "all_jobs": 760,
            "gain": 1.9,
        },
    ]
    rows = list(measure.list_turns({"jobs": 2, "timing": timing}))
    assert rows[0] == ("duel, s against itself, 1 thread", "1,000 turns/s", "")
    assert rows[2][2] == "0.40 × the duel (aim: 0.33 or more)"
    assert rows[3][1:] == ("760 turns/s", "1.90 × one thread (aim: 1.8 on two)")
