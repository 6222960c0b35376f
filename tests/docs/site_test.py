#!/usr/bin/env python3
"""Builds the static site as `./run site` does, and looks at what is there: pages, headers, links, search from a disk.

Skipped (exit status 77) where mkdocs or doxygen is not installed; the search, where Chromium is not.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "docs/site"), str(ROOT / "tests/render")]

import check_links  # noqa: E402  (found through the line above)
import page_test  # noqa: E402  (the browser)

SKIPPED = 77


def built_site(folder):
    done = subprocess.run([sys.executable, "-B", str(ROOT / "tools/make_site"), str(folder)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(done.stdout)


def missing_pages(site):
    """Pages of the repository that the site lacks, and what the pages show that it lacks."""
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        name = page.relative_to(ROOT)
        made = site / (name.parent / "index.html" if name.name == "README.md" else name.with_suffix(".html"))
        if not made.is_file():
            yield f"{name} has no page"
            continue
        heading = re.search(r"^# +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)[1]
        shown = re.search(r"<h1[^>]*>(.*?)</h1>", made.read_text("utf-8"))[1]
        shown = html.unescape(re.sub(r"<[^>]+>", "", shown))
        if re.sub(r"[`*]", "", heading) != shown:
            yield f"{name} is headed '{heading}' and its page '{shown}'"
    for picture in sorted((ROOT / "docs/pictures").glob("*.svg")):
        if not (site / picture.relative_to(ROOT)).is_file():
            yield f"{picture.relative_to(ROOT)} is not on the site"


def missing_headers(site):
    """Public headers without a page of the reference, which names the folders above the header and its name."""
    folder = re.compile(r'<li class="navelem"><a class="el" href="dir_[^"]*">([^<]+)</a>')
    described = set()
    for page in (site / "api").glob("*.html"):
        text = page.read_text("utf-8")
        title = re.search(r'<div class="title">(\S+) File Reference', text)
        if title:
            described.add("/".join([*folder.findall(text), title[1]]))
    for header in sorted((ROOT / "include/tilewright").rglob("*.h*")):
        name = header.relative_to(ROOT / "include").as_posix()
        if name not in described:
            yield f"{name} is not in the reference"


def complaints_of_the_checker(folder):
    """The checker finds what is wrong in a small site made for it."""
    (folder / "sub").mkdir(parents=True)
    (folder / "a.html").write_text('<h1 id="top">a</h1><a href="sub/b.html#there">b</a>'
                                   '<a href="https://example.org">c</a>')
    (folder / "sub/b.html").write_text('<p id="there"></p><a href="../a.html#top">a</a>')
    if list(check_links.broken_links(folder)):
        yield "the checker complains of a site that is right"
    (folder / "wrong.html").write_text('<a href="nowhere.html"></a><a href="a.html#nowhere"></a><a href="/a.html"></a>'
                                       '<script src="https://example.org/x.js"></script>'
                                       '<link rel="x" href="//example.org/x">')
    if len(list(check_links.broken_links(folder))) != 5:
        yield f"the checker finds {list(check_links.broken_links(folder))} where five links are wrong"


def wrong_answers(site, chromium):
    """Questions that the search, in pages opened from a disk, answers otherwise than expected."""
    with tempfile.TemporaryDirectory() as profile:
        browser = page_test.Browser(chromium, profile)
        try:
            for start, question, expected in (("index.html", "bank conflicts", "remove_bank_conflicts.html"),
                                              ("docs/tutorial/7_tma.html", "cp_async_fence", "6_cp_async.html")):
                browser.open(site / start)
                links = browser.evaluate(f"""(() => {{
                    const field = document.getElementById("search");
                    field.value = "{question}";
                    field.dispatchEvent(new Event("input"));
                    return [...document.querySelectorAll("#found a")].map((link) => link.href).join(" ");
                }})()""")
                browser.screenshot(f"search_{pathlib.Path(start).stem}.png")
                if expected not in links:
                    yield f"the search for '{question}' on {start} leads to {links or 'nothing'}"
        finally:
            browser.close()


def main():
    missing = [tool for tool in ("mkdocs", "doxygen") if not shutil.which(tool)]
    if missing:
        print(f"skipped: {' and '.join(missing)} cannot be found, so no site is built")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder, "site")
        built_site(site)
        wrong = [*missing_pages(site), *missing_headers(site), *check_links.broken_links(site),
                 *complaints_of_the_checker(pathlib.Path(folder, "small"))]
        chromium = page_test.find_chromium()
        if chromium:
            wrong += wrong_answers(site, chromium)
        else:
            print("the search is not tried: there is no Chromium")
    print("\n".join([*wrong, f"{len(wrong)} things are wrong with the site"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
