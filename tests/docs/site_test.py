#!/usr/bin/env python3
"""Builds the static site as `./run site` does, and checks pages, headers, links, the glossary, the ranks of the search, and what
each page has (version, contents, theme). Where Chromium is installed: the search in a browser gives the same answers, and no
page scrolls sideways on a phone (from one page, and every 16th page, without TILEWRIGHT_TEST_ALL). TILEWRIGHT_SCREENSHOTS names a
folder for pictures of the main pages.

Skipped (exit status 77) where mkdocs or doxygen is not installed.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "docs/site"), str(ROOT / "tests/render")]

import check_links  # noqa: E402  (found through the line above)
import hooks  # noqa: E402
import page_test  # noqa: E402  (the browser)
import search_index  # noqa: E402

SKIPPED = 77
EVERY = "TILEWRIGHT_TEST_ALL" in os.environ


def built_site(folder):
    done = subprocess.run([sys.executable, "-B", str(ROOT / "tools/make_site"), str(folder)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(done.stdout)


def missing_pages(site):
    """Pages and pictures of the repository that the site lacks."""
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
    """Public headers without a page of the API reference, which names the folders above the header and its name."""
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


# What a reader types, and the page, section or name that has to be the first answer; or among the first three.
FIRST = [("swizzling", "docs/tutorial/5_swizzling.html"), ("bank conflicts", "docs/howto/remove_bank_conflicts.html"),
         ("tiled copy", "docs/reference/tiled_copy.html"), ("tma", "docs/tutorial/7_tma.html"),
         ("layout", "docs/reference/layouts.html"), ("composition", "docs/reference/algebra.html#composition"),
         ("read a plan", "docs/howto/read_a_plan.html"), ("convert", "docs/reference/convert.html"),
         ("errors", "docs/errors.html"), ("transpose", "docs/howto/transpose_a_large_file.html"),
         ("glossary", "docs/glossary.html"), ("install", "docs/howto/install.html"), ("cmake", "docs/howto/use_from_cmake.html"),
         ("sector", "docs/glossary.html#sector"), ("make_tiled_copy", "api/"), ("partition_S", "api/"), ("prove", "api/"),
         ("make_tma_copy", "api/"), ("cp_async_fence", "api/"), ("launch_checked", "api/")]
AMONG_THREE = [("launch_checked", "docs/howto/debug_on_the_cpu.html"), ("cp_async_fence", "docs/tutorial/6_cp_async.html"),
               ("coalesce", "docs/reference/algebra.html#coalesce"), ("starter", "examples/starter/index.html")]


def index_of(site):
    text = (site / "search.js").read_text(encoding="utf-8")
    return json.loads(text[text.index("{"):text.rindex("}") + 1])


def wrong_ranks(index):
    for questions, most in ((FIRST, 1), (AMONG_THREE, 3)):
        for question, expected in questions:
            found = [entry["url"] for entry in search_index.ranked(index, question, most)]
            if not any(url.startswith(expected) if expected == "api/" else url == expected for url in found):
                yield f"the search for '{question}' gives {found} first, and not {expected}"
    if search_index.ranked(index, "no_such_name_anywhere"):
        yield "the search finds what is not there"


def wrong_terms(site):
    """The glossary's words are linked from the pages of the tutorial, each once on a page."""
    words = hooks.terms_of((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
    if len(words) < 40 or any(not meaning.endswith((".", ":")) for _, meaning in words.values()):
        yield f"the glossary has {len(words)} words, or one without a sentence"
    for page in sorted((site / "docs/tutorial").glob("[1-8]*.html")):
        linked = re.findall(r'class="term" href="\.\./glossary\.html#([^"]+)" title="[^"]+">', page.read_text("utf-8"))
        if len(linked) < 3 or len(set(linked)) != len(linked):
            yield f"{page.name} links the words {linked} to the glossary"


def wrong_furniture(site):
    """What every page has: version, theme, search; and the contents where there are sections; the API reference as well."""
    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))[1]
    for page in sorted(site.rglob("*.html")):
        text, name = page.read_text("utf-8"), page.relative_to(site)
        for what, part in (("the version", f"<small>{version}</small>"), ("the search", '<input id="search"'),
                           ("the theme", 'id="theme"'), ("a width for phones", 'name="viewport"'), ("the styles", "site.css")):
            if text.count(part) != 1:
                yield f"{name} has {what} {text.count(part)} times"
        if name.parts[0] == "docs" and text.count("<h2") > 1 and 'class="contents"' not in text:
            yield f"{name} has no contents"


def open_at(browser, page, width, theme="light"):
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
    browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    browser.open(page)


def wrong_on_a_phone(browser, site):
    """Pages that are wider than a phone."""
    pages = [*sorted(site.rglob("docs/**/*.html")), site / "index.html",
             *(site / "api" / f"{name}.html" for name in ("index", "files", "annotated", "namespacetilewright"))]
    for page in pages[::1 if EVERY else 16]:
        open_at(browser, page, 390)
        wider = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wider > 0:
            yield f"{page.relative_to(site)} is {wider} pixels wider than a phone"


def take_pictures(browser, site):
    for page in ("index", "docs/tutorial/4_tiled_copy", "docs/reference/algebra", "docs/errors", "api/namespacetilewright"):
        for width in (390, 1440):
            for theme in ("light", "dark"):
                open_at(browser, site / f"{page}.html", width, theme)
                browser.screenshot(f"site_{page.replace('/', '_')}_{width}_{theme}.png")


def wrong_answers(browser, site, index):
    """Questions that the search in a page opened from a disk answers differently from search_index.ranked."""
    for start in ("docs/tutorial/7_tma.html", "index.html", "api/index.html")[:None if EVERY else 1]:
        open_at(browser, site / start, 1440)
        for question, _ in [*FIRST, *AMONG_THREE, ("bank conf", ""), ("no_such_name_anywhere", "")]:
            links = browser.evaluate(f"""(() => {{
                const field = document.getElementById("search");
                field.value = "{question}";
                field.dispatchEvent(new Event("input"));
                return [...document.querySelectorAll("#found a")].map((link) => link.href);
            }})()""")
            expected = [f"{site.resolve().as_uri()}/{entry['url']}" for entry in search_index.ranked(index, question)]
            if links != expected:
                yield f"the search for '{question}' on {start} gives {links} in a browser, and {expected} outside of it"
    browser.screenshot("site_search.png")


def wrong_in_a_browser(site, index, chromium):
    with tempfile.TemporaryDirectory() as profile:
        browser = page_test.Browser(chromium, profile)
        try:
            yield from wrong_answers(browser, site, index)
            yield from wrong_on_a_phone(browser, site)
            take_pictures(browser, site)
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
        index = index_of(site)
        wrong = [*missing_pages(site), *missing_headers(site), *check_links.broken_links(site), *wrong_ranks(index),
                 *wrong_terms(site), *wrong_furniture(site), *complaints_of_the_checker(pathlib.Path(folder, "small"))]
        chromium = page_test.find_chromium()
        if chromium:
            wrong += wrong_in_a_browser(site, index, chromium)
        else:
            print("nothing is tried in a browser: there is no Chromium")
    print("\n".join([*wrong, f"{len(wrong)} things are wrong with the site"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
