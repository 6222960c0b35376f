// Formats by ending, and files that appear whole or not at all.
#include "engine/render/drawing.hpp"
#include "engine/render/raster.hpp"
#include "tilewright/render/writers.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

namespace tilewright::render {
namespace {

struct ending {
  std::string_view text;
  format as;
};
constexpr std::array endings{ending{"svg", format::svg},   ending{"html", format::html}, ending{"htm", format::html},
                             ending{"tex", format::latex}, ending{"json", format::json}, ending{"txt", format::text},
                             ending{"png", format::png},   ending{"pdf", format::pdf}};

/// A name beside `path` that no other writer picks.
std::string beside(std::string const& path) {
  std::random_device entropy;
  return path + "." + std::to_string(entropy()) + ".part";
}

[[noreturn]] void refuse(std::string const& path, int reason, std::string const& part) {
  if (!part.empty()) std::remove(part.c_str());
  bool const place = reason == ENOENT || reason == EACCES || reason == ENOTDIR || reason == EROFS;
  throw render_error("'" + path + "' cannot be written: " + std::strerror(reason) +
                     (place ? "; choose a folder that exists and that you may write to" : ""));
}

/// A terminal, a pipe, a device: nothing can take its place.
bool is_special(std::string const& path) {
  std::error_code none;
  std::filesystem::file_status const there = std::filesystem::status(path, none);
  return std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
}

}  // namespace

format format_of(std::string_view path) {
  std::size_t const dot = path.rfind('.'), slash = path.rfind('/');
  bool const has = dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash);
  std::string_view const text = has ? path.substr(dot + 1) : std::string_view{};
  for (ending const& e : endings)
    if (e.text == text) return e.as;
  throw render_error("'" + std::string(path) +
                     "' does not say what to write; end its name in .svg, .html, .png, .pdf, .tex, .json or .txt");
}

std::string write(scene const& s, format as, text_options const& options) {
  switch (as) {
    case format::text: return to_text(s, options);
    case format::svg: return to_svg(s);
    case format::html: return to_html(s);
    case format::latex: return to_latex(s);
    case format::json: return to_json(s);
    case format::png: return to_png(s);
    case format::pdf: return to_pdf(s);
  }
  throw render_error("there is no such format; the formats are text, svg, html, latex, json, png and pdf");
}

std::string to_png(scene const& s, double scale) {
  drawing const d = draw(s);
  return png_of(to_svg(s), d.width, d.height, scale);
}

std::string to_pdf(scene const& s) {
  drawing const d = draw(s);
  return pdf_of(to_svg(s), d.width, d.height, s.title);
}

void save_text(std::string_view contents, std::string const& path) {
  bool const special = is_special(path);
  std::string const part = special ? "" : beside(path);
  errno = 0;
  std::FILE* const file = special ? std::fopen(path.c_str(), "wb") : std::fopen(part.c_str(), "wbx");
  if (file == nullptr) refuse(path, errno, {});
  bool const written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  int reason = errno;
  bool const closed = std::fclose(file) == 0;
  if (!closed) reason = errno;
  if (!written || !closed) refuse(path, reason, part);
  if (special) return;
  std::error_code failure;
  std::filesystem::rename(part, path, failure);
  if (failure) refuse(path, failure.value(), part);
}

void save(scene const& s, std::string const& path) { save_text(write(s, format_of(path)), path); }

}  // namespace tilewright::render
