// Two layouts over one domain become loops: see the header for what is done. All arithmetic on strides is checked, so
// that an offset beyond 64 bits is an error and never wraps.
#include "tilewright/plan/movement.hpp"

#include "tilewright/layout/text.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>

namespace tilewright {
namespace {

// std::int64_t need not be the long long that layouts count in.
bool checked_add(std::int64_t a, std::int64_t b, std::int64_t& out) {
  long long sum = 0;
  bool const fits = math::add(a, b, sum);
  out = sum;
  return fits;
}
bool checked_multiply(std::int64_t a, std::int64_t b, std::int64_t& out) {
  long long product = 0;
  bool const fits = math::multiply(a, b, product);
  out = product;
  return fits;
}

[[noreturn]] void fail(copy_errc code, std::string const& sentence) { throw copy_error(code, sentence); }

// --- reading a layout --------------------------------------------------------------------------------------------------

std::string text_of(composed_value const& a) {
  return a.swizzle.bits == 0 ? format_layout(a.layout) : format_composed(a);
}

/// One side's leaves, first fastest, with the place where each top-level mode ends.
struct side {
  std::vector<step> steps;
  std::vector<std::int64_t> mode_sizes;
  std::int64_t size = 1;
};

side read(composed_value const& a, char const* role) {
  if (a.layout.overflowed())
    fail(copy_errc::bad_layout, fmt::format("the {} layout has {} leaves, more than the {} that a layout can have; "
                                            "coalesce it first",
                                            role, a.layout.leaves, int_tree::leaf_capacity));
  if (!a.swizzle.valid())
    fail(copy_errc::bad_layout,
         fmt::format(
             "the {} layout's swizzle Sw<{},{},{}> is invalid: its bit ranges must not overlap and must be within "
             "63 bits",
             role, a.swizzle.bits, a.swizzle.base, a.swizzle.shift));
  if (a.offset.flags != 0)
    fail(copy_errc::bad_layout, fmt::format("the offset of the {} layout is not a plain number", role));
  side out;
  for (int i = 0; i < a.layout.leaves; ++i) {
    leaf const extent = a.layout.shape[i], stride = a.layout.stride[i];
    if (extent.flags != 0 || stride.flags != 0)
      fail(copy_errc::bad_layout,
           fmt::format("leaf {} of the {} layout is not a plain number; plans need numbers", i, role));
    if (extent.number < 0)
      fail(copy_errc::bad_layout, fmt::format("the {} layout {} has the negative extent {}; extents count coordinates",
                                              role, text_of(a), extent.number));
    out.steps.push_back({extent.number, stride.number});
  }
  bool const empty = std::any_of(out.steps.begin(), out.steps.end(), [](step const& s) { return s.extent == 0; });
  auto const product = [&](subtree u) {
    std::int64_t n = 1;
    for (int i = u.leaf; i < u.leaf_end; ++i)
      if (!checked_multiply(n, out.steps[static_cast<std::size_t>(i)].extent, n))
        fail(copy_errc::bad_layout, fmt::format("the size of the {} layout {} does not fit 63 bits", role, text_of(a)));
    return n;
  };
  for (int i = 0; i < a.layout.rank(); ++i) out.mode_sizes.push_back(product(a.layout.mode(i)));
  out.size = empty ? 0 : product(a.layout.root());
  return out;
}

/// Both lowest and highest offset of a side, before its swizzle.
offset_range range_of(std::int64_t offset, std::vector<step> const& steps, composed_value const& a, char const* role) {
  offset_range r{offset, offset};
  for (step const& s : steps) {
    std::int64_t reach = 0;
    std::int64_t& end = s.stride < 0 ? r.first : r.last;
    if (!checked_multiply(s.extent - 1, s.stride, reach) || !checked_add(end, reach, end))
      fail(copy_errc::bad_layout, fmt::format("offsets of the {} layout {} do not fit 63 bits", role, text_of(a)));
  }
  if (a.swizzle.bits != 0 && r.first < 0)
    fail(copy_errc::bad_layout, fmt::format("the {} layout {} reaches the offset {}, and a swizzle takes none below 0; "
                                            "add an offset",
                                            role, text_of(a), r.first));
  return r;
}

// --- the common domain -------------------------------------------------------------------------------------------------

/// The loops of both sides' steps over the same index, or nothing when extents do not divide one another.
std::optional<std::vector<loop>> refine(std::vector<step> a, std::vector<step> b) {
  std::vector<loop> out;
  std::size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && a[i].extent == 1) ++i;
    while (j < b.size() && b[j].extent == 1) ++j;
    if (i == a.size() || j == b.size()) break;
    std::int64_t const common = std::min(a[i].extent, b[j].extent);
    if (a[i].extent % common != 0 || b[j].extent % common != 0) return std::nullopt;
    out.push_back({common, a[i].stride, b[j].stride});
    for (step* s : {&a[i], &b[j]}) {
      s->extent /= common;
      // A stride that does not fit is only ever multiplied by extents that are left; range_of has checked those.
      if (s->extent > 1) s->stride *= common;
    }
  }
  return out;
}

