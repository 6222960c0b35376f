// What can be said of a layout by itself: which coordinates share an offset, what it leaves out, how wide accesses along
// each mode can be, and what a warp whose threads are side by side along a mode costs.
//
// (4,8):(8,1) of 32-bit elements on sm_90: mode 0 allows 32-bit loads (its stride is 8), mode 1 128-bit loads.
#pragma once

#include "tilewright/base/config.hpp"

#include <algorithm>
#include <optional>

#include "tilewright/analysis/explain.hpp"
#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/coverage.hpp"

namespace tilewright::analysis {

struct layout_question {
  composed_value layout{};
  bits element{32};
  arch_id machine = arch_id::sm_90;
  bytes alignment{128};          // of its base
  std::optional<int_tree> tile;  // the layout is a (thread, value) map of that tile
};

/// The threads of a warp side by side along one mode, each with one element (a CPU: one thread with all of them).
struct mode_walk {
  int mode = 0;
  long long threads = 0;  // the largest number up to a warp that divides the mode's extent
  side_cost global{}, shared{};
  bank_report first{};  // the first of the accesses to shared memory

  // Of one thread, with as many elements along the mode as the widest access holds or its extent allows.
  access_width width{};
};

struct layout_report {
  layout_question question{};
  long long elements = 0;
  long long span = 0;  // elements of memory, from offset 0
  aliasing alias{};
  std::optional<image> reached;     // where it can be enumerated
  std::optional<coverage> covered;  // with a tile
  std::vector<mode_walk> walks;     // of the modes with several elements

  /// The walk whose accesses can be the widest; null without walks.
  mode_walk const* widest() const {
    auto const at = std::max_element(walks.begin(), walks.end(), [](mode_walk const& a, mode_walk const& b) {
      return a.width.width.count < b.width.width.count;
    });
    return at == walks.end() ? nullptr : &*at;
  }
};

namespace detail {

/// n in one mode, 1 in the others, counting up.
inline layout_value along(int mode, int rank, long long n) {
  layout_value out{};
  out.open(rank);
  for (int i = 0; i < rank; ++i)
    out.add_leaf(constant_leaf(i == mode ? n : 1), constant_leaf(i == mode && n > 1 ? 1 : 0));
  return out;
}

inline long long largest_divisor_up_to(long long n, long long limit) {
  for (long long d = std::min(n, limit); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

/// The width of a thread's accesses along the mode; where nested modes let no tile of that many be cut, of fewer.
inline access_width width_along(layout_question const& q, int mode, int rank, long long extent) {
  architecture const& machine = arch(q.machine);
  long long const widest = std::max(1LL, machine.widest_global.count / q.element.count);
  long long n = 1;
  while (2 * n <= widest && extent % (2 * n) == 0) n *= 2;
  for (;; n /= 2) {
    declaration const d{{n * q.element.count}, q.element, along(mode, rank, 1), along(mode, rank, n)};
    result<tiled_map> const map = map_of(d);
    result<tiled_side> const side = map ? side_of(*map, q.layout, machine) : result<tiled_side>(map.error());
    if (side) {
      tiled_map wanted = *map;  // an atom of what the widest access holds, so that a short mode shows as the limit
      wanted.atom = {widest};
      return width_of(wanted, *side, q.layout, q.alignment, machine.widest_global);
    }
    if (n == 1) return side.value(), access_width{};  // throws: not even single elements can be looked at
  }
}

inline mode_walk walk_along(layout_question const& q, int mode, int rank, long long extent) {
  architecture const& machine = arch(q.machine);
  mode_walk out;
  out.mode = mode;
  out.width = width_along(q, mode, rank, extent);
  long long const in_line = std::max(1LL, to_bits(machine.line).count / q.element.count);
  out.threads = largest_divisor_up_to(extent, machine.is_gpu() ? machine.warp : in_line);
  for (;; out.threads = largest_divisor_up_to(extent, out.threads - 1)) {
    layout_value const many = along(mode, rank, out.threads), one = along(mode, rank, 1);
    declaration const d{q.element, q.element, machine.is_gpu() ? many : one, machine.is_gpu() ? one : many};
    result<tiled_map> const map = map_of(d);
    result<side_cost> const global =
        map ? cost_of(*map, {q.layout, memory::global, q.alignment}, access_kind::load, machine)
            : result<side_cost>(map.error());
    if (!global && out.threads > 1) continue;  // nested modes let no tile of that many be cut
    out.global = global.value();
    if (!machine.is_gpu()) return out;
    out.shared = cost_of(*map, {q.layout, memory::shared, q.alignment}, access_kind::load, machine).value();
    bool first = true;
    for_each_access(side_of(*map, q.layout, machine).value(), 1, access_kind::load, machine,
                    [&](warp_access const& access, long long) {
                      if (first) out.first = bank_conflicts(access, machine);
                      first = false;
                    });
    return out;
  }
}

inline std::string walker_text(mode_walk const& w, architecture const& machine) {
  return machine.is_gpu() ? counted(w.threads, "thread") + " along " + mode_text(w.mode)
                          : "a thread with " + counted(w.threads, "element") + " along " + mode_text(w.mode);
}

}  // namespace detail

/// error: layout_error for what the algebra refuses, std::length_error for what is too large to enumerate
inline layout_report report_of(layout_question const& q) {
  layout_report out;
  out.question = q;
  composed_value const& a = q.layout;
  out.elements = size(a.layout).value();
  bool const swizzled = a.swizzle.bits != 0;
  long long const span = swizzled ? cosize(a).value() : cosize(a.layout).value();
  out.span = swizzled || out.elements == 0 ? span : span + a.offset.number;
  out.alias = find_aliasing(a).value();
  if (out.elements <= enumeration_limit) out.reached = image_of(a).value();
  if (q.tile) {
    out.covered = cover(a.layout, *q.tile).value();
    return out;
  }
  if (out.elements == 0) return out;
  int const rank = a.layout.is_tuple(a.layout.root()) ? a.layout.rank() : 1;
  for (int i = 0; i < rank; ++i) {
    subtree const mode = a.layout.is_tuple(a.layout.root()) ? a.layout.mode(i) : a.layout.root();
    long long const extent = extent_of(a.layout, mode);
    if (extent > 1) out.walks.push_back(detail::walk_along(q, i, rank, extent));
  }
  return out;
}

/// One line a fact.
inline lines explain(layout_report const& r) {
  using namespace detail;
  architecture const& machine = arch(r.question.machine);
  bits const element = r.question.element;
  lines out;
  long long total = 0;
  std::string line = counted(r.elements, "element") + " of " + counted(element.count, "bit");
  if (math::multiply(r.span, element.count, total))
    line += " in " + counted(to_bytes(bits{total}).count, "byte") + " of memory";
  out.push_back(line);
  out.push_back(explain(r.alias));
  if (r.reached) out.push_back(explain(*r.reached));
  if (r.covered) out.push_back(explain(*r.covered));
  for (mode_walk const& w : r.walks) {
    out.push_back(mode_text(w.mode) + ": " + explain(w.width, w.width.width, element, access_kind::load));
    out.push_back(walker_text(w, machine) + ", global memory: " + explain(w.global.global, machine));
    if (!machine.is_gpu()) continue;
    out.push_back(walker_text(w, machine) + ", shared memory: " + explain(w.shared.shared) +
                  "; the first: " + explain(w.first, w.shared.width.width));
  }
  return out;
}

}  // namespace tilewright::analysis
