// Validation, and the maps between coordinates, ranks and offsets.
#include "tilewright/distributed/distributed_layout.hpp"

#include "distributed/prepared.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace tilewright {
namespace distributed {
namespace {

constexpr int max_axes = 32;
constexpr int max_ranks = 1 << 20;

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw copy_error(copy_errc::bad_layout, fmt::format(text, std::forward<Arguments>(arguments)...));
}

std::int64_t product(std::int64_t a, std::int64_t b, char const* what) {
  long long out = 0;
  if (!math::multiply(a, b, out)) refuse("the {} of the distributed layout does not fit 63 bits", what);
  return out;
}

void check_axis(distributed_axis const& axis, std::size_t i) {
  if (axis.extent < 0) refuse("axis {} has the negative extent {}; extents count coordinates", i, axis.extent);
  if (axis.digits.empty()) refuse("axis {} has no digits; an axis that is not split has one, its own extent", i);
  std::int64_t reach = 1;
  for (std::size_t k = 0; k < axis.digits.size(); ++k) {
    axis_digit const& d = axis.digits[k];
    if (d.extent < 1) refuse("digit {} of axis {} has the extent {}; a digit has at least one value", k, i, d.extent);
    if (d.stride < 0)
      refuse("digit {} of axis {} has the stride {}; strides of ranks and offsets are 0 or more", k, i, d.stride);
    if (k == 0 && d.step != 1) refuse("the first digit of axis {} steps by {} and not by 1", i, d.step);
    if (d.step > reach)
      refuse(
          "digit {} of axis {} steps by {} and the digits below it have {} indices: the indices {} to {} have no owner",
          k, i, d.step, reach, reach, d.step - 1);
    if (k > 0 && d.step < axis.digits[k - 1].step)
      refuse("digit {} of axis {} steps by {}, less than the {} of the digit before; the innermost digit comes first",
             k, i, d.step, axis.digits[k - 1].step);
    reach = product(d.step, std::max<std::int64_t>(d.extent, 1), "extent");
  }
  if (axis.extent > reach)
    refuse("axis {} has {} indices and its digits {}: the indices from {} on have no owner; enlarge the last digit", i,
           axis.extent, reach, reach);
}

/// Rank digits in order of their strides must not overlap, so that a rank has one set of digits.
void check_rank_digits(distributed_layout const& a) {
  std::vector<step> all;
  for (distributed_axis const& axis : a.axes)
    for (axis_digit const& d : axis.digits)
      if (d.of_rank && d.extent > 1) all.push_back({d.extent, d.stride});
  for (step const& s : a.replicas)
    if (s.extent > 1) all.push_back(s);
  std::stable_sort(all.begin(), all.end(), [](step const& x, step const& y) { return x.stride < y.stride; });
  std::int64_t highest = 0;
  for (step const& s : all) {
    if (s.stride <= highest)
      refuse(
          "two modes reach the same rank: a mode of {} ranks has the stride {}, and the modes below it reach rank {}; "
          "give it a stride above that",
          s.extent, s.stride, highest);
    highest += product(s.extent - 1, s.stride, "number of ranks");
  }
  if (highest >= a.ranks)
    refuse("the layout reaches rank {}, and there are {} ranks (0 to {})", highest, a.ranks, a.ranks - 1);
}

void check_packed(distributed_layout const& a) {
  if (a.packed.empty()) return;
  std::vector<int> sorted = a.packed;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted.size() != a.axes.size() || sorted[i] != static_cast<int>(i))
      refuse("packed ({}) does not name each of the {} axes once", fmt::join(a.packed, ","), a.axes.size());
  std::int64_t scale = 1;
  for (int const i : a.packed) {
    distributed_axis const& axis = a.axes[static_cast<std::size_t>(i)];
    for (axis_digit const& d : axis.digits) {
      if (d.of_rank) continue;
      if (d.extent > 1 && d.stride != scale)
        refuse(
            "packed: a digit of axis {} has the stride {}@1, and a compact tensor in the order ({}) has {}@1; give it "
            "that stride, or leave packed out",
            i, d.stride, fmt::join(a.packed, ","), scale);
      scale = product(scale, std::max<std::int64_t>(d.extent, 1), "size of a rank's tensor");
    }
  }
}

