#!/usr/bin/env python3
"""Looks whether the links of a folder of HTML pages lead to files and anchors that are there, and to nothing outside.

usage: check_links.py FOLDER

Anchors within a page that Doxygen made are its own affair: 1.9.4 lists nested classes that it leaves out.
"""
import functools
import html
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r'<(?P<tag>\w+)\b[^>]*?\s(?P<attribute>href|src)="(?P<link>[^"]*)"')
ANCHOR = re.compile(r'\s(?:id|name)="([^"]+)"')
DOXYGEN = '<meta name="generator" content="Doxygen'
FETCHED = {"link", "script", "img", "iframe"}  # what a browser loads by itself


@functools.lru_cache(maxsize=None)
def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


@functools.lru_cache(maxsize=None)
def anchors_of(path):
    return {html.unescape(anchor) for anchor in ANCHOR.findall(text_of(path))}


def complaint_of(page, tag, link):
    address = html.unescape(link)
    if re.match(r"[a-z]+:|//", address):
        if tag in FETCHED and not address.startswith(("data:", "javascript:")):
            return f"fetches {link} from elsewhere"
        return ""
    if address.startswith("/"):
        return f"the link {link} begins at the root of a server"
    path, _, anchor = address.partition("#")
    if not path and DOXYGEN in text_of(page):
        return ""
    target = (page.parent / urllib.parse.unquote(path)).resolve() if path else page
    if not target.is_file():
        return f"the link {link} leads nowhere"
    if anchor and target.suffix == ".html" and urllib.parse.unquote(anchor) not in anchors_of(target):
        return f"the link {link} leads to a place that is not on that page"
    return ""


def broken_links(folder):
    """One sentence for each link that is wrong."""
    folder = pathlib.Path(folder).resolve()
    for page in sorted(folder.rglob("*.html")):
        seen = set()
        for found in LINK.finditer(text_of(page)):
            if found["link"] in seen:
                continue
            seen.add(found["link"])
            complaint = complaint_of(page, found["tag"], found["link"])
            if complaint:
                yield f"{page.relative_to(folder)}: {complaint}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = list(broken_links(sys.argv[1]))
    print("\n".join(wrong) or "all links lead somewhere")
    sys.exit(1 if wrong else 0)
