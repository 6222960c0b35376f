// Writes scenes as JSON; keys are in the order written here.
#include "engine/render/json.hpp"

#include "tilewright/render/colour.hpp"
#include "tilewright/render/writers.hpp"

#include <array>

namespace tilewright::render {
namespace {

constexpr std::array palette_names{"plain", "order", "owner", "bank", "group", "heat"};

ordered_json json_of(panel const& p) {
  grid const& g = p.cells;
  ordered_json out;
  out["title"] = p.title;
  out["lines"] = p.lines;
  out["sign"] = p.sign;
  if (p.new_row) out["new_row"] = true;
  if (!p.heading.empty()) out["heading"] = p.heading;
  out["palette"] = palette_names[static_cast<std::size_t>(p.colours)];
  out["rows"] = g.rows;
  out["columns"] = g.columns;
  out["row_title"] = g.row_title;
  out["column_title"] = g.column_title;
  out["row_labels"] = g.row_labels;
  out["column_labels"] = g.column_labels;
  out["row_lines"] = g.row_lines;
  out["column_lines"] = g.column_lines;
  ordered_json cells = ordered_json::array();
  for (int r = 0; r < g.rows; ++r) {
    for (int c = 0; c < g.columns; ++c) {
      cell const& from = g.at(r, c);
      if (!from.exists) continue;
      ordered_json one;
      one["row"] = r;
      one["column"] = c;
      one.update(render::json_of(from));
      one["colour"] = hex(colour_of(p.colours, from.colour, p.classes));
      cells.push_back(std::move(one));
    }
  }
  out["cells"] = std::move(cells);
  if (!p.path.empty()) out["path"] = p.path;
  return out;
}

}  // namespace

ordered_json json_of(cell const& c) {
  ordered_json out;
  if (!c.text.empty()) out["text"] = c.text;
  if (!c.coordinate.empty()) out["coordinate"] = c.coordinate;
  if (c.index) out["index"] = *c.index;
  if (c.offset) out["offset"] = *c.offset;
  if (c.thread) out["thread"] = *c.thread;
  if (c.value) out["value"] = *c.value;
  if (c.bank) out["bank"] = *c.bank;
  if (c.round) out["round"] = *c.round;
  if (c.link) out["link"] = *c.link;
  if (c.across > 1) out["across"] = c.across;
  if (c.down > 1) out["down"] = c.down;
  return out;
}

ordered_json json_of(scene const& s) {
  ordered_json out;
  out["format"] = "tilewright-scene";
  out["version"] = 1;
  out["title"] = s.title;
  out["lines"] = s.lines;
  ordered_json panels = ordered_json::array();
  for (panel const& p : s.panels) panels.push_back(json_of(p));
  out["panels"] = std::move(panels);
  ordered_json legend = ordered_json::array();
  for (legend_entry const& e : s.legend)
    legend.push_back({{"text", e.text}, {"colour", hex(colour_of(e.colours, e.colour, e.classes))}});
  out["legend"] = std::move(legend);
  out["rounds"] = s.rounds;
  return out;
}

std::string dumped(ordered_json const& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

/// A line for each panel and cell would be long; a value a line is longer: one line for each cell.
std::string to_json(scene const& s) {
  ordered_json all = json_of(s);
  std::string out = "{\n";
  for (auto const& [key, value] : all.items()) {
    bool const last = key == "rounds";
    if (key != "panels") {
      out += " " + dumped(key, -1) + ": " + dumped(value, -1) + (last ? "\n" : ",\n");
      continue;
    }
    out += " \"panels\": [";
    for (std::size_t i = 0; i < value.size(); ++i) {
      out += i == 0 ? "\n  {" : ",\n  {";
      bool first = true;
      for (auto const& [name, part] : value[i].items()) {
        out += (first ? "" : ",") + std::string("\n   ") + dumped(name, -1) + ": ";
        first = false;
        if (name != "cells") {
          out += dumped(part, -1);
          continue;
        }
        out += "[";
        for (std::size_t k = 0; k < part.size(); ++k) out += (k == 0 ? "\n    " : ",\n    ") + dumped(part[k], -1);
        out += "\n   ]";
      }
      out += "\n  }";
    }
    out += "\n ],\n";
  }
  return out + "}\n";
}

}  // namespace tilewright::render