void check_processes(distributed_layout const& a) {
  if (a.ranks < 1 || a.ranks > max_ranks) refuse("{} ranks; there are 1 to {}", a.ranks, max_ranks);
  if (a.on.empty()) return;
  if (static_cast<int>(a.on.size()) != a.ranks) refuse("on names {} processes for {} ranks", a.on.size(), a.ranks);
  std::vector<bool> seen(a.on.size(), false);
  for (int const p : a.on) {
    if (p < 0 || p >= a.ranks) refuse("on names process {}, and there are {} (0 to {})", p, a.ranks, a.ranks - 1);
    if (seen[static_cast<std::size_t>(p)]) refuse("on names process {} twice", p);
    seen[static_cast<std::size_t>(p)] = true;
  }
}

/// Offsets of the layout's largest rank.
std::vector<step> offset_steps(distributed_layout const& a) {
  std::vector<step> out;
  for (distributed_axis const& axis : a.axes)
    for (axis_digit const& d : axis.digits)
      if (!d.of_rank && d.extent > 1) out.push_back({std::min(d.extent, (axis.extent - 1) / d.step + 1), d.stride});
  std::erase_if(out, [](step const& s) { return s.extent <= 1; });
  return out;
}

}  // namespace

std::int64_t local_extent(distributed_axis const& axis) {
  std::int64_t n = 1;
  for (axis_digit const& d : axis.digits)
    if (!d.of_rank) n *= d.extent;
  return n;
}

void check_structure(distributed_layout const& a) {
  if (a.axes.size() > max_axes) refuse("the tensor has {} axes; there are at most {}", a.axes.size(), max_axes);
  check_processes(a);
  std::int64_t all = 1, reach = a.offset;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    check_axis(a.axes[i], i);
    all = product(all, std::max<std::int64_t>(a.axes[i].extent, 1), "number of elements");
    for (axis_digit const& d : a.axes[i].digits) {
      long long sum = 0;
      if (!d.of_rank && !math::add(reach, product(d.extent - 1, d.stride, "span of offsets"), sum))
        refuse("the span of offsets of the distributed layout does not fit 63 bits");
      if (!d.of_rank) reach = sum;
    }
  }
  for (step const& s : a.replicas)
    if (s.extent < 1 || s.stride < 0) refuse("replicas {}:{}: extent and stride must be positive", s.extent, s.stride);
  check_rank_digits(a);
  check_packed(a);
  if (a.offset < 0) refuse("the offset {} is below 0", a.offset);
  if (!a.swizzle.valid())
    refuse("the swizzle Sw<{},{},{}> is invalid: its bit ranges must not overlap and must be within 63 bits",
           a.swizzle.bits, a.swizzle.base, a.swizzle.shift);
}

// --- prepared ---------------------------------------------------------------------------------------------------------

prepared::prepared(distributed_layout const& layout) : layout_(layout) {
  check_structure(layout);
  std::int64_t classes = 1;
  std::vector<step> modes;            // of all rank digits and replicas
  std::vector<std::int64_t> weights;  // what a value of the mode adds to the class; 0 for replicas
  for (distributed_axis const& axis : layout.axes) {
    std::int64_t keys = 1;
    weight_.push_back(classes);
    for (axis_digit const& d : axis.digits)
      if (d.of_rank) {
        modes.push_back({d.extent, d.stride});
        weights.push_back(classes * keys);
        keys *= d.extent;
      }
    keys_.push_back(keys);
    classes *= keys;
  }
  for (step const& s : layout.replicas) {
    modes.push_back(s);
    weights.push_back(0);
  }
  std::vector<std::size_t> order(modes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return modes[a].stride > modes[b].stride; });
  class_of_.assign(static_cast<std::size_t>(layout.ranks), -1);
  members_.resize(static_cast<std::size_t>(classes));
  for (int r = 0; r < layout.ranks; ++r) {
    std::int64_t rest = r, cls = 0;
    for (std::size_t const m : order) {
      if (modes[m].extent <= 1) continue;
      std::int64_t const value = std::min(rest / modes[m].stride, modes[m].extent - 1);
      rest -= value * modes[m].stride;
      cls += value * weights[m];
    }
    if (rest != 0) continue;
    int const process = layout.on.empty() ? r : layout.on[static_cast<std::size_t>(r)];
    class_of_[static_cast<std::size_t>(process)] = static_cast<int>(cls);
    members_[static_cast<std::size_t>(cls)].push_back(process);
  }
  for (auto& m : members_) std::sort(m.begin(), m.end());
  for (int i = 0; i < axes(); ++i) {
    auto& sets = sets_.emplace_back();
    auto& counts = counts_.emplace_back();
    std::vector<std::int64_t> const unit = strides(i);
    for (int k = 0; k < keys(i); ++k) {
      sets.push_back(owned(layout.axes[static_cast<std::size_t>(i)], digits(i, k), unit));
      counts.push_back(count_of(sets.back()));
    }
  }
}

