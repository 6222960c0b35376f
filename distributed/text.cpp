// Writing and reading distributed layouts.
#include "tilewright/layout/text.hpp"
#include "distributed/prepared.hpp"
#include "tilewright/distributed/placements.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <stdexcept>

namespace tilewright {
namespace {

leaf scaled(std::int64_t stride, bool of_rank) {
  leaf const plain = constant_leaf(stride);
  return stride == 0 ? plain : with_basis(plain, basis_path{}.then(of_rank ? 0 : 1));
}

/// One mode an axis, one leaf a digit; `strides` says what of a digit becomes the leaf's stride.
template <class Stride>
layout_value tree_of(distributed_layout const& a, Stride const& stride) {
  layout_value out;
  out.open(static_cast<int>(a.axes.size()));
  for (distributed_axis const& axis : a.axes) {
    if (axis.digits.size() != 1) out.open(static_cast<int>(axis.digits.size()));
    for (axis_digit const& d : axis.digits) out.add_leaf(constant_leaf(d.extent), stride(d));
  }
  if (out.overflowed())
    throw copy_error(copy_errc::bad_layout,
                     fmt::format("the distributed layout has more than the {} digits that a layout can have; join some",
                                 int_tree::leaf_capacity));
  return out;
}

bool has_plain_steps(distributed_layout const& a) {
  for (distributed_axis const& axis : a.axes) {
    std::int64_t step = 1;
    for (axis_digit const& d : axis.digits) {
      if (d.step != step) return false;
      step *= d.extent;
    }
  }
  return true;
}

layout_value whole_tree(distributed_layout const& a) {
  return tree_of(a, [](axis_digit const& d) { return scaled(d.stride, d.of_rank); });
}

/// The highest rank that the layout reaches, and one.
int reached_ranks(distributed_layout const& a) {
  long long highest = 0;
  auto const add = [&](std::int64_t extent, std::int64_t stride) {
    long long reach = 0;
    if (!math::multiply(extent - 1, stride, reach) || !math::add(highest, reach, highest) || highest >= 1 << 20)
      throw copy_error(copy_errc::bad_layout, fmt::format("the layout reaches more than {} ranks", 1 << 20));
  };
  for (distributed_axis const& axis : a.axes)
    for (axis_digit const& d : axis.digits)
      if (d.of_rank) add(d.extent, d.stride);
  for (step const& s : a.replicas) add(s.extent, s.stride);
  return static_cast<int>(highest) + 1;
}

class reader : public layout_reader {
 public:
  using layout_reader::layout_reader;

  distributed_layout read() {
    distributed_layout out = at_identifier() ? read_distribute() : from_tree(read_layout());
    while (!at_end()) read_clause(out);
    if (!has_ranks_) out.ranks = std::max({out.ranks, reached_ranks(out), static_cast<int>(out.on.size())});
    validate(out);
    return out;
  }

 private:
  template <class Integer>
  std::vector<Integer> read_list() {
    std::vector<Integer> out;
    if (!accept('(')) {
      out.push_back(static_cast<Integer>(read_integer()));
      return out;
    }
    if (accept(')')) return out;
    do {
      std::size_t const at = position();
      long long const value = read_integer();
      if (static_cast<long long>(static_cast<Integer>(value)) != value) fail_at("expected a smaller integer", at);
      out.push_back(static_cast<Integer>(value));
    } while (accept(','));
    expect(')', "to close a list");
    return out;
  }

  distributed_layout from_tree(layout_value const& a) {
    distributed_layout out;
    for (int i = 0; i < a.rank(); ++i) {
      subtree const u = a.mode(i);
      distributed_axis axis;
      std::int64_t reach = 1;
      for (int k = u.leaf; k < u.leaf_end; ++k) {
        leaf const stride = a.stride[k];
        bool const known = stride.flags == 0 || (stride.basis().depth() == 1 && stride.basis().index(0) <= 1);
        if (!known || (stride.flags == 0 && stride.number != 0 && a.shape[k].number != 1))
          fail_at("expected strides of ranks (1@0) and offsets (1@1)", 0);
        axis.digits.push_back(
            {a.shape[k].number, reach, stride.number, stride.flags != 0 && stride.basis().index(0) == 0});
        long long next = 0;
        if (!math::multiply(reach, a.shape[k].number, next)) fail_at("expected an extent that fits 63 bits", 0);
        reach = next;
      }
      axis.extent = reach;
      for (axis_digit& d : axis.digits)
        d.extent = std::max<std::int64_t>(d.extent, 1), d.step = std::max<std::int64_t>(d.step, 1);
      out.axes.push_back(std::move(axis));
    }
    return out;
  }