/// Joins neighbours that step on without a gap on both sides.
void coalesce(std::vector<loop>& loops) {
  std::vector<loop> out;
  for (loop const& l : loops) {
    if (l.extent == 1) continue;
    if (!out.empty() && l.src == out.back().src * out.back().extent && l.dst == out.back().dst * out.back().extent)
      out.back().extent *= l.extent;
    else out.push_back(l);
  }
  loops = std::move(out);
}

void coalesce(std::vector<step>& steps) {
  std::vector<step> out;
  for (step const& s : steps) {
    if (s.extent == 1) continue;
    if (!out.empty() && s.stride == out.back().stride * out.back().extent) out.back().extent *= s.extent;
    else out.push_back(s);
  }
  if (out.empty()) out.push_back({1, 0});
  steps = std::move(out);
}

offset_range plain_range(std::int64_t offset, std::vector<step> const& steps) {
  offset_range r{offset, offset};
  for (step const& s : steps) (s.stride < 0 ? r.first : r.last) += (s.extent - 1) * s.stride;
  return r;
}

void refuse_double_writes(std::vector<step> const& steps, composed_value const& dst) {
  answer const twice = has_collision(steps);
  if (twice == answer::no) return;
  char const* const what = twice == answer::yes ? "maps two coordinates to one element"
                                                : "cannot be shown to map every coordinate to an element of its own";
  fail(copy_errc::writes_twice,
       fmt::format("the destination layout {} {}, so the order of writes would decide what it holds; copy to a layout "
                   "without overlaps",
                   text_of(dst), what));
}

/// The power of two that divides x; 0 is divided by all.
std::int64_t power_of_two_in(std::int64_t x) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (x == 0) return most;
  return std::int64_t{1} << std::min(40, std::countr_zero(static_cast<std::uint64_t>(x)));
}

}  // namespace