std::vector<std::int64_t> strides_of(distributed_layout const& layout, std::size_t axis) {
  std::vector<std::int64_t> out;
  std::int64_t unit = 1;
  for (axis_digit const& d : layout.axes[axis].digits) {
    out.push_back(d.of_rank || layout.packed.empty() ? d.stride : unit);
    if (!d.of_rank) unit *= d.extent;
  }
  return out;
}

std::vector<std::int64_t> prepared::strides(int axis) const {
  return strides_of(layout_, static_cast<std::size_t>(axis));
}

std::vector<std::int64_t> prepared::digits(int axis, int key) const {
  std::vector<std::int64_t> out;
  std::int64_t rest = key;
  for (axis_digit const& d : layout_.axes[static_cast<std::size_t>(axis)].digits)
    if (d.of_rank) {
      out.push_back(rest % d.extent);
      rest /= d.extent;
    }
  return out;
}

std::int64_t prepared::elements(int cls) const {
  std::int64_t n = cls < 0 ? 0 : 1;
  for (int i = 0; i < axes() && n != 0; ++i) n *= count(i, key(cls, i));
  return n;
}

std::vector<std::int64_t> prepared::scales(int cls) const {
  std::vector<std::int64_t> out(layout_.axes.size(), 1);
  std::int64_t scale = 1;
  for (int const i : layout_.packed) {
    out[static_cast<std::size_t>(i)] = scale;
    scale *= count(i, key(cls, i));
  }
  return out;
}

namespace {

/// Offsets of one axis: a box after the other, without indices.
struct offsets_of_axis {
  std::vector<std::pair<std::int64_t, std::vector<step>>> boxes;
  friend bool operator==(offsets_of_axis const&, offsets_of_axis const&) = default;
};

/// What ranks can have of an axis; ranks with the same offsets count once.
std::vector<offsets_of_axis> kinds_of_axis(prepared const& p, int axis) {
  std::vector<offsets_of_axis> out;
  for (int key = 0; key < p.keys(axis); ++key) {
    offsets_of_axis one;
    for (set_box const& b : p.set(axis, key)) {
      std::vector<step> steps;
      for (set_mode const& m : b.modes) steps.push_back({m.count, m.stride});
      one.boxes.emplace_back(b.offset, steps);
    }
    if (!one.boxes.empty() && std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
  }
  return out;
}

/// Sums of offsets of all axes but those from `axis` on; one box for each choice of boxes.
using boxes_of_rank = std::vector<std::pair<std::int64_t, std::vector<step>>>;
constexpr std::size_t max_kinds = 4096;

answer boxes_collide(boxes_of_rank const& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (answer const one = has_collision(boxes[i].second); one != answer::no) return one;
    for (std::size_t j = 0; j < i; ++j)
      if (answer const two = share_offset(boxes[i].second, boxes[i].first - boxes[j].first, boxes[j].second);
          two != answer::no)
        return two;
  }
  return answer::no;
}

/// Has any rank two elements at one offset? Ranks differ in the kinds of their axes alone.
answer ranks_have_collision(prepared const& p) {
  std::vector<boxes_of_rank> ranks{{{0, {}}}};
  for (int axis = 0; axis < p.axes(); ++axis) {
    std::vector<boxes_of_rank> next;
    for (boxes_of_rank const& so_far : ranks)
      for (offsets_of_axis const& kind : kinds_of_axis(p, axis)) {
        boxes_of_rank both;
        for (auto const& a : so_far)
          for (auto const& b : kind.boxes) {
            std::vector<step> steps = a.second;
            steps.insert(steps.end(), b.second.begin(), b.second.end());
            both.emplace_back(a.first + b.first, steps);
          }
        next.push_back(both);
        if (next.size() > max_kinds || both.size() > max_kinds) return answer::unknown;
      }
    ranks = std::move(next);
  }
  for (boxes_of_rank const& one : ranks)
    if (answer const twice = boxes_collide(one); twice != answer::no) return twice;
  return answer::no;
}

}  // namespace

}  // namespace distributed

