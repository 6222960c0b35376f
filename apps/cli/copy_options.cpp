// Reads a tiled copy that is described by options.
#include "apps/cli/copy_options.hpp"

#include "apps/cli/nearest.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/shared_options.hpp"
#include "tilewright/render/mma_atoms.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

namespace tilewright::cli {
namespace {

bool contains(std::vector<std::string> const& names, std::string const& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

/// ldmatrix and stmatrix as an analysis takes them.
tiling::matrix_atom matrix_of(render::atom_maps const& atom) {
  bool const loads = atom.name.find("LDSM") != std::string::npos;
  if (loads) return {tiling::access_kind::ldmatrix, atom.source, atom.destination};
  return {tiling::access_kind::stmatrix, atom.destination, atom.source};
}

/// pre: the element is read; an atom of several threads has a number of bits in each, those of its reference map.
void take_atom(std::string const& name, tiling::declaration& to) {
  render::atom_maps const atom = copy_atom_named(name);
  bool const transposes = atom.threads() > 1 && name.find("_U16") != std::string::npos;
  if (transposes && to.element.count > 16)
    throw usage_error(
        fmt::format("{} transposes units of 16 bits, and an element has {}; use --element f16, or an atom "
                    "that does not transpose, such as SM75_U32x4_LDSM_N",
                    name, to.element.count));
  if (atom.threads() > 1) to.matrix = matrix_of(atom);
  layout_value const& reference = to.matrix ? to.matrix->registers : atom.source;
  to.atom = {size(mode(reference, 1).value()).value()};
}

}  // namespace

void add_copy_options(CLI::App& app, copy_texts& texts) {
  app.add_option("--atom", texts.atom, "name of the copy atom, such as SM75_U32x4_LDSM_N or UniversalCopy<uint64_t>")
      ->type_name(choices_of(render::atom_names()));
  app.add_option("--atom-bits", texts.atom_bits, "bits that one thread moves at a time, instead of --atom")
      ->type_name("BITS");
  add_element_option(app, texts.element);
  app.add_option("--thr", texts.thr, "thread layout, (m,n) -> thread")->type_name("LAYOUT");
  app.add_option("--val", texts.val, "value layout, (m,n) -> value")->type_name("LAYOUT");
  app.add_option("--tensor", texts.tensor, "layout of the tensor")->type_name("LAYOUT");
}

bool describes_copy(copy_texts const& texts) {
  return !(texts.atom.empty() && texts.atom_bits.empty() && texts.thr.empty() && texts.val.empty() &&
           texts.tensor.empty());
}

char const* missing_option(copy_texts const& texts) {
  if (texts.atom_bits.empty() && texts.atom.empty()) return "--atom-bits";
  if (texts.element.empty()) return "--element";
  if (texts.thr.empty()) return "--thr";
  return texts.val.empty() ? "--val" : nullptr;
}

render::atom_maps copy_atom_named(std::string const& name, std::vector<std::string> const& others) {
  std::vector<std::string> atoms = render::atom_names();
  std::string const plain = name.substr(0, name.find('<'));
  if (contains(render::mma_names(), name))
    throw usage_error(
        fmt::format("{} is a matrix operation and copies nothing; --atom takes a copy atom here, such as "
                    "SM75_U32x4_LDSM_N",
                    name));
  if (name.find("TMA") != std::string::npos || name.find("BULK") != std::string::npos)
    throw usage_error(
        fmt::format("{} is issued by one thread and moves what its descriptor or its size says, so it has "
                    "no thread-value map; use the layouts that it moves between",
                    name));
  if (!contains(atoms, plain)) {
    std::string const known = fmt::format("{}", fmt::join(atoms, ", "));
    atoms.insert(atoms.end(), others.begin(), others.end());
    std::string_view const near = nearest(name, atoms);
    throw usage_error(near.empty() ? fmt::format("there is no copy atom '{}'; there are {}", name, known)
                                   : fmt::format("there is no copy atom '{}'; did you mean '{}'?", name, near));
  }
  try {
    return render::atom_named(name);
  } catch (render::render_error const&) {
    throw usage_error(fmt::format("there is no copy atom '{}'; {} without a type is {}", name, plain,
                                  render::atom_named(plain).name));
  }
}

bool is_cp_async(std::string const& name) { return name.find("CP_ASYNC") != std::string::npos; }

tiling::declaration read_declaration(std::string const& verb, copy_texts const& texts) {
  tiling::declaration out;
  out.element = {read_element_bits(verb, texts.element)};
  if (!texts.atom.empty() && !texts.atom_bits.empty())
    throw usage_error(
        fmt::format("{} takes either --atom {} or --atom-bits {}, not both", verb, texts.atom, texts.atom_bits));
  if (texts.atom.empty()) out.atom = {read_integer_option("--atom-bits", texts.atom_bits)};
  else take_atom(texts.atom, out);
  out.thr = read_plain_layout_option("--thr", texts.thr);
  out.val = read_plain_layout_option("--val", texts.val);
  return out;
}

tiled_copy_value tiled_copy_of(tiling::declaration const& d) {
  if (!d.matrix) return make_tiled_copy(d.atom, d.element, d.thr, d.val).value();
  tiling::matrix_atom const& m = *d.matrix;
  bool const loads = m.kind == tiling::access_kind::ldmatrix;
  atom_maps_value const maps{m.registers, loads ? m.rows : m.registers, loads ? m.registers : m.rows};
  return make_tiled_copy(maps, d.element, d.thr, d.val).value();
}

}  // namespace tilewright::cli