movement make_movement(composed_value const& src, composed_value const& dst, int element_bits) {
  bool const known = element_bits == 4 || (element_bits >= 8 && element_bits <= 128 &&
                                           std::has_single_bit(static_cast<unsigned>(element_bits)));
  if (!known)
    fail(copy_errc::bad_element,
         fmt::format("elements of {} bits are not copied; widths are 4, 8, 16, 32, 64 and 128", element_bits));
  side from = read(src, "source"), to = read(dst, "destination");
  bool const same_modes = from.mode_sizes == to.mode_sizes;
  bool const one_is_flat = from.mode_sizes.size() == 1 || to.mode_sizes.size() == 1;
  if (from.size != to.size || (!same_modes && !one_is_flat))
    fail(copy_errc::different_shapes,
         fmt::format(
             "the source {} and the destination {} have different shapes: modes of ({}) and of ({}) coordinates; "
             "permute or reshape one of them",
             text_of(src), text_of(dst), fmt::join(from.mode_sizes, ","), fmt::join(to.mode_sizes, ",")));
  movement m;
  m.element_bits = element_bits;
  m.elements = from.size;
  if (m.elements == 0) return m;
  m.src_offset = src.offset.number;
  m.dst_offset = dst.offset.number;
  (void)range_of(m.src_offset, from.steps, src, "source");
  (void)range_of(m.dst_offset, to.steps, dst, "destination");
  if (src.swizzle.bits != 0) m.src_swizzle = src.swizzle;
  if (dst.swizzle.bits != 0) m.dst_swizzle = dst.swizzle;

  std::optional<std::vector<loop>> const refined = refine(from.steps, to.steps);
  if (!refined) {
    refuse_double_writes(to.steps, dst);
    m.src_steps = from.steps;
    m.dst_steps = to.steps;
    coalesce(m.src_steps);
    coalesce(m.dst_steps);
    return m;
  }
  for (loop l : *refined) {
    if (l.dst == 0 && l.src == 0) {  // the same element again and again
      m.elements /= l.extent;
      continue;
    }
    if (l.dst < 0) {
      m.src_offset += (l.extent - 1) * l.src;
      m.dst_offset += (l.extent - 1) * l.dst;
      l = {l.extent, -l.src, -l.dst};
    }
    m.loops.push_back(l);
  }
  std::stable_sort(m.loops.begin(), m.loops.end(), [](loop const& a, loop const& b) { return a.dst < b.dst; });
  refuse_double_writes(destination_steps(m), dst);
  coalesce(m.loops);
  return m;
}

movement widened(movement const& m, std::int64_t src_alignment, std::int64_t dst_alignment) {
  if (m.loops.empty() || m.loops[0].src != 1 || m.loops[0].dst != 1) return m;
  std::int64_t most = 128 / m.element_bits;
  for (std::int64_t const alignment : {src_alignment, dst_alignment})
    most = std::min(most, std::max<std::int64_t>(1, alignment * 8 / m.element_bits));
  most = std::min(
      {most, power_of_two_in(m.loops[0].extent), power_of_two_in(m.src_offset), power_of_two_in(m.dst_offset)});
  for (std::size_t i = 1; i < m.loops.size(); ++i)
    most = std::min({most, power_of_two_in(m.loops[i].src), power_of_two_in(m.loops[i].dst)});
  for (swizzle_value const& s : {m.src_swizzle, m.dst_swizzle})
    if (s.bits != 0) most = std::min(most, std::int64_t{1} << std::min(40, s.base));
  if (most <= 1) return m;
  movement out = m;
  int const log = std::countr_zero(static_cast<std::uint64_t>(most));
  out.element_bits = static_cast<int>(m.element_bits * most);
  out.elements /= most;
  out.src_offset /= most;
  out.dst_offset /= most;
  for (swizzle_value* s : {&out.src_swizzle, &out.dst_swizzle})
    if (s->bits != 0) s->base -= log;
  for (loop& l : out.loops) {
    l.src /= most;
    l.dst /= most;
  }
  out.loops[0] = {m.loops[0].extent / most, 1, 1};
  if (out.loops[0].extent == 1) out.loops.erase(out.loops.begin());
  return out;
}

std::vector<step> destination_steps(movement const& m) {
  if (!m.has_loops()) return m.dst_steps;
  std::vector<step> out;
  for (loop const& l : m.loops) out.push_back({l.extent, l.dst});
  return out;
}

std::vector<step> source_steps(movement const& m) {
  if (!m.has_loops()) return m.src_steps;
  std::vector<step> out;
  for (loop const& l : m.loops) out.push_back({l.extent, l.src});
  return out;
}

offset_range source_range(movement const& m) {
  return m.elements == 0 ? offset_range{} : plain_range(m.src_offset, source_steps(m));
}
offset_range destination_range(movement const& m) {
  return m.elements == 0 ? offset_range{} : plain_range(m.dst_offset, destination_steps(m));
}

}  // namespace tilewright
