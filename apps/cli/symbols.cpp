// Reads facts and hands out symbols.
#include "apps/cli/symbols.hpp"

#include <algorithm>

namespace tilewright::cli {

void facts::read(std::string_view text) {
  layout_reader reader(text);
  if (!reader.at_identifier()) reader.fail("expected a fact such as M%8=0: a name first");
  std::string const name(reader.read_identifier());
  reader.expect('%', "in a fact such as M%8=0");
  reader.peek();  // skips blanks, so that the next position is the integer's
  std::size_t const at = reader.position();
  long long const divisor = reader.read_integer();
  if (divisor < 1) reader.fail_at("expected a divisor of 1 or more", at);
  reader.expect('=', "in a fact such as M%8=0");
  reader.peek();
  std::size_t const rest_at = reader.position();
  if (reader.read_integer() != 0) reader.fail_at("expected 0, since a fact says what a name is a multiple of", rest_at);
  reader.expect_end();
  long long& known = divisors_.try_emplace(name, 1).first->second;
  if (!math::multiply(known / math::gcd(known, divisor), divisor, known))
    throw text_error("the facts about " + name + " give a divisor that does not fit 64 bits", text, at);
}

long long facts::divisor_of(std::string_view name) const {
  auto const found = divisors_.find(name);
  return found == divisors_.end() ? 1 : found->second;
}

leaf symbols::leaf_of(std::string_view name) {
  auto const known = std::find(names_.begin(), names_.end(), name);
  if (known != names_.end()) return leaves_[static_cast<std::size_t>(known - names_.begin())];
  leaf const made = pool_.input(number_type::int64, stated_->divisor_of(name));
  names_.emplace_back(name);
  leaves_.push_back(made);
  return made;
}

arithmetic const& symbols::printed() {
  printed_ = pool_;
  for (int i = 0; i < printed_.size; ++i) {
    expression& e = printed_.nodes[i];
    bool const exact = e.op == op_code::ceil_div && e.b.is_static() && e.b.number > 0 && pool_.divides(e.b.number, e.a);
    if (exact) e.op = op_code::div;
  }
  return printed_;
}

}  // namespace tilewright::cli