  void read_clause(distributed_layout& out) {
    std::size_t const at = position();
    std::string const word{read_identifier()};
    if (word == "within") {
      auto const extents = read_list<std::int64_t>();
      if (extents.size() != out.axes.size())
        fail_at(fmt::format("expected {} extents, one for each axis", out.axes.size()), at);
      for (std::size_t i = 0; i < extents.size(); ++i) out.axes[i].extent = extents[i];
    } else if (word == "steps") {
      int_tree const steps = read_tuple();
      int next = 0, digits = 0;
      for (distributed_axis const& axis : out.axes) digits += static_cast<int>(axis.digits.size());
      if (steps.leaves != digits) fail_at(fmt::format("expected {} steps, one for each digit", digits), at);
      for (distributed_axis& axis : out.axes)
        for (axis_digit& d : axis.digits) d.step = steps.shape[next++].number;
    } else if (word == "replicas") {
      layout_value const r = read_layout();
      for (int k = 0; k < r.leaves; ++k) {
        if (r.stride[k].flags != 0) fail_at("expected strides that are numbers of ranks", at);
        out.replicas.push_back({r.shape[k].number, r.stride[k].number});
      }
    } else if (word == "packed") out.packed = read_list<int>();
    else if (word == "offset") out.offset = read_integer();
    else if (word == "swizzle") out.swizzle = read_swizzle();
    else if (word == "on") out.on = read_list<int>();
    else if (word == "ranks") {
      out.ranks = static_cast<int>(std::clamp<long long>(read_integer(), -1, (1 << 20) + 1));
      has_ranks_ = true;
    } else fail_at("expected within, steps, replicas, packed, offset, swizzle, ranks or on", at);
  }

  distributed_layout read_distribute() {
    distribution_text const d = read_words();
    return distribute(d.shape, d.mesh, d.placements, d.order);
  }

 public:
  distribution_text read_words() {
    std::size_t const at = position();
    if (read_identifier() != "distribute") fail_at("expected a layout or distribute(SHAPE,MESH,PLACEMENT,…)", at);
    expect('(', "after distribute");
    auto const shape = read_list<std::int64_t>();
    expect(',', "behind the shape");
    auto const mesh = read_list<int>();
    std::vector<placement> placements;
    local_order order = local_order::row_major;
    while (accept(',')) {
      std::size_t const word_at = position();
      std::string word{read_identifier()};
      if (word == "row" || word == "col") {
        order = word == "row" ? local_order::row_major : local_order::column_major;
        break;
      }
      if (accept('/')) word += "/" + std::to_string(read_integer());
      try {
        placements.push_back(parse_placement(word));
      } catch (std::invalid_argument const& e) {
        throw text_error(e.what(), text(), word_at);
      }
    }
    expect(')', "to end distribute(SHAPE,MESH,PLACEMENT,…[,row|col])");
    return {shape, mesh, placements, order};
  }

 private:
  bool has_ranks_ = false;
};

}  // namespace

layout_value layout_of(distributed_layout const& layout) {
  if (!has_plain_steps(layout))
    throw copy_error(
        copy_errc::bad_layout,
        fmt::format("{} has an axis whose inner blocks are ragged, which no layout without bounds describes",
                    to_text(layout)));
  return whole_tree(layout);
}

std::string to_text(distributed_layout const& a) {
  std::string out = format_layout(whole_tree(a));
  bool within = false;
  for (distributed_axis const& axis : a.axes) {
    std::int64_t reach = 1;
    for (axis_digit const& d : axis.digits) reach *= d.extent;
    within |= reach != axis.extent;
  }
  auto const comma_list = [](auto const& numbers) { return fmt::format("({})", fmt::join(numbers, ",")); };
  if (within) out += " within " + comma_list(shape_of(a));
  if (!has_plain_steps(a)) {
    layout_value steps = whole_tree(a);
    int next = 0;
    for (distributed_axis const& axis : a.axes)
      for (axis_digit const& d : axis.digits) steps.shape[next++] = constant_leaf(d.step);
    out += " steps " + format_tuple(steps);
  }
  if (!a.replicas.empty()) {
    std::vector<std::int64_t> extents, strides;
    for (step const& s : a.replicas) {
      extents.push_back(s.extent);
      strides.push_back(s.stride);
    }
    out += extents.size() == 1 ? fmt::format(" replicas {}:{}", extents[0], strides[0])
                               : " replicas " + comma_list(extents) + ":" + comma_list(strides);
  }
  if (!a.packed.empty()) out += " packed " + comma_list(a.packed);
  if (a.offset != 0) out += fmt::format(" offset {}", a.offset);
  if (a.swizzle.bits != 0) out += " swizzle " + format_swizzle(a.swizzle);
  if (a.ranks != std::max(reached_ranks(a), static_cast<int>(a.on.size()))) out += fmt::format(" ranks {}", a.ranks);
  if (!a.on.empty()) out += " on " + comma_list(a.on);
  return out;
}

std::optional<distribution_text> read_distribution(std::string_view text) {
  reader one(text);
  if (!one.at_identifier()) return std::nullopt;
  distribution_text out = one.read_words();
  if (!one.at_end()) return std::nullopt;
  return out;
}

distributed_layout parse_distributed(std::string_view text) { return reader(text).read(); }

}  // namespace tilewright
