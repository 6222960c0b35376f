// Writes drawings as a LaTeX document with one TikZ picture, and escapes for LaTeX.
#include "engine/render/drawing.hpp"
#include "engine/render/svg.hpp"
#include "tilewright/render/writers.hpp"

#include <map>

namespace tilewright::render {
namespace {

/// ASCII specials, and the signs that scenes use; other characters pass and need an engine or font that has them.
std::string latex_escaped(std::string const& text) {
  static std::map<std::string, std::string, std::less<>> const signs{
      {"×", "\\ensuremath{\\times}"}, {"→", "\\ensuremath{\\rightarrow}"}, {"–", "--"},          {"…", "\\ldots{}"},
      {"·", "\\ensuremath{\\cdot}"},  {"∘", "\\ensuremath{\\circ}"},       {"\xef\xbf\xbd", "?"}};
  std::string const clean = valid_utf8(text);
  std::string out;
  for (std::size_t at = 0; at < clean.size();) {
    std::size_t end = at + 1;
    while (end < clean.size() && (static_cast<unsigned char>(clean[end]) & 0xc0u) == 0x80u) ++end;
    std::string const character = clean.substr(at, end - at);
    at = end;
    auto const sign = signs.find(character);
    if (sign != signs.end()) {
      out += sign->second;
      continue;
    }
    switch (character[0]) {
      case '\\': out += "\\textbackslash{}"; break;
      case '~': out += "\\textasciitilde{}"; break;
      case '^': out += "\\textasciicircum{}"; break;
      case '<': out += "\\textless{}"; break;
      case '>': out += "\\textgreater{}"; break;
      case '|': out += "\\textbar{}"; break;
      case '"': out += "\\textquotedbl{}"; break;
      case '-': out += "{-}"; break;  // "--" stays two signs
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}': out += "\\" + character; break;
      default: out += static_cast<unsigned char>(character[0]) < 0x20 ? " " : character;
    }
  }
  return out;
}

class latex_writer {
 public:
  explicit latex_writer(scene const& s) : drawing_(draw(s)) {}

  std::string text() && {
    for (box const& b : drawing_.boxes) write(b);
    for (stroke const& s : drawing_.strokes) write(s);
    for (path_end const& e : drawing_.ends) write(e);
    for (label const& l : drawing_.labels) write(l);
    std::string out =
        "\\documentclass[tikz,border=2pt]{standalone}\n"
        "\\usepackage[T1]{fontenc}\n"
        "\\usepackage{textcomp}\n"
        "\\usepackage{lmodern}\n"
        "% \\cell{x}{y}{width}{height}{colour}; \\words{x}{y}{anchor}{colour}{size}{font}{text}; 1 unit is 1/96 inch.\n"
        "\\newcommand{\\cell}[5]{\\fill[#5] (#1,#2) rectangle ++(#3,#4);}\n"
        "\\newcommand{\\words}[7]{\\node[inner sep=0pt,anchor=#3,text=#4,font=\\fontsize{#5bp}{#5bp}\\selectfont#6] at "
        "(#1,#2) {\\strut #7};}\n";
    for (auto const& [name, colour] : named_) out += "\\definecolor{" + name + "}{HTML}{" + colour + "}\n";
    out += "\\begin{document}\n\\begin{tikzpicture}[x=0.75bp,y=-0.75bp]\n";
    return out + body_ + "\\end{tikzpicture}\n\\end{document}\n";
  }

 private:
  /// A name for each colour in use, in the order of first use.
  std::string const& name_of(rgb colour) {
    std::string& name = names_[hex(colour)];
    if (name.empty()) {
      name = "tw";
      for (std::size_t n = named_.size();; n /= 26) {
        name += static_cast<char>('a' + n % 26);
        if (n < 26) break;
      }
      std::string digits;
      for (char const ch : hex(colour).substr(1)) digits += ch >= 'a' ? static_cast<char>(ch - 'a' + 'A') : ch;
      named_.emplace_back(name, digits);
    }
    return name;
  }

  void words(double x, double y, char const* at, rgb colour, double font, char const* family, std::string const& text) {
    body_ += "\\words{" + number_text(x) + "}{" + number_text(y) + "}{" + at + "}{" + name_of(colour) + "}{" +
             number_text(font * 0.75) + "}{" + family + "}{" + latex_escaped(text) + "}\n";
  }

  void write(box const& b) {
    body_ += "\\cell{" + number_text(b.x) + "}{" + number_text(b.y) + "}{" + number_text(b.width) + "}{" +
             number_text(b.height) + "}{" + name_of(b.fill) + "}\n";
    for (std::size_t i = 0; i < b.lines.size() && b.font > 0; ++i)
      words(b.middle.x,
            b.middle.y + b.font * 1.12 * (static_cast<double>(i) - static_cast<double>(b.lines.size() - 1) / 2), "mid",
            b.text_colour, i == 0 ? b.font : b.font * 0.9, "\\ttfamily", b.lines[i]);
  }

  void write(stroke const& s) {
    body_ += "\\draw[" + name_of(s.colour) + ",line width=" + number_text(s.width * 0.75) + "bp" +
             (s.opacity < 1 ? ",opacity=" + number_text(s.opacity) : "") + (s.dashed ? ",dashed" : "") +
             ",line join=round] ";
    for (std::size_t i = 0; i < s.points.size(); ++i)
      body_ += (i == 0 ? "(" : " -- (") + number_text(s.points[i].x) + "," + number_text(s.points[i].y) + ")";
    body_ += ";\n";
  }

  void write(path_end const& e) {
    std::string const r = number_text(e.radius);
    body_ += "\\fill[" + name_of(e.colour) + "] ";
    if (e.is_last)
      body_ += "(" + number_text(e.x - e.radius) + "," + number_text(e.y - e.radius) + ") rectangle ++(" +
               number_text(2 * e.radius) + "," + number_text(2 * e.radius) + ");\n";
    else body_ += "(" + number_text(e.x) + "," + number_text(e.y) + ") circle[radius=" + r + "];\n";
  }

  void write(label const& l) {
    constexpr char const* anchors[] = {"base west", "base", "base east"};
    words(l.x, l.y, anchors[static_cast<int>(l.at)], l.colour, l.font,
          l.mono ? "\\ttfamily" : (l.bold ? "\\sffamily\\bfseries" : "\\sffamily"), l.text);
  }

  drawing drawing_;
  std::string body_;
  std::map<std::string, std::string> names_;
  std::vector<std::pair<std::string, std::string>> named_;
};

}  // namespace

std::string to_latex(scene const& s) { return latex_writer(s).text(); }

}  // namespace tilewright::render
