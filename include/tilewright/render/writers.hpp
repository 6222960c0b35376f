// Writers: a scene as terminal text, SVG, an interactive page, LaTeX, JSON, PNG or PDF. The first five are functions of
// the scene alone: the same scene gives the same bytes on every machine. PNG and PDF are the SVG drawn by librsvg with the
// fonts of the machine.
#pragma once

#include "tilewright/base/config.hpp"

#include <string_view>

#include "tilewright/render/scene.hpp"

namespace tilewright::render {

enum class format : std::uint8_t { text, svg, html, latex, json, png, pdf };
enum class text_colours : std::uint8_t { none, ansi256, rgb24 };

struct text_options {
  text_colours colours = text_colours::none;
  int width = 100;     // columns of the terminal; wider grids are split
  bool ascii = false;  // +-| in place of box drawing characters
};

/// Panels side by side as far as they fit the width; a wider grid loses the second line of its cells, then is split.
/// post: valid UTF-8; without colours no control character but '\n'
std::string to_text(scene const& s, text_options const& options = {});
/// One picture with viewBox, fonts by family, and a title for screen readers.
std::string to_svg(scene const& s);
/// One page that needs nothing else: point at a cell for its facts, click to isolate its thread, step through the
/// rounds; all of it by keyboard too.
std::string to_html(scene const& s);
/// A document of class standalone with one TikZ picture.
std::string to_latex(scene const& s);
/// The scene itself. The field "version" counts breaking changes.
std::string to_json(scene const& s);

/// `scale`: pixels for each of the SVG's, which is 1/96 inch.
/// error: render_error where librsvg is missing, with the package to install
std::string to_png(scene const& s, double scale = 2);
/// One page as large as the picture.
std::string to_pdf(scene const& s);

std::string write(scene const& s, format as, text_options const& options = {});

/// By a file's ending: svg, html, tex, json, txt, png, pdf.
/// error: render_error, which lists the endings
format format_of(std::string_view path);

/// Writes beside `path` and renames, so that a reader never sees half of a picture.
/// error: render_error with the system's reason
void save(scene const& s, std::string const& path);
void save_text(std::string_view contents, std::string const& path);

}  // namespace tilewright::render
