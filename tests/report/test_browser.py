"""The page in a real browser: no error, no overflow, figures there, sorting works."""

import json
import re
import shutil
import subprocess
from urllib.parse import unquote

import pytest

from lcsim.report.build import build_report
from lcsim.report.write import write_report

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--hide-scrollbars",
    "--virtual-time-budget=3000",
    "--dump-dom",
]

WATCH = """<script>window.faults = [];
addEventListener("error", (event) => faults.push(event.message));</script>"""

PROBE = """<script>addEventListener("load", () => {
  const table = document.querySelector("#ranking table");
  const read = () => [...table.tBodies[0].rows].map((row) => row.cells[1].textContent.trim());
  const heading = [...table.tHead.rows[0].cells].find((c) => c.textContent.includes("mean score"));
  const orders = [read()];
  for (let i = 0; i < 2; i++) { heading.querySelector("button").click(); orders.push(read()); }
  const found = {
    faults, orders, width: innerWidth, content: document.documentElement.scrollWidth,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    ground: getComputedStyle(document.body).backgroundColor,
    figures: [...document.querySelectorAll("figure svg")].map((svg) => svg.clientHeight),
  };
  parent.postMessage(encodeURIComponent(JSON.stringify(found)), "*");
});</script>"""

# A window cannot be as narrow as a phone, a frame can.
FRAME = """<!DOCTYPE html><script>
addEventListener("message", (event) => { document.documentElement.dataset.found = event.data; });
</script><iframe src="report.html" style="border:0;width:{width}px;height:900px"></iframe>"""


def look(page, profile, *, width, dark):
    """Open the page and return what the probe found in it."""
    frame = page.with_name("frame.html")
    frame.write_text(FRAME.replace("{width}", str(width)), encoding="utf-8")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--window-size=1400,1000"]
    command += [f"--blink-settings=preferredColorScheme={0 if dark else 1}", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    match = re.search(r'data-found="([^"]+)"', done.stdout)
    assert match, done.stderr[-2000:]
    return json.loads(unquote(match.group(1)))


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: the page is not opened")
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_page_in_chromium(round_robin, tmp_path, width, dark):
    (path,) = (
        p for p in write_report(round_robin, formats=["html"], out=tmp_path) if p.stem == "report"
    )
    text = path.read_text(encoding="utf-8")
    text = text.replace("<style>", WATCH + "<style>", 1).replace("</body>", PROBE + "</body>")
    path.write_text(text, encoding="utf-8")
    found = look(path, tmp_path / "profile", width=width, dark=dark)
    assert found["faults"] == []
    assert found["width"] == width
    assert found["content"] <= found["width"]
    assert found["dark"] == dark
    assert found["ground"] == ("rgb(20, 23, 26)" if dark else "rgb(247, 244, 238)")
    assert len(found["figures"]) == len(build_report(round_robin).list_figures())
    assert min(found["figures"]) > 80
    first, down, up = found["orders"]
    assert first == down == up[::-1]
