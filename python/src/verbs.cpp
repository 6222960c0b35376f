// The verbs of the command that answer questions (explain, check, tiled-copy, plot, plan), so that Python has their options
// and their sentences. What a verb prints is returned.
#include "python/src/module.hpp"

#include "apps/cli/command.hpp"
#include "apps/cli/copy_options.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/verbs.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <algorithm>

namespace tilewright::python {
namespace {

namespace py = pybind11;

cli::verb const& verb_named(std::string const& name) {
  auto const all = cli::verbs();
  auto const found = std::find_if(all.begin(), all.end(), [&](cli::verb const& v) { return v.name == name; });
  if (found == all.end()) throw py::key_error(fmt::format("there is no verb '{}'", name));
  return *found;
}

/// A refusal of the command is one of the algebra.
template <class Answer>
auto refusing(Answer const& answer) {
  try {
    return answer();
  } catch (py::builtin_exception const&) {
    throw;
  } catch (std::exception const& e) {
    throw layout_refusal(e.what());
  }
}

/// (status, what the verb prints)
py::tuple run_verb(std::string const& name, std::vector<std::string> const& words) {
  cli::verb const& v = verb_named(name);
  cli::captured_output output;
  int const status = refusing([&] { return v.run(words); });
  return py::make_tuple(status, output.text());
}

/// (tiler, thread-value map, threads, values of each, values of the atom)
py::tuple derive_tiled_copy(std::string const& atom_bits, std::string const& element, std::string const& thr,
                            std::string const& val) {
  cli::copy_texts texts;
  texts.atom_bits = atom_bits, texts.element = element, texts.thr = thr, texts.val = val;
  return refusing([&] {
    tiling::declaration const d = cli::read_declaration("TiledCopy", texts);
    tiled_copy_value const copy = make_tiled_copy(d.atom, d.element, d.thr, d.val).value();
    return py::make_tuple(format_tuple(copy.tiler), format_layout(copy.tv), copy.threads(), copy.values(),
                          copy.atom.count);
  });
}

/// (source, destination): maps of a copy atom, (thread, bit) -> bit
py::tuple maps_of_atom(std::string const& name) {
  return refusing([&] {
    render::atom_maps const maps = cli::copy_atom_named(name);
    return py::make_tuple(format_layout(maps.source), format_layout(maps.destination));
  });
}

}  // namespace

void bind_verbs(py::module_& m) {
  m.def("verb", &run_verb);
  m.def("tiled_copy", &derive_tiled_copy);
  m.def("atom_maps", &maps_of_atom);
}

}  // namespace tilewright::python
