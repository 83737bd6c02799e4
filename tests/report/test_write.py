"""The written report: complete, offline, escaped, and sensible where the data say little."""

import csv
import json
import re
from html.parser import HTMLParser

import pytest
from conftest import draw_rows, write_run

from lcsim.errors import PartError, RunDirError, UnknownNameError
from lcsim.report.write import write_report

HOSTILE = '<script>alert("1")</script> & $x^2$ | `y` **z**'


@pytest.fixture(scope="module")
def written(round_robin, tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return out, write_report(round_robin, out=out)


def test_everything_is_written(written):
    out, files = written
    names = {str(path.relative_to(out)) for path in files}
    assert files[0] == out / "report.html"
    assert {"report.md", "report.json", "tables/ranking.csv", "tables/matchups.csv"} <= names
    assert {"tables/expeditions_by_wagers.csv", "tables/expeditions_by_cards.csv"} <= names
    for figure in ("win-rate", "win-matrix", "score-distribution", "seat-advantage"):
        assert {f"figures/{figure}.svg", f"figures/{figure}.png"} <= names
    assert all(path.stat().st_size > 0 for path in files)


def test_the_same_run_gives_the_same_bytes(written, round_robin, tmp_path):
    out, _ = written
    for path in write_report(round_robin, out=tmp_path):
        assert path.read_bytes() == (out / path.relative_to(tmp_path)).read_bytes(), path.name


class Page(HTMLParser):
    """Collects what a page would load, its ids, and whether its tags close."""

    def __init__(self):
        super().__init__()
        self.references, self.ids, self.scripts, self.stack = [], [], 0, []

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        if tag not in {"meta", "link", "br", "path", "use", "rect"}:
            self.stack.append(tag)
        for name, value in attrs:
            if name in {"href", "src", "xlink:href", "action", "data", "poster"}:
                self.references.append(value)
            if name == "id" and tag in {"section", "title"}:
                self.ids.append(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.stack and self.stack[-1] == tag:
            self.stack.pop()

    def handle_endtag(self, tag):
        if self.stack and self.stack[-1] == tag:
            self.stack.pop()


def read_page(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def test_the_page_refers_to_nothing_outside(written, round_robin):
    out, _ = written
    page = read_page(out / "report.html")
    allowed = re.compile(r"#|data:,|(\.\./)*[\w./-]*sources/[\w-]+\.py$")
    assert all(allowed.match(reference) for reference in page.references)
    sources = [(out / one).resolve() for one in page.references if one.endswith(".py")]
    assert [path.name for path in dict.fromkeys(sources)] == [
        f"{name}-00000000.py" for name in ("bold", "even", "timid")
    ]
    assert {path.parent for path in sources} == {round_robin / "sources"}
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "http" not in text
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    assert page.stack == []
    assert len(page.ids) == len(set(page.ids))


def test_answers_stand_first_and_tables_can_be_sorted(written):
    text = (written[0] / "report.html").read_text(encoding="utf-8")
    questions = ["Who wins", "What is an expedition worth", "Does wagering", "Does going first"]
    places = [text.index(question) for question in questions]
    assert places == sorted(places)
    assert places[-1] < text.index('id="ranking"')
    assert "confounded" in text
    assert "assumed" in text
    assert text.count('<button type="button">') > 20
    assert "lcsim run example.toml" in text


def test_json_and_csv_have_full_precision(written):
    out, _ = written
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    ranking = report["tables"]["ranking"]
    assert [row["strategy"] for row in ranking] == ["bold", "even", "timid"]
    assert ranking[-1]["next"] is None
    with (out / "tables/ranking.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["win_rate"]) == ranking[0]["win_rate"]
    assert float(rows[0]["win_rate_se"]) == ranking[0]["win_rate_se"]
    assert rows[-1]["lead"] == ""
    assert report["method"]["rulesets"]["duel"]["turn_limit"]["assumed"] is True


def test_formats_can_be_chosen(round_robin, tmp_path):
    files = write_report(round_robin, formats=["json"], out=tmp_path)
    assert [path.name for path in files] == ["report.json"]
    with pytest.raises(UnknownNameError, match="pdf"):
        write_report(round_robin, formats=["pdf"], out=tmp_path)


def test_names_and_titles_are_escaped(rng, tmp_path):
    run = write_run(
        tmp_path / "run",
        [draw_rows(rng, n_deals=30)],
        labels=[(HOSTILE, "plain")],
        question=HOSTILE + "?",
    )
    files = write_report(run)
    page = read_page(files[0])
    assert page.scripts == 1
    assert HOSTILE not in files[0].read_text(encoding="utf-8")
    markdown = (run / "report.md").read_text(encoding="utf-8")
    assert "\\<script\\>" in markdown
    assert "\\| \\`y\\`" in markdown
    assert json.loads((run / "report.json").read_text())["title"] == HOSTILE + "?"


def read_all(run):
    """Write the report and return its texts, after holding each against words of nonsense."""
    files = write_report(run)
    texts = {path.name: path.read_text("utf-8") for path in files if path.suffix != ".png"}
    for name, text in texts.items():
        assert not re.search(r"\b(nan|inf|infinity|None|NaN|Infinity)\b", text), name
    return texts


def answers(texts):
    found = json.loads(texts["report.json"])["answers"]
    return {answer["question"].split()[1]: answer["answer"] for answer in found}


def test_nobody_lays_a_wager(rng, tmp_path):
    rows = draw_rows(rng, n_deals=10)
    for name in rows.dtype.names:
        if name.startswith("exp"):
            rows[name] &= 0xFF8
    texts = read_all(write_run(tmp_path / "run", [rows], labels=[("a", "b")]))
    assert "nothing compares" in answers(texts)["wagering"]
    assert re.search(r"\| a \| 3 \| – \| – \| – \| 0 \|", texts["report.md"])


def test_several_rulesets(rng, tmp_path):
    rows = [draw_rows(rng, n_deals=25), draw_rows(rng, n_deals=25, ruleset="classic")]
    run = write_run(
        tmp_path / "run", rows, labels=[("a", "b"), ("a", "b")], rulesets=["duel", "classic"]
    )
    texts = read_all(run)
    assert {"win-rate-1.svg", "win-rate-2.svg"} <= set(texts)
    assert len(json.loads(texts["report.json"])["answers"]) == 12
    rulesets = [row["ruleset"] for row in json.loads(texts["report.json"])["tables"]["ranking"]]
    assert rulesets == ["duel", "duel", "classic", "classic"]
    page = read_page(run / "report.html")
    assert len(page.ids) == len(set(page.ids))


def test_bad_runs_are_refused_with_the_next_step(rng, tmp_path):
    with pytest.raises(RunDirError):
        write_report(tmp_path / "nothing")
    run = write_run(tmp_path / "run", [draw_rows(rng, n_deals=100)], labels=[("a", "b")])
    part = sorted((run / "parts").iterdir())[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 0xFF
    part.write_bytes(data)
    with pytest.raises(PartError, match=part.name):
        write_report(run)
    for path in (run / "parts").iterdir():
        path.unlink()
    with pytest.raises(PartError, match="no part"):
        write_report(run)
    manifest = json.loads((run / "run.json").read_text())
    del manifest["matchups"]
    (run / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(RunDirError, match="matchups"):
        write_report(run)


def test_many_strategies_keep_their_place_in_the_palette(rng, tmp_path):
    names = [f"s{number}" for number in range(11)]
    labels = [(names[0], name) for name in names[1:]]
    rows = [draw_rows(rng, n_deals=4) for _ in labels]
    read_all(write_run(tmp_path / "run", rows, labels=labels))
