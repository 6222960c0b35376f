#include "engine/kernels/cuda/tile/pattern.hpp"

#include "engine/kernels/cuda/tile/numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tilewright::kernels {
namespace {

constexpr int max_words = 16;  // registers that hold what is loaded

int step_of(placed_mode const& m) { return m.flipped ? -m.place : m.place; }

/// The places of elements 0 to vector - 1, from the first one's.
std::vector<int> offsets_of(std::vector<placed_mode> const& modes, int vector) {
  std::vector<int> out;
  for (int i = 0; i < vector; ++i) {
    int rest = i, at = 0;
    for (std::size_t k = 0; k < modes.size(); ++k) {
      bool const is_last = k + 1 == modes.size();
      at += (is_last ? rest : rest % modes[k].extent) * step_of(modes[k]);
      rest = is_last ? 0 : rest / modes[k].extent;
    }
    out.push_back(at);
  }
  return out;
}

/// Where accesses can begin: at multiples of a power of two, and at most so many bytes after one.
struct first_places {
  int alignment = widest_bytes, beyond = 0;

  void add(placed_mode const& m) {
    int const reach = (m.extent - 1) * m.place;
    if (m.place % word_bytes != 0 && reach < word_bytes) beyond += reach;
    else alignment = std::gcd(alignment, m.place);
  }
};

/// pre: the access has a part of mode k, and begins with a multiple of `part` coordinates of it
first_places first_places_of(std::vector<placed_mode> const& modes, std::size_t k, int part,
                             std::vector<placed_mode> const& rows, int alignment) {
  first_places out;
  out.alignment = std::gcd(alignment, step_of(modes[k]) * part);
  for (std::size_t j = k + 1; j < modes.size(); ++j) out.add(modes[j]);
  for (placed_mode const& m : rows) out.add(m);
  for (std::size_t j = 0; j <= k; ++j)
    if (modes[j].flipped) out.alignment = std::gcd(out.alignment, (modes[j].extent - 1) * modes[j].place);
  return out;
}

/// Do all elements stay within the same words where an access begins up to `beyond` bytes further?
bool can_slide(std::vector<int> const& offsets, int element, int beyond) {
  return beyond == 0 || std::all_of(offsets.begin(), offsets.end(), [&](int at) {
           return ((at % word_bytes) + word_bytes) % word_bytes + element + beyond <= word_bytes;
         });
}

/// The loads of `unit` bytes that have all elements, and what they cost.
void load_by(access_pattern& p, int element, int unit, bool is_aligned) {
  auto const count = p.offsets.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p.offsets[a] < p.offsets[b]; });
  p.unit = unit;
  p.is_aligned = is_aligned;
  p.units.clear();
  p.word.assign(count, 0);
  p.byte.assign(count, 0);
  int loads = 0;
  for (std::size_t const i : order) {
    int const at = p.offsets[i];
    if (p.units.empty() || at + element > p.units.back() + unit) {
      int const begin = is_aligned ? at - ((at % unit) + unit) % unit : at;
      // Words from anywhere are two each, of which the second is also the next one's first.
      bool const continues = !p.units.empty() && begin == p.units.back() + unit;
      loads += is_aligned ? 1 : continues ? 2 : 5;
      p.units.push_back(begin);
    }
    int const within = at - p.units.back() + (static_cast<int>(p.units.size()) - 1) * unit;
    p.word[i] = within / word_bytes;
    p.byte[i] = within % word_bytes;
  }
  int permutations = 0;
  auto const each = static_cast<std::size_t>(word_bytes / element);
  for (std::size_t first = 0; first < count; first += each) {
    std::vector<int> of(p.word.begin() + static_cast<std::ptrdiff_t>(first),
                        p.word.begin() + static_cast<std::ptrdiff_t>(std::min(count, first + each)));
    std::sort(of.begin(), of.end());
    permutations += std::unique(of.begin(), of.end()) - of.begin() <= 2 ? 1 : 3;
  }
  p.instructions = loads + permutations + (p.slides ? 3 + permutations : 0);
}

}  // namespace

access_pattern pattern_of(std::vector<placed_mode> const& modes, int vector, int element, int begins,
                          std::vector<placed_mode> const& rows, int alignment) {
  access_pattern out;
  std::size_t k = 0;
  for (; k + 1 < modes.size() && vector % (out.inside * modes[k].extent) == 0; ++k) out.inside *= modes[k].extent;
  // Of the mode that an access has a part of, it begins with a multiple of its part, or is not cut off as there is no other mode.
  bool const is_last = k + 1 == modes.size();
  out.exists = begins % out.inside == 0 &&
               (is_last || (begins % vector == 0 && modes[k].extent % std::max(1, vector / out.inside) == 0));
  if (!out.exists) return out;
  out.step = step_of(modes[k]);
  out.offsets = offsets_of(modes, vector);
  int const bytes = vector * element;
  out.instructions = 2 * vector - std::max(1, bytes / word_bytes);
  if (element >= word_bytes || bytes < word_bytes) {
    out.instructions = vector;
    return out;
  }
  int const part = begins % vector == 0 ? vector / out.inside : begins / out.inside;
  first_places const first = first_places_of(modes, k, part, rows, alignment);
  for (int unit = widest_bytes; unit >= word_bytes; unit /= 2) {
    access_pattern by_units = out;
    bool const is_aligned = first.alignment >= unit && can_slide(out.offsets, element, first.beyond);
    if (!is_aligned && unit > word_bytes) continue;
    by_units.slides = is_aligned && first.beyond > 0;
    load_by(by_units, element, unit, is_aligned);
    bool const fits = static_cast<int>(by_units.units.size()) * unit <= max_words * word_bytes;
    if (fits && by_units.instructions < out.instructions) out = std::move(by_units);
  }
  return out;
}

piece_pattern pattern_of_pieces(std::vector<placed_mode> const& modes, int vector, int element, int begins,
                                std::vector<placed_mode> const& rows, int alignment) {
  piece_pattern out;
  out.elements = 1;
  std::vector<placed_mode> piece, others = rows;
  for (placed_mode const& m : modes) {
    bool const is_full = out.elements >= vector;
    (is_full ? others : piece).push_back(m);
    if (is_full) continue;
    out.elements *= m.extent;
    if (m.flipped) out.first += (m.extent - 1) * m.place;
  }
  out.modes = static_cast<int>(piece.size());
  if (out.elements < vector || piece.size() == modes.size()) return out;
  out.pattern = pattern_of(piece, vector, element, std::gcd(begins, out.elements), others, alignment);
  return out;
}

piece_pattern pattern_of_accesses(std::vector<placed_mode> const& modes, int vector, int element, int begins,
                                  std::vector<placed_mode> const& rows, int alignment) {
  piece_pattern whole;
  whole.pattern = pattern_of(modes, vector, element, begins, rows, alignment);
  if (whole.pattern.exists || element >= word_bytes || vector * element < word_bytes) return whole;
  piece_pattern pieces = pattern_of_pieces(modes, vector, element, begins, rows, alignment);
  return pieces.pattern.exists && pieces.pattern.unit > 0 ? pieces : whole;
}

}  // namespace tilewright::kernels
