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
