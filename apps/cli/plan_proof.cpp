// Compares a plan's movement with the layouts that it was asked for, element by element.
#include "apps/cli/plan_proof.hpp"

#include "tilewright/analysis/aliasing.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include <vector>

namespace tilewright::cli {
namespace {

using pair = std::pair<long long, long long>;  // (destination, source), in elements of the request

/// post: ascending, each once: a broadcast mode writes the same element again
void sort_unique(std::vector<pair>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

std::vector<pair> asked_pairs(copy_request const& r, long long elements) {
  std::vector<pair> out;
  for (long long i = 0; i < elements; ++i)
    out.emplace_back(analysis::detail::offset_of(r.dst, i), analysis::detail::offset_of(r.src, i));
  sort_unique(out);
  return out;
}

std::vector<pair> planned_pairs(movement const& m, int element_bits) {
  std::vector<pair> out;
  long long const wide = m.elements > 0 ? m.element_bits / element_bits : 0;  // elements of the request in one
  auto const swizzled = [](swizzle_value const& s, long long x) { return s.bits == 0 ? x : s(x); };
  for (long long i = 0; i < m.elements; ++i) {
    long long from = m.src_offset, to = m.dst_offset, rest = i;
    for (loop const& l : m.loops) {
      from += rest % l.extent * l.src;
      to += rest % l.extent * l.dst;
      rest /= l.extent;
    }
    auto const along = [](std::vector<step> const& steps, long long index) {
      long long sum = 0;
      for (step const& s : steps) {
        sum += index % s.extent * s.stride;
        index /= s.extent;
      }
      return sum;
    };
    from = swizzled(m.src_swizzle, from + along(m.src_steps, i));
    to = swizzled(m.dst_swizzle, to + along(m.dst_steps, i));
    for (long long k = 0; k < wide; ++k) out.emplace_back(wide * to + k, wide * from + k);
  }
  return out;
}

}  // namespace

plan_proof prove(plan_subject const& asked) {
  plan_proof out;
  out.elements = size(asked.request.dst.layout).value();
  analysis::detail::require_enumerable(out.elements, "the destination");
  std::vector<pair> const wanted = asked_pairs(asked.request, out.elements);
  std::vector<pair> planned = planned_pairs(asked.plan.moves, asked.request.element_bits);
  std::sort(planned.begin(), planned.end());  // what is carried twice stays twice
  out.pairs = static_cast<long long>(wanted.size());
  auto const [a, b] = std::mismatch(wanted.begin(), wanted.end(), planned.begin(), planned.end());
  out.holds = a == wanted.end() && b == planned.end();
  if (out.holds) return out;
  out.planned = a == wanted.end() || (b != planned.end() && *b < *a);
  pair const first = out.planned ? *b : *a;
  out.dst = first.first;
  out.src = first.second;
  return out;
}

std::string explain(plan_proof const& p) {
  if (p.holds)
    return fmt::format(
        "moves {} elements exactly once, each from where the source has it: {} pairs of offsets compared", p.elements,
        p.pairs);
  return fmt::format("the element from offset {} to offset {} is {}", p.src, p.dst,
                     p.planned ? "moved although the layouts do not ask for it, or moved twice" : "never moved");
}

}  // namespace tilewright::cli
