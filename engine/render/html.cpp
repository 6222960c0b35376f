// The interactive page: the SVG with named cells, the facts of each cell as JSON, and one script. Nothing is fetched.
#include "engine/render/drawing.hpp"
#include "engine/render/html_page.hpp"
#include "engine/render/json.hpp"
#include "engine/render/svg.hpp"
#include "tilewright/render/writers.hpp"

#include <algorithm>

namespace tilewright::render {
namespace {

/// What the script needs: of each panel its columns and its cells as [position, facts].
ordered_json page_data(scene const& s) {
  ordered_json out;
  ordered_json panels = ordered_json::array();
  for (panel const& p : s.panels) {
    ordered_json cells = ordered_json::array();
    for (std::size_t i = 0; i < p.cells.cells.size(); ++i) {
      if (!p.cells.cells[i].exists) continue;
      ordered_json facts = json_of(p.cells.cells[i]);
      facts.erase("text");
      cells.push_back({i, std::move(facts)});
    }
    panels.push_back({{"columns", p.cells.columns}, {"cells", std::move(cells)}});
  }
  out["panels"] = std::move(panels);
  out["rounds"] = s.rounds;
  return out;
}

/// Is there text in the cells?
bool has_text(scene const& s) {
  drawing const d = draw(s);
  return std::any_of(d.boxes.begin(), d.boxes.end(), [](box const& b) { return b.cell >= 0 && b.font > 0; });
}

/// JSON inside of a script element: no character that could end it.
std::string script_safe(std::string const& json) {
  std::string out;
  for (char const ch : json)
    if (ch == '<') out += "\\u003c";
    else if (ch == '>') out += "\\u003e";
    else if (ch == '&') out += "\\u0026";
    else out += ch;
  return out;
}

}  // namespace

std::string to_html(scene const& s) {
  std::string const title = xml_escaped(s.title.empty() ? "layout" : s.title);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n<title>" +
      title + "</title>\n<style>" + page_style + "</style>\n</head>\n<body>\n<div id=\"bar\">\n";
  if (!s.rounds.empty())
    out +=
        "<div id=\"steps\"><button id=\"back\" aria-label=\"previous round\">◀</button>"
        "<input id=\"slider\" type=\"range\" min=\"-1\" max=\"" +
        std::to_string(s.rounds.size() - 1) +
        "\" value=\"-1\" aria-label=\"round\"><button id=\"forward\" aria-label=\"next round\">▶</button>"
        "<span id=\"name\" aria-live=\"polite\"></span></div>\n";
  out +=
      "<strong id=\"isolated\" hidden></strong>\n<span id=\"hint\">Point at a cell.</span>\n"
      "<dl id=\"facts\" aria-live=\"polite\"></dl>\n</div>\n"
      "<div id=\"picture\"" +
      std::string(has_text(s) ? " class=\"with-text\"" : "") +
      " tabindex=\"0\" aria-label=\"picture; arrow keys move from cell to cell\">\n";
  out += svg_of(s, true);
  out +=
      "</div>\n<footer><kbd>←</kbd> <kbd>↑</kbd> <kbd>↓</kbd> <kbd>→</kbd> cell, <kbd>p</kbd> panel, "
      "<kbd>Enter</kbd> or a click: its thread alone, ";
  if (!s.rounds.empty()) out += "<kbd>,</kbd> <kbd>.</kbd> round, ";
  out += "<kbd>Esc</kbd> all</footer>\n<script type=\"application/json\" id=\"scene\">" +
         script_safe(dumped(page_data(s), -1)) + "</script>\n<script>" + page_script + "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace tilewright::render
