// Reads a tiled copy that is described by options.
#include "apps/cli/copy_options.hpp"

#include "apps/cli/option_values.hpp"
#include "apps/cli/shared_options.hpp"

namespace tilewright::cli {

void add_copy_options(CLI::App& app, copy_texts& texts) {
  app.add_option("--atom-bits", texts.atom_bits, "bits that one thread moves at a time")->type_name("BITS");
  add_element_option(app, texts.element);
  app.add_option("--thr", texts.thr, "thread layout, (m,n) -> thread")->type_name("LAYOUT");
  app.add_option("--val", texts.val, "value layout, (m,n) -> value")->type_name("LAYOUT");
  app.add_option("--tensor", texts.tensor, "layout of the tensor")->type_name("LAYOUT");
}

bool describes_copy(copy_texts const& texts) {
  return !(texts.atom_bits.empty() && texts.thr.empty() && texts.val.empty() && texts.tensor.empty());
}

char const* missing_option(copy_texts const& texts) {
  if (texts.atom_bits.empty()) return "--atom-bits";
  if (texts.element.empty()) return "--element";
  if (texts.thr.empty()) return "--thr";
  return texts.val.empty() ? "--val" : nullptr;
}

analysis::declaration read_declaration(std::string const& verb, copy_texts const& texts) {
  analysis::declaration out;
  out.atom = {read_integer_option("--atom-bits", texts.atom_bits)};
  out.element = {read_element_bits(verb, texts.element)};
  out.thr = read_plain_layout_option("--thr", texts.thr);
  out.val = read_plain_layout_option("--val", texts.val);
  return out;
}

}  // namespace tilewright::cli
