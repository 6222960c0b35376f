"""What mkdocs does differently for these pages."""
import re


def anchor(heading, separator):
    """The anchor of a heading, as web views of repositories name it: links work there and here."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_config(config):
    config["mdx_configs"]["toc"] = {"slugify": anchor, "permalink": False}
    return config


def on_page_content(html, **_):
    """A bar in the code of a table is written \\| in the page, and shown as one."""
    cells = re.compile(r"<td.*?</td>", re.DOTALL)
    return cells.sub(lambda cell: re.sub(r"<code>[^<]*</code>", lambda code: code[0].replace("\\|", "|"), cell[0]), html)