// --- the public questions ---------------------------------------------------------------------------------------------

using distributed::prepared;

void validate(distributed_layout const& layout) {
  distributed::check_structure(layout);
  // A packed tensor is compact. Otherwise offsets that are distinct where all digits take all of their values are distinct on each
  // rank; where they are not, ragged blocks may still leave them distinct.
  if (!layout.packed.empty()) return;
  answer twice = has_collision(distributed::offset_steps(layout));
  if (twice != answer::no) twice = distributed::ranks_have_collision(prepared(layout));
  if (twice != answer::no)
    throw copy_error(
        copy_errc::bad_layout,
        fmt::format("{} {} two elements of a rank to one offset; give the digits of offsets larger strides",
                    to_text(layout), twice == answer::yes ? "maps" : "cannot be shown not to map"));
}

std::vector<std::int64_t> shape_of(distributed_layout const& layout) {
  std::vector<std::int64_t> out;
  for (distributed_axis const& axis : layout.axes) out.push_back(axis.extent);
  return out;
}

std::int64_t elements_of(distributed_layout const& layout) {
  std::int64_t n = 1;
  for (distributed_axis const& axis : layout.axes) n *= axis.extent;
  return n;
}

std::vector<std::int64_t> local_shape(distributed_layout const& layout, int rank) {
  prepared const p(layout);
  int const cls = p.class_of(rank);
  std::vector<std::int64_t> out;
  for (int i = 0; i < p.axes(); ++i) out.push_back(cls < 0 ? 0 : p.count(i, p.key(cls, i)));
  return out;
}

std::int64_t local_span(distributed_layout const& layout, int rank) {
  prepared const p(layout);
  int const cls = p.class_of(rank);
  if (p.elements(cls) == 0) return 0;
  std::vector<std::int64_t> const scale = p.scales(cls);
  std::int64_t last = layout.offset;
  for (int i = 0; i < p.axes(); ++i) {
    std::int64_t widest = 0;
    for (distributed::set_box const& b : p.set(i, p.key(cls, i))) {
      std::int64_t reach = b.offset;
      for (distributed::set_mode const& m : b.modes) reach += (m.count - 1) * m.stride;
      widest = std::max(widest, reach);
    }
    last += widest * scale[static_cast<std::size_t>(i)];
  }
  if (layout.swizzle.bits == 0) return last + 1;
  // A swizzle permutes the bits below its highest changed one.
  swizzle_value const& s = layout.swizzle;
  std::int64_t const window = std::int64_t{1} << (s.base + s.bits + (s.shift < 0 ? -s.shift : 0));
  return (last / window + 1) * window;
}

std::vector<std::int64_t> local_strides(distributed_layout const& layout, int rank) {
  if (layout.swizzle.bits != 0) return {};
  prepared const p(layout);
  int const cls = p.class_of(rank);
  std::vector<std::int64_t> const scale = cls < 0 ? std::vector<std::int64_t>(layout.axes.size(), 0) : p.scales(cls);
  std::vector<std::int64_t> out;
  for (int i = 0; i < p.axes(); ++i) {
    std::vector<axis_digit> const& digits = layout.axes[static_cast<std::size_t>(i)].digits;
    std::vector<std::int64_t> const strides = p.strides(i);
    std::int64_t first = 0, next = 0;
    for (std::size_t k = 0; k < digits.size(); ++k) {
      // A ragged block in the middle leaves a gap behind it.
      if (k + 1 < digits.size() && digits[k + 1].step != digits[k].step * digits[k].extent) return {};
      if (digits[k].of_rank || digits[k].extent == 1) continue;
      if (first == 0) first = strides[k];
      else if (strides[k] != next) return {};
      next = strides[k] * digits[k].extent;
    }
    out.push_back(first * scale[static_cast<std::size_t>(i)]);
  }
  return out;
}

