"""What mkdocs does differently for these pages: anchors as web views of repositories name them, bars in tables, and links from
the first use of a word to the glossary."""
import html as escapes
import pathlib
import posixpath
import re

GLOSSARY = "docs/glossary"
# Words of the glossary that pages also use in their everyday sense, and those in every line: not linked.
EVERYDAY = {"size", "line", "phase", "path", "plan", "proof", "round", "extent", "vector", "divide", "layout", "tensor"}
TAG = re.compile(r"(<[^>]+>)")
SKIPPED = re.compile(r"<(/?)(a|code|pre|h1|h2|h3|h4|th|kbd)\b")
terms = {}  # word in small letters -> (anchor, first sentence)


def anchor(heading, separator):
    """The anchor of a heading, as web views of repositories name it: links work there and here."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def terms_of(text):
    """The words of the glossary's page, with their anchors and first sentences as plain text."""
    found = {}
    for heading, meaning in re.findall(r"^### ([^\n]+)\n\n(.+?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(meaning.split())).replace("`", "").replace("*", "")
        sentence = re.match(r".*?[^.]\.(?= |$)", plain)
        found[heading.lower()] = (anchor(heading, "-"), sentence[0] if sentence else plain)
    return found


def on_config(config):
    config["mdx_configs"]["toc"] = {"slugify": anchor, "permalink": False}
    page = pathlib.Path(config["docs_dir"], f"{GLOSSARY}.md")
    terms.clear()
    terms.update((word, of) for word, of in terms_of(page.read_text(encoding="utf-8")).items() if word not in EVERYDAY)
    return config


def with_links(html, glossary):
    """The page with a link to the glossary at the first use of each word in running text."""
    if not terms:
        return html
    words = "|".join(re.escape(word) for word in sorted(terms, key=len, reverse=True))
    use = re.compile(rf"(?<![\w./-])({words})(s|es)?(?![\w-]|\.\w)", re.IGNORECASE)
    used, depth, parts = set(), 0, TAG.split(html)

    def link(found):
        word = found[1].lower()
        if word in used:
            return found[0]
        used.add(word)
        address, meaning = terms[word]
        return f'<a class="term" href="{glossary}#{address}" title="{escapes.escape(meaning)}">{found[0]}</a>'

    for i, part in enumerate(parts):
        if i % 2:
            skipped = SKIPPED.match(part)
            depth += 0 if not skipped else -1 if skipped[1] else 1
        elif depth == 0:
            parts[i] = use.sub(link, part)
    return "".join(parts)


def on_page_content(html, page, **_):
    """A bar in the code of a table is written \\| in the page, and shown as one."""
    cells = re.compile(r"<td.*?</td>", re.DOTALL)
    html = cells.sub(lambda cell: re.sub(r"<code>[^<]*</code>", lambda code: code[0].replace("\\|", "|"), cell[0]), html)
    url = page.file.url
    is_prose = url == "index.html" or (url.startswith("docs/") and not url.startswith((GLOSSARY, "docs/errors", "docs/adr/")))
    if not is_prose:
        return html
    return with_links(html, posixpath.relpath(f"{GLOSSARY}.html", posixpath.dirname(url) or "."))
