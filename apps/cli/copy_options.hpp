// A tiled copy described by options, in the same words to every verb: the atom, by its name or by the bits of one thread,
// the thread layout, how many values each has, and the tensors on its sides.
#pragma once

#include "tilewright/render/atoms.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"
#include "tilewright/tiling/tiled_side.hpp"

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace tilewright::cli {

struct copy_texts {
  std::string atom_bits, element, thr, val, tensor;
  std::string atom{};  // the name of a copy atom, instead of atom_bits
};

/// Adds --atom, --atom-bits, --element, --thr, --val and --tensor, which fill the texts.
/// pre: the texts outlive the app
void add_copy_options(CLI::App& app, copy_texts& texts);

/// Is there anything that only a tiled copy has?
bool describes_copy(copy_texts const& texts);

/// A copy atom by its name, with the type or without: "UniversalCopy<uint64_t>".
/// others: further names that an unknown one may have meant
/// error: usage_error for an unknown name, and for matrix operations and TMA copies, which have no thread-value map
render::atom_maps copy_atom_named(std::string const& name, std::vector<std::string> const& others = {});

/// Is the atom of that name cp.async?
bool is_cp_async(std::string const& name);

/// The first of the four options of a copy, without the tensor, that was left out: "--thr"; null when none was.
char const* missing_option(copy_texts const& texts);

/// pre: no option is missing; `verb` begins refusals
/// post: `matrix` is given for ldmatrix and stmatrix
/// error: text_error, usage_error that name the option
tiling::declaration read_declaration(std::string const& verb, copy_texts const& texts);

/// What make_tiled_copy derives.
/// error: layout_error
tiled_copy_value tiled_copy_of(tiling::declaration const& d);

}  // namespace tilewright::cli