distributed_layout with_split_elements(distributed_layout layout, std::int64_t count) {
  if (layout.swizzle.bits != 0)
    distributed::refuse("elements of {} parts: a swizzled layout moves whole elements of 1, 2, 4, 8 or 16 bytes",
                        count);
  for (distributed_axis& axis : layout.axes)
    for (axis_digit& d : axis.digits)
      if (!d.of_rank) d.stride = distributed::product(d.stride, count, "offset");
  layout.offset = distributed::product(layout.offset, count, "offset");
  if (!layout.packed.empty()) layout.packed.insert(layout.packed.begin(), static_cast<int>(layout.axes.size()));
  layout.axes.push_back({count, {{count, 1, 1, false}}});
  validate(layout);
  return layout;
}

std::vector<place> places_of(distributed_layout const& layout, std::vector<std::int64_t> const& coordinate) {
  if (coordinate.size() != layout.axes.size())
    throw copy_error(copy_errc::bad_option,
                     fmt::format("the coordinate ({}) has {} entries, and the tensor {} axes",
                                 fmt::join(coordinate, ","), coordinate.size(), layout.axes.size()));
  for (std::size_t i = 0; i < coordinate.size(); ++i)
    if (coordinate[i] < 0 || coordinate[i] >= layout.axes[i].extent)
      throw copy_error(copy_errc::bad_option,
                       fmt::format("entry {} of the coordinate ({}) is outside of the {} indices of axis {}", i,
                                   fmt::join(coordinate, ","), layout.axes[i].extent, i));
  std::int64_t rank = 0, offset = layout.offset;
  std::vector<std::int64_t> local(layout.axes.size(), 0), counts(layout.axes.size(), 1);
  for (std::size_t i = 0; i < layout.axes.size(); ++i) {
    std::vector<axis_digit> const& digits = layout.axes[i].digits;
    std::vector<std::int64_t> const strides = distributed::strides_of(layout, i);
    std::vector<std::int64_t> fixed;
    std::int64_t rest = coordinate[i];
    for (std::size_t k = digits.size(); k-- > 0;) {
      std::int64_t const value = rest / digits[k].step;
      rest -= value * digits[k].step;
      (digits[k].of_rank ? rank : local[i]) += value * strides[k];
      if (digits[k].of_rank) fixed.insert(fixed.begin(), value);
    }
    if (!layout.packed.empty()) counts[i] = count_of(distributed::owned(layout.axes[i], fixed, strides));
  }
  std::vector<std::int64_t> ranks{rank};
  for (step const& s : layout.replicas) {
    std::vector<std::int64_t> more;
    for (std::int64_t const r : ranks)
      for (std::int64_t x = 0; x < s.extent; ++x) more.push_back(r + x * s.stride);
    ranks = more;
  }
  std::vector<place> out;
  for (std::int64_t const r : ranks)
    out.push_back({layout.on.empty() ? static_cast<int>(r) : layout.on[static_cast<std::size_t>(r)], 0});
  std::vector<std::int64_t> scale(local.size(), 1);
  std::int64_t next = 1;
  for (int const i : layout.packed) {
    scale[static_cast<std::size_t>(i)] = next;
    next *= counts[static_cast<std::size_t>(i)];
  }
  for (std::size_t i = 0; i < local.size(); ++i) offset += local[i] * scale[i];
  for (place& at : out) at.offset = layout.swizzle.bits == 0 ? offset : layout.swizzle(offset);
  std::sort(out.begin(), out.end(), [](place const& a, place const& b) { return a.rank < b.rank; });
  return out;
}

}  // namespace tilewright
