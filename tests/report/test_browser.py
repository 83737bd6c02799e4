"""The page in a real browser: no error, no overflow, figures there, every table sorts."""

import json
import re
import shutil
import subprocess
from urllib.parse import unquote

import numpy as np
import pytest
from conftest import draw_board_rows, draw_rows, write_run
from tunings import write_tuning

from lcsim.report.write import write_report

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))),
    None,
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--hide-scrollbars",
    "--virtual-time-budget=5000",
    "--dump-dom",
]

WATCH = """<script>window.faults = [];
addEventListener("error", (event) => faults.push(event.message || event.target.outerHTML), true);
console.error = (...words) => faults.push(words.join(" "));</script>"""

PROBE = """<script>addEventListener("load", () => {
  const unsorted = [];
  let clicks = 0;
  for (const table of document.querySelectorAll(".table table")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const isNumber = heading.classList.contains("number");
      for (const sign of isNumber ? [-1, 1] : [1, -1]) {
        heading.querySelector("button").click();
        clicks += 1;
        const keys = [...table.tBodies[0].rows].map((row) => row.cells[column].dataset.key);
        const known = keys.filter((key) => key !== undefined);
        const wrong = known.some((key, i) => i > 0 && sign * (isNumber
          ? known[i - 1] - key : known[i - 1].localeCompare(key)) > 0);
        const early = keys.slice(0, known.length).includes(undefined);
        if (wrong || early) unsorted.push([table.parentElement.ariaLabel, heading.textContent]);
      }
    });
  }
  const box = (element) => element.getBoundingClientRect();
  const outlines = [...document.querySelectorAll("figure svg")].map(box);
  const found = {
    page: location.pathname.split("/").pop(),
    faults, unsorted, clicks, width: innerWidth, content: document.documentElement.scrollWidth,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    ground: getComputedStyle(document.body).backgroundColor,
    figures: outlines.map((outline) => [outline.width, outline.height]),
    outside: [...document.querySelectorAll("h1, h2, h3, p, figure, .table, pre, dl")].filter(
      (element) => box(element).right > innerWidth + 1 || box(element).left < -1).length,
    hidden: [...document.querySelectorAll("nav a")].filter(
      (link) => box(link).right > innerWidth + 1).length,
    unmarked: [...document.querySelectorAll(".scroll")].filter((one) => {
      const shadows = getComputedStyle(one).backgroundAttachment;
      return one.scrollWidth > one.clientWidth && shadows !== "local, local, scroll, scroll";
    }).length,
    wide: [...document.querySelectorAll(".scroll")].filter(
      (one) => one.scrollWidth > one.clientWidth).length,
    cut: [...document.querySelectorAll(".plot svg")].filter(
      (one) => box(one).width > box(one.parentElement).width + 1).length,
    far: [...document.querySelectorAll("td .copy, table tr > td:nth-child(2)")].filter(
      (one) => box(one).right > box(one.closest(".scroll")).right + 1).length,
    commands: [...document.querySelectorAll("td .command")].map((code) => code.textContent),
  };
  parent.postMessage(encodeURIComponent(JSON.stringify(found)), "*");
});</script>"""

# A window cannot be as narrow as a phone, a frame can.
FRAME = """<!DOCTYPE html><script>
addEventListener("message", (event) => {
  document.documentElement.dataset.found = (document.documentElement.dataset.found || "")
    + event.data + " ";
});
</script>"""
PAGES = {"duel": 6, "board": 6, "tuning": 3}
"""The pages, and how many figures each has at least."""
IFRAME = '<iframe src="{name}" style="border:0;width:{width}px;height:900px"></iframe>'


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of each game and of a tuning, as written, with the probe in it."""
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(5)
    labels = [("bold", "even"), ("bold", "timid:open_at=18.5,close_at=3"), ("even", "x" * 60)]
    rows = [draw_rows(rng, n_deals=40) for _ in range(6)]
    rulesets = ["duel"] * 3 + ["duel:expedition_cost=10,bonus_points=0"] * 3
    write_run(folder / "duel", rows, labels=labels * 2, rulesets=rulesets)
    tables = [("a", "b"), ("a", "b", "c", "d")]
    rows = [draw_board_rows(rng, n_deals=40, n_players=len(one)) for one in tables]
    write_run(folder / "board", rows, labels=tables, kind="board")
    write_tuning(folder / "tuning", n_params=14)
    for name in PAGES:
        path = write_report(folder / name, formats=["html"])[0]
        text = path.read_text(encoding="utf-8")
        text = text.replace("<style>", WATCH + "<style>", 1).replace("</body>", PROBE + "</body>")
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


def look(folder, profile, *, width, dark):
    """Open all pages and return what the probe found in each."""
    frames = [IFRAME.format(name=f"{name}.html", width=width) for name in PAGES]
    page = folder / "frame.html"
    page.write_text(FRAME + "".join(frames), encoding="utf-8")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--window-size=1400,2000"]
    command += [f"--blink-settings=preferredColorScheme={0 if dark else 1}", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    match = re.search(r'data-found="([^"]+)"', done.stdout)
    assert match, done.stderr[-2000:]
    found = [json.loads(unquote(text)) for text in match.group(1).split()]
    assert len(found) == len(frames)
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: no page is opened")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_the_pages_in_chromium(pages, tmp_path, width, dark):
    looked = look(pages, tmp_path / "profile", width=width, dark=dark)
    assert {found["page"] for found in looked} == {f"{name}.html" for name in PAGES}
    for found in looked:
        name = found["page"].removesuffix(".html")
        assert found["faults"] == []
        assert found["unsorted"] == []
        assert found["clicks"] > 40
        assert found["width"] == width
        assert found["content"] <= found["width"]
        assert found["outside"] == 0
        assert found["hidden"] == 0
        assert found["unmarked"] == 0
        assert found["wide"] > 0 or width > 390
        assert found["dark"] == dark
        assert found["ground"] == ("rgb(20, 23, 26)" if dark else "rgb(247, 244, 238)")
        assert len(found["figures"]) >= PAGES[name]
        assert min(width for width, _ in found["figures"]) > 280
        assert min(height for _, height in found["figures"]) > 80
        if name == "tuning":  # figures are seen whole, and the first numbers and copy buttons, too
            assert (found["cut"], found["far"]) == (0, 0)
        first = "mine:" if name == "tuning" else "lcsim replay "
        assert any(command.startswith(first) for command in found["commands"])
