// Analyses a layout by itself: each mode is walked by a tiled copy of one warp that stands along it.
#include "apps/cli/layout_report.hpp"

#include "tilewright/analysis/explain.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace tilewright::cli {
namespace {

using namespace analysis;

/// n in one mode, 1 in the others, counting up.
layout_value along(int mode, int rank, long long n) {
  layout_value out{};
  out.open(rank);
  for (int i = 0; i < rank; ++i)
    out.add_leaf(constant_leaf(i == mode ? n : 1), constant_leaf(i == mode && n > 1 ? 1 : 0));
  return out;
}

long long largest_divisor_up_to(long long n, long long most) {
  for (long long d = std::min(n, most); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

/// The width of a thread's accesses along the mode; where nested modes let no tile of that many be cut, of fewer.
access_width width_along(layout_subject const& asked, int mode, int rank, long long extent) {
  architecture const& machine = arch(asked.machine);
  long long const most = std::max(1LL, machine.widest_global.count / asked.element.count);
  long long n = 1;
  while (2 * n <= most && extent % (2 * n) == 0) n *= 2;
  for (;; n /= 2) {
    declaration const d{{n * asked.element.count}, asked.element, along(mode, rank, 1), along(mode, rank, n)};
    result<tiled_map> const map = map_of(d);
    result<tiled_side> const side = map ? side_of(*map, asked.layout, machine) : result<tiled_side>(map.error());
    if (side) {
      tiled_map wanted = *map;  // an atom of what the widest access holds, so that a short mode shows as the limit
      wanted.atom = {most};
      return width_of(wanted, *side, asked.layout, asked.alignment, machine.widest_global);
    }
    if (n == 1) return side.value(), access_width{};  // throws: not even single elements can be looked at
  }
}

mode_walk walk_along(layout_subject const& asked, int mode, int rank, long long extent) {
  architecture const& machine = arch(asked.machine);
  mode_walk out;
  out.mode = mode;
  out.width = width_along(asked, mode, rank, extent);
  long long const in_line = std::max(1LL, to_bits(machine.line).count / asked.element.count);
  out.threads = largest_divisor_up_to(extent, machine.is_gpu() ? machine.warp : in_line);
  for (;; out.threads = largest_divisor_up_to(extent, out.threads - 1)) {
    layout_value const many = along(mode, rank, out.threads), one = along(mode, rank, 1);
    declaration const d{asked.element, asked.element, machine.is_gpu() ? many : one, machine.is_gpu() ? one : many};
    result<tiled_map> const map = map_of(d);
    result<side_cost> const global =
        map ? cost_of(*map, {asked.layout, memory::global, asked.alignment}, access_kind::load, machine)
            : result<side_cost>(map.error());
    if (!global && out.threads > 1) continue;  // nested modes let no tile of that many be cut
    out.global = global.value();
    if (!machine.is_gpu()) return out;
    out.shared = cost_of(*map, {asked.layout, memory::shared, asked.alignment}, access_kind::load, machine).value();
    bool first = true;
    for_each_access(side_of(*map, asked.layout, machine).value(), 1, access_kind::load, machine,
                    [&](warp_access const& access, long long) {
                      if (first) out.first = bank_conflicts(access, machine);
                      first = false;
                    });
    return out;
  }
}

std::string who(mode_walk const& w, architecture const& machine) {
  using analysis::detail::counted;
  return machine.is_gpu() ? counted(w.threads, "thread") + fmt::format(" along mode {}", w.mode)
                          : fmt::format("a thread with {} along mode {}", counted(w.threads, "element"), w.mode);
}

}  // namespace

mode_walk const* layout_report::widest() const {
  auto const at = std::max_element(walks.begin(), walks.end(), [](mode_walk const& a, mode_walk const& b) {
    return a.width.width.count < b.width.width.count;
  });
  return at == walks.end() ? nullptr : &*at;
}

layout_report report_of(layout_subject const& asked) {
  layout_report out;
  out.asked = asked;
  composed_value const& a = asked.layout;
  out.elements = size(a.layout).value();
  bool const swizzled = a.swizzle.bits != 0;
  long long const span = swizzled ? cosize(a).value() : cosize(a.layout).value();
  out.span = swizzled || out.elements == 0 ? span : span + a.offset.number;
  out.alias = find_aliasing(a).value();
  if (out.elements <= enumeration_limit) out.reached = image_of(a).value();
  if (asked.tile) {
    out.covered = cover(a.layout, *asked.tile).value();
    return out;
  }
  if (out.elements == 0) return out;
  int const rank = a.layout.is_tuple(a.layout.root()) ? a.layout.rank() : 1;
  for (int i = 0; i < rank; ++i) {
    subtree const mode = a.layout.is_tuple(a.layout.root()) ? a.layout.mode(i) : a.layout.root();
    long long const extent = analysis::detail::extent_of(a.layout, mode);
    if (extent > 1) out.walks.push_back(walk_along(asked, i, rank, extent));
  }
  return out;
}

std::vector<std::string> explain(layout_report const& r) {
  using analysis::detail::counted;
  architecture const& machine = arch(r.asked.machine);
  bits const element = r.asked.element;
  std::vector<std::string> out;
  long long total = 0;
  std::string line = counted(r.elements, "element") + fmt::format(" of {} bits", element.count);
  if (math::multiply(r.span, element.count, total))
    line += fmt::format(" in {} of memory", counted(to_bytes(bits{total}).count, "byte"));
  out.push_back(line);
  out.push_back(explain(r.alias));
  if (r.reached) out.push_back(explain(*r.reached));
  if (r.covered) out.push_back(explain(*r.covered));
  for (mode_walk const& w : r.walks) {
    std::string const mode = fmt::format("mode {}: ", w.mode);
    out.push_back(mode + explain(w.width, w.width.width, element, access_kind::load));
    out.push_back(fmt::format("{}, global memory: {}", who(w, machine), explain(w.global.global, machine)));
    if (!machine.is_gpu()) continue;
    out.push_back(fmt::format("{}, shared memory: {}; the first: {}", who(w, machine), explain(w.shared.shared),
                              explain(w.first, w.shared.width.width)));
  }
  return out;
}

}  // namespace tilewright::cli
