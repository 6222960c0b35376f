// A tiled copy described by options, in the same words to every verb: the atom of one thread, the
// thread layout, how many values each has, and the tensors on its sides.
#pragma once

#include "tilewright/analysis/tiled.hpp"

#include <CLI/App.hpp>
#include <string>

namespace tilewright::cli {

struct copy_texts {
  std::string atom_bits, element, thr, val, tensor;
};

/// Adds --atom-bits, --element, --thr, --val and --tensor, which fill the texts.
/// pre: the texts outlive the app
void add_copy_options(CLI::App& app, copy_texts& texts);

/// Is there anything that only a tiled copy has?
bool describes_copy(copy_texts const& texts);

/// The first of the four options of a copy, without the tensor, that was left out: "--thr"; null when none was.
char const* missing_option(copy_texts const& texts);

/// pre: no option is missing; `verb` begins refusals
/// error: text_error, usage_error that name the option
analysis::declaration read_declaration(std::string const& verb, copy_texts const& texts);

}  // namespace tilewright::cli
