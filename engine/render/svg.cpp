// Writes drawings as SVG, and escapes for XML.
#include "engine/render/svg.hpp"

#include "engine/render/drawing.hpp"
#include "tilewright/render/writers.hpp"

namespace tilewright::render {
namespace {

constexpr char const* sans = "system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif";
constexpr char const* mono = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";
constexpr char const* replacement = "\xef\xbf\xbd";

class svg_writer {
 public:
  svg_writer(scene const& s, bool interactive) : drawing_(draw(s)), interactive_(interactive) { open(s); }

  std::string text() && {
    for (box const& b : drawing_.boxes) write(b);
    for (stroke const& s : drawing_.strokes) write(s);
    for (path_end const& e : drawing_.ends) write(e);
    for (label const& l : drawing_.labels) write(l);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  void open(scene const& s) {
    std::string const w = number_text(drawing_.width), h = number_text(drawing_.height);
    out_ += "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + w + " " + h + "\" width=\"" + w +
            "\" height=\"" + h + "\" font-family=\"" + sans + "\" role=\"img\">\n";
    out_ += "<title>" + xml_escaped(s.title.empty() ? "layout" : s.title) + "</title>\n";
    out_ += "<style>.m{font-family:" + std::string(mono) +
            "}.c rect{shape-rendering:crispEdges}.c text{text-anchor:middle;font-family:" + mono + "}</style>\n";
    out_ += "<rect width=\"" + w + "\" height=\"" + h + "\" fill=\"#ffffff\"/>\n";
  }

  void attribute(char const* name, double value) {
    out_ += " ";
    out_ += name;
    out_ += "=\"" + number_text(value) + "\"";
  }

  void write(box const& b) {
    bool const is_cell = b.cell >= 0;
    if (is_cell) {
      out_ += "<g class=\"c\"";
      if (interactive_) out_ += " id=\"p" + std::to_string(b.panel) + "c" + std::to_string(b.cell) + "\"";
      out_ += ">";
    }
    out_ += "<rect";
    attribute("x", b.x);
    attribute("y", b.y);
    attribute("width", b.width);
    attribute("height", b.height);
    out_ += " fill=\"" + hex(b.fill) + "\"/>";
    double const step = b.font * 1.12, middle = b.middle.y + b.font * 0.36;
    for (std::size_t i = 0; i < b.lines.size() && b.font > 0; ++i) {
      out_ += "<text";
      attribute("x", b.middle.x);
      attribute("y", middle + step * (static_cast<double>(i) - static_cast<double>(b.lines.size() - 1) / 2));
      attribute("font-size", i == 0 ? b.font : b.font * 0.9);
      if (!(b.text_colour == rgb{})) out_ += " fill=\"" + hex(b.text_colour) + "\"";
      out_ += ">" + xml_escaped(b.lines[i]) + "</text>";
    }
    out_ += is_cell ? "</g>\n" : "\n";
  }

  void write(stroke const& s) {
    out_ += "<path d=\"";
    for (std::size_t i = 0; i < s.points.size(); ++i)
      out_ += (i == 0 ? "M" : "L") + number_text(s.points[i].x) + " " + number_text(s.points[i].y);
    out_ += "\" fill=\"none\" stroke=\"" + hex(s.colour) + "\"";
    attribute("stroke-width", s.width);
    if (s.opacity < 1) attribute("stroke-opacity", s.opacity);
    if (s.dashed) out_ += " stroke-dasharray=\"2 3\"";
    out_ += " stroke-linejoin=\"round\" pointer-events=\"none\"/>\n";
  }

  void write(path_end const& e) {
    std::string const rest = " fill=\"" + hex(e.colour) + "\" pointer-events=\"none\"/>\n";
    out_ += e.is_last ? "<rect" : "<circle";
    attribute(e.is_last ? "x" : "cx", e.is_last ? e.x - e.radius : e.x);
    attribute(e.is_last ? "y" : "cy", e.is_last ? e.y - e.radius : e.y);
    attribute(e.is_last ? "width" : "r", e.is_last ? 2 * e.radius : e.radius);
    if (e.is_last) attribute("height", 2 * e.radius);
    out_ += rest;
  }

  void write(label const& l) {
    constexpr char const* anchors[] = {"start", "middle", "end"};
    out_ += "<text";
    attribute("x", l.x);
    attribute("y", l.y);
    attribute("font-size", l.font);
    if (l.mono) out_ += " class=\"m\"";
    if (l.at != anchor::start) out_ += std::string(" text-anchor=\"") + anchors[static_cast<int>(l.at)] + "\"";
    if (l.bold) out_ += " font-weight=\"600\"";
    out_ += " fill=\"" + hex(l.colour) + "\">" + xml_escaped(l.text) + "</text>\n";
  }

  drawing drawing_;
  bool interactive_;
  std::string out_;
};

/// The bytes of the character at `at`, 0 when there is no character.
std::size_t length_at(std::string const& text, std::size_t at) {
  auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto const follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  unsigned const first = byte(at);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    unsigned const second = byte(at + 1);
    bool const valid = !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second >= 0xa0);
    return valid && follows(at + 1) && follows(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    unsigned const second = byte(at + 1);
    bool const valid = !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second >= 0x90);
    return valid && follows(at + 1) && follows(at + 2) && follows(at + 3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string valid_utf8(std::string const& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const n = length_at(text, at);
    if (n == 0) out += replacement;
    else out.append(text, at, n);
    at += n == 0 ? 1 : n;
  }
  return out;
}

std::string xml_escaped(std::string const& text) {
  std::string out;
  for (char const ch : valid_utf8(text)) {
    auto const code = static_cast<unsigned char>(ch);
    switch (ch) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (code < 0x20 && ch != '\t' && ch != '\n') out += replacement;
        else out += ch;
    }
  }
  return out;
}

std::string svg_of(scene const& s, bool interactive) { return svg_writer(s, interactive).text(); }

std::string to_svg(scene const& s) { return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg_of(s, false); }

}  // namespace tilewright::render
