"""Pictures that the library draws: text, SVG, HTML, LaTeX and JSON, in a notebook and in files."""
from __future__ import annotations

import base64
from typing import Any


class Picture:
    """A picture that shows itself in a notebook; `save(path)` writes .svg, .html, .tex, .json or .txt."""

    _ENDINGS = {"svg": "svg", "html": "html", "tex": "latex", "json": "json", "txt": "text"}

    def __init__(self, draw):
        self._draw = draw

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._draw("svg")

    @property
    def html(self) -> str:
        """The picture as a page of HTML."""
        return self._draw("html")

    def __str__(self):
        return self._draw("text")

    def _repr_svg_(self):
        svg = self.svg
        return svg[svg.index("<svg"):]  # a notebook's page takes no XML declaration within it

    def _repr_html_(self):
        """The picture as an image element: some converters of notebooks remove the contents of inline SVG."""
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img alt="picture" src="data:image/svg+xml;base64,{data}">'

    def save(self, path: Any) -> None:
        """Writes beside `path` and renames.  Raises ValueError for another ending."""
        import os
        path = os.fspath(path)
        ending = path.rsplit(".", 1)[-1]
        if ending not in self._ENDINGS:
            raise ValueError(f"'{path}' has no ending of a picture; there are .{', .'.join(self._ENDINGS)}")
        beside = f"{path}.{os.getpid()}.part"
        try:
            with open(beside, "w", encoding="utf-8") as file:
                file.write(self._draw(self._ENDINGS[ending]))
            os.replace(beside, path)
        except BaseException:
            if os.path.exists(beside):
                os.unlink(beside)
            raise
