#!/usr/bin/env python3
"""Drives the interactive page in headless Chromium as a reader does: points at cells, clicks, steps, types.

Skipped (exit status 77) where no Chromium is installed; TILEWRIGHT_CHROMIUM names one, TILEWRIGHT_SCREENSHOTS a folder
to leave pictures of the page in. The browser is spoken to through its remote debugging pipe, so nothing else is needed.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PATIENCE = 60  # seconds for any one answer


def find_chromium():
    named = os.environ.get("TILEWRIGHT_CHROMIUM")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome", "chrome"]
    return next((path for path in map(shutil.which, names) if path), None)


class Browser:
    """A page of headless Chromium; commands of its DevTools protocol are messages that end with a zero byte."""

    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        def hand_over():
            os.dup2(to_read, 13)
            os.dup2(from_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--window-size=1400,900", f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            close_fds=False, pass_fds=(), preexec_fn=hand_over, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.session, self.buffer = 0, None, b""
        target = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.send("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.back], [], [], max(0, until - time.monotonic()))
            chunk = os.read(self.back, 1 << 16) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.buffer += chunk
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, path):
        self.send("Page.enable")
        self.send("Page.navigate", url=path.as_uri())
        until = time.monotonic() + PATIENCE
        while self.evaluate("document.body && document.body.dataset.ready") != "yes":
            if time.monotonic() > until:
                raise RuntimeError(f"{path} does not become ready")
            time.sleep(0.05)

    def centre(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        return self.evaluate(f"""(() => {{ const found = document.querySelector({json.dumps(selector)});
                                 const r = found.getBoundingClientRect();
                                 return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")

    def point_at(self, selector):
        x, y = self.centre(selector)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        self.point_at(selector)
        x, y = self.centre(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def fact(self, name):
        return self.evaluate(f"(document.getElementById('fact-{name}') || {{}}).textContent")

    def lit(self, panel):
        """The positions of the panel's cells that are not dimmed."""
        return self.evaluate(f"""[...document.querySelectorAll('.c')].filter(c => c.id.startsWith('p{panel}c') &&
                             !c.classList.contains('off')).map(c => Number(c.id.split('c')[1]))
                             .sort((a, b) => a - b)""")

    def screenshot(self, name):
        folder = os.environ.get("TILEWRIGHT_SCREENSHOTS")
        if folder:
            data = self.send("Page.captureScreenshot", format="png")["data"]
            (pathlib.Path(folder) / name).write_bytes(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
        except (RuntimeError, OSError):
            self.process.kill()
        self.process.wait(timeout=PATIENCE)


failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(what)
        print(f"{what}: found {found!r}, wanted {wanted!r}")


def plot(folder, name, *arguments):
    path = pathlib.Path(folder) / name
    subprocess.run([os.environ["TILEWRIGHT_CLI"], "plot", *arguments, "-o", str(path)], check=True)
    return path


def check_copy(browser, folder):
    """A (32,16) tensor in four rounds of a (16,8) tile; cell number of (row, column) is 16 row + column."""
    browser.open(plot(folder, "copy.html", "--atom-bits", "128", "--element", "f32", "--thr", "(4,8)", "--val",
                      "(1,1)", "--tensor", "(32,16):(1,32)", "--to", "(32,16):(16,1)"))
    number = lambda row, column: 16 * row + column

    browser.point_at(f"#p0c{number(21, 10)}")
    facts = {name: browser.fact(name) for name in ("coordinate", "offset", "thread", "value", "bank", "round")}
    expect("facts of the source", facts, {"coordinate": "(21,10)", "offset": str(21 + 320), "thread": "9", "value": "1",
                                          "bank": str((21 + 320) % 32), "round": "3"})
    expect("the same element in the destination", browser.evaluate(
        "[...document.querySelectorAll('.twin')].map(c => c.id)"), [f"p0c{number(21, 10)}", f"p1c{number(21, 10)}"])
    browser.screenshot("hover.png")
    browser.point_at(f"#p1c{number(21, 10)}")
    expect("offset in the destination", browser.fact("offset"), str(21 * 16 + 10))

    browser.click(f"#p0c{number(5, 2)}")  # thread 9
    of_thread = [number(r, c) for r in range(32) for c in range(16) if r % 16 // 4 + 4 * (c % 8) == 9]
    expect("thread 9 alone", browser.lit(0), of_thread)
    expect("in the destination too", browser.lit(1), of_thread)
    expect("its name", browser.evaluate("document.getElementById('isolated').textContent"), "thread 9 alone")
    browser.screenshot("isolated.png")

    browser.click("#forward")
    browser.click("#forward")
    expect("round", browser.evaluate("document.getElementById('name').textContent"), "round 1: tile (1,0)")
    in_round = [n for n in of_thread if n // 16 // 16 == 1 and n % 16 < 8]
    expect("thread 9 in round 1", browser.lit(0), in_round)
    browser.press("Escape")
    expect("all after Escape", len(browser.lit(0)), 512)

    for _ in range(7):
        browser.press(".")
    expect("the last round is the last", browser.evaluate("document.body.dataset.round"), "3")
    expect("round 3 in both", (browser.lit(0), browser.lit(1)),
           2 * ([number(r, c) for r in range(16, 32) for c in range(8, 16)],))
    browser.screenshot("round.png")
    browser.press(",")
    expect("one back", browser.evaluate("document.body.dataset.round"), "2")
    browser.press("Escape")

    browser.evaluate("document.getElementById('picture').focus()")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"):
        browser.press(key)
    expect("arrows move", browser.fact("coordinate"), "(0,1)")
    browser.press("p")
    expect("p goes to the same element of the next panel", (browser.fact("coordinate"), browser.fact("offset")),
           ("(0,1)", "1"))
    browser.press("Enter")
    expect("Enter isolates", browser.evaluate("document.body.dataset.thread"), "4")
    browser.press("Enter")
    expect("and releases", browser.evaluate("document.body.dataset.thread"), "")
    expect("nothing was fetched", browser.evaluate("performance.getEntriesByType('resource').length"), 0)


def check_plan(browser, folder):
    """Whatever the planner chooses: the page says what the same picture as JSON says, in every panel."""
    words = ["(512,512):(512,1)", "(512,512):(1,512)", "--element", "f32", "--machine", "sm_90"]
    told = json.loads(subprocess.run([os.environ["TILEWRIGHT_CLI"], "plot", *words, "--json"], check=True,
                                     stdout=subprocess.PIPE).stdout)
    browser.open(plot(folder, "plan.html", *words))
    panels = [{cell["row"] * panel["columns"] + cell["column"]: cell for cell in panel["cells"]}
              for panel in told["panels"]]
    number = told["panels"][0]["columns"] + 2
    chosen = panels[0][number]
    browser.point_at(f"#p0c{number}")
    expect("facts of a plan's element", {name: browser.fact(name) for name in ("coordinate", "offset", "thread")},
           {name: str(chosen[name]) for name in ("coordinate", "offset", "thread")})
    expect("where it is in shared memory and in the destination", browser.evaluate(
        "[...document.querySelectorAll('.twin')].map(c => c.id)"),
           [f"p{i}c{at}" for i, cells in enumerate(panels) for at, cell in sorted(cells.items())
            if cell.get("link") == chosen["link"]])
    browser.screenshot("plan.png")
    browser.click(f"#p0c{number}")
    expect("the elements that its thread reads", browser.lit(0),
           [at for at, cell in sorted(panels[0].items()) if cell.get("thread") == chosen["thread"]])
    browser.press("Escape")
    if len(told["rounds"]) > 1:
        browser.click("#forward")
        expect("the first vector of every thread", browser.lit(0),
               [at for at, cell in sorted(panels[0].items()) if cell.get("round") == 0])
        browser.screenshot("plan_step.png")


def check_large(browser, folder):
    browser.open(plot(folder, "large.html", "(64,64):(64,1)"))
    browser.point_at(f"#p0c{64 * 63 + 62}")
    expect("a cell of a 64×64 tile", (browser.fact("coordinate"), browser.fact("offset")),
           ("(63,62)", str(64 * 63 + 62)))
    expect("no steps without rounds", browser.evaluate("document.getElementById('steps')"), None)
    browser.screenshot("large.png")


LEAST_CONTRAST = """(() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const luminance = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                           return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const style = node => getComputedStyle(node);
  const paper = parts(style(document.querySelector('#picture svg > rect')).fill).slice(0, 3);
  const below = text => {
    const rect = text.parentNode.classList.contains('c') && text.parentNode.querySelector('rect');
    if (!rect) return paper;
    const opacity = Number(style(rect).fillOpacity), fill = parts(style(rect).fill);
    return [0, 1, 2].map(i => opacity * fill[i] + (1 - opacity) * paper[i]);
  };
  return {paper, least: Math.min(...[...document.querySelectorAll('#picture text')].map(
            t => contrast(parts(style(t).fill).slice(0, 3), below(t))))};
})()"""


def check_dark(browser, folder):
    """In either scheme every text can be read: a contrast of 4.5 or more, as WCAG 2 asks of small text."""
    copy = ["--atom-bits", "128", "--element", "f16", "--thr", "(32,1)", "--val", "(1,8)", "--tensor", "(32,64):(64,1)"]
    for name, words in (("copy", copy), ("conflicts", [*copy, "--view", "conflicts"]), ("banks", ["(8,32)", "--view", "banks"]),
                        ("order", ["(4,8):(8,1)", "--view", "order"]), ("tv", ["(4,2):(1,2)", "--view", "tv", "--tile", "(4,4)"]),
                        ("atom", ["--atom", "SM75_U32x4_LDSM_N"]), ("rank_3", ["(8,8,4)"])):
        page = plot(folder, name + ".html", *words)
        for scheme in ("light", "dark"):
            browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.open(page)
            told = browser.evaluate(LEAST_CONTRAST)
            expect(f"the paper of {name} is {scheme}", sum(told["paper"]) > 384, scheme == "light")
            if told["least"] < 4.5:
                expect(f"text of {name} can be read ({scheme})", told["least"], "4.5 or more")
            browser.screenshot(f"{name}_{scheme}.png")
    browser.send("Emulation.setEmulatedMedia", features=[])


def check_hostile(browser, folder):
    title = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"
    browser.open(plot(folder, "hostile.html", "(2,2)", "--title", title))
    expect("a title is text", browser.evaluate("document.title"), title)


def main():
    program = find_chromium()
    if program is None:
        print("SKIPPED: no Chromium is installed (Debian: chromium), so the interactive page was not tried.")
        return SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, pathlib.Path(folder) / "profile")
        try:
            for check in (check_copy, check_plan, check_large, check_dark, check_hostile):
                check(browser, folder)
        finally:
            browser.close()
    print(f"{len(failures)} expectations failed" if failures else "the page does what a reader asks of it")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
