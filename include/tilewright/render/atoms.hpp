// Copy atoms by name, as pictures need them: which bits each thread reads and writes. The maps are those of Copy_Traits,
// so a picture shows what a kernel runs.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/render/plot.hpp"

namespace tilewright::render {

/// The maps of a copy atom.
///   ldmatrix x1: source ((8,4),128):((128,0),1), destination (32,32):(32,1)
struct atom_maps {
  std::string name;
  layout_value source{};       // (thread, bit) -> bit
  layout_value destination{};  // (thread, bit) -> bit
  bits element{32};            // that the instruction is for
  bits row{0};                 // of a picture; 0: all bits are one row
  int rows = 0;                // of a matrix; 0: the atom moves no matrices

  long long threads() const;
  bits total() const;  // from the first to the last that is read
};

/// All names, those of several widths without the type: "SM75_U32x4_LDSM_N", "UniversalCopy" …
std::vector<std::string> const& atom_names();

/// By name, "UniversalCopy<uint64_t>"; without the type an atom of several widths is its widest.
/// error: render_error, with the names there are, or why an atom has no maps (TMA)
atom_maps atom_named(std::string const& name);

/// Which thread reads what, and which writes what: matrices as grids, everything else as a row.
/// error: render_error when an element is not contiguous in the atom's bits
scene atom_scene(atom_maps const& atom, plot_options const& options = {});

}  // namespace tilewright::render
