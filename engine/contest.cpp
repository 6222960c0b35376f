#include "engine/contest.hpp"

#include <algorithm>

namespace tilewright::engine {

contest::contest(std::size_t entrants, contest_rules rules) : rules_(rules), entrants_(entrants, record{0, 0, never}) {}

double contest::least_of_all() const {
  double out = never;
  for (record const& e : entrants_) out = std::min(out, e.least);
  return out;
}

bool contest::is_out(record const& r) const {
  bool const has_counted = r.told >= 2;
  return has_counted && !(r.least <= rules_.hopeless * least_of_all());
}

std::optional<std::size_t> contest::next() {
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    record const& e = entrants_[i];
    if (e.begun > rules_.runs || is_out(e)) continue;
    if (!out || e.begun < entrants_[*out].begun) out = i;
  }
  if (out) ++entrants_[*out].begun;
  return out;
}

void contest::tell(std::size_t entrant, double seconds) {
  record& e = entrants_[entrant];
  if (++e.told > 1) e.least = std::min(e.least, seconds);
}

bool contest::is_over() const {
  return std::all_of(entrants_.begin(), entrants_.end(),
                     [&](record const& e) { return e.told > rules_.runs || is_out(e); });
}

std::size_t contest::winner() const {
  auto const best = std::min_element(entrants_.begin(), entrants_.end(),
                                     [](record const& a, record const& b) { return a.least < b.least; });
  return best->least * rules_.margin < entrants_[0].least ? static_cast<std::size_t>(best - entrants_.begin()) : 0;
}

}  // namespace tilewright::engine
