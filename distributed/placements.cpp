#include "tilewright/distributed/placements.hpp"

#include "distributed/prepared.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace tilewright {
namespace {

template <class... Arguments>
[[noreturn]] void refuse_placement(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw copy_error(copy_errc::bad_layout, fmt::format(text, std::forward<Arguments>(arguments)...));
}

std::int64_t blocks_of(std::int64_t extent, std::int64_t block) { return (extent + block - 1) / block; }

/// Deals the local indices of an axis out to `ranks` in blocks of `block`: the offset digit that the end of a block is in
/// becomes three, within a block, the rank, and the rounds.
void split(distributed_axis& axis, std::int64_t block, std::int64_t ranks, std::int64_t rank_stride,
           std::size_t number) {
  block = std::min(block, distributed::local_extent(axis));
  std::size_t last = 0, at = 0;
  std::int64_t inner = 1;  // local indices below digit `at`
  for (std::size_t k = 0; k < axis.digits.size(); ++k)
    if (!axis.digits[k].of_rank) last = k;
  while (at < last && (axis.digits[at].of_rank || inner * axis.digits[at].extent <= block)) {
    if (!axis.digits[at].of_rank) inner *= axis.digits[at].extent;
    ++at;
  }
  axis_digit const d = axis.digits[at];
  std::int64_t const within = block / inner;
  if (block % inner != 0 || (at < last && d.extent % (within * ranks) != 0))
    refuse_placement(
        "axis {} is dealt out in blocks of {} of its local indices, which are in blocks of {} already: no "
        "layout describes that; choose blocks that divide each other",
        number, block, at < last ? d.extent * inner : inner);
  std::int64_t const rounds = blocks_of(blocks_of(d.extent, within), ranks);
  std::vector<axis_digit> three{{within, d.step, 0, false}, {ranks, d.step * within, rank_stride, true}};
  if (rounds > 1) three.push_back({rounds, d.step * within * ranks, 0, false});
  auto const where = axis.digits.erase(axis.digits.begin() + static_cast<std::ptrdiff_t>(at));
  axis.digits.insert(where, three.begin(), three.end());
}

void set_offset_strides(distributed_layout& a, local_order order) {
  int const n = static_cast<int>(a.axes.size());
  for (int i = 0; i < n; ++i) a.packed.push_back(order == local_order::row_major ? n - 1 - i : i);
  long long scale = 1;
  for (int const i : a.packed)
    for (axis_digit& d : a.axes[static_cast<std::size_t>(i)].digits) {
      if (d.of_rank) continue;
      d.stride = scale;
      if (!math::multiply(scale, std::max<std::int64_t>(d.extent, 1), scale))
        refuse_placement("a rank's part of the tensor does not fit 63 bits");
    }
}

void check_mesh(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                std::vector<placement> const& placements) {
  if (mesh.size() != placements.size())
    refuse_placement("the mesh ({}) has {} axes and there are {} placements; give one for each axis of the mesh",
                     fmt::join(mesh, ","), mesh.size(), placements.size());
  std::int64_t ranks = 1;
  for (int const n : mesh) {
    if (n < 1)
      refuse_placement("the mesh ({}) has an axis of {} ranks; an axis has at least one", fmt::join(mesh, ","), n);
    ranks *= n;
    if (ranks > 1 << 20) refuse_placement("the mesh ({}) has more than {} ranks", fmt::join(mesh, ","), 1 << 20);
  }
  for (std::int64_t const n : shape)
    if (n < 0) refuse_placement("the shape ({}) has a negative extent", fmt::join(shape, ","));
  for (placement const& p : placements) {
    if (p.how == placement::kind::replicate) continue;
    if (p.axis < 0 || static_cast<std::size_t>(p.axis) >= shape.size())
      refuse_placement("the placement {} names axis {}, and the tensor has {} (0 to {})", to_text(p), p.axis,
                       shape.size(), static_cast<int>(shape.size()) - 1);
    if (p.block < 1)
      refuse_placement("the placement {} has blocks of {} indices; a block has at least one", to_text(p), p.block);
  }
}

}  // namespace

std::string to_text(placement const& p) {
  switch (p.how) {
    case placement::kind::replicate: return "R";
    case placement::kind::block: return fmt::format("S{}", p.axis);
    case placement::kind::cyclic: return fmt::format("C{}", p.axis);
    case placement::kind::block_cyclic: return fmt::format("B{}/{}", p.axis, p.block);
  }
  return "?";
}

placement parse_placement(std::string_view text) {
  auto const fail = [&] {
    throw std::invalid_argument(
        fmt::format("'{}' is not a placement; they are R, S0 (blocks of axis 0), C0 (cyclic) and "
                    "B0/16 (block-cyclic, blocks of 16)",
                    text));
  };
  if (text == "R") return replicate();
  if (text.size() < 2) fail();
  placement out;
  char const* const end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data() + 1, end, out.axis);
  if (error != std::errc{}) fail();
  switch (text[0]) {
    case 'S': out.how = placement::kind::block; break;
    case 'C': out.how = placement::kind::cyclic; break;
    case 'B': {
      out.how = placement::kind::block_cyclic;
      if (rest == end || *rest != '/') fail();
      auto const [last, bad] = std::from_chars(rest + 1, end, out.block);
      if (bad != std::errc{}) fail();
      rest = last;
      break;
    }
    default: fail();
  }
  if (rest != end) fail();
  return out;
}

distributed_layout distribute(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                              std::vector<placement> const& placements, local_order order) {
  check_mesh(shape, mesh, placements);
  distributed_layout out;
  for (std::int64_t const n : shape) out.axes.push_back({n, {{std::max<std::int64_t>(n, 1), 1, 0, false}}});
  std::int64_t stride = 1;
  std::vector<std::int64_t> strides(mesh.size());
  for (std::size_t m = mesh.size(); m-- > 0;) {
    strides[m] = stride;
    stride *= mesh[m];
  }
  out.ranks = static_cast<int>(stride);
  for (std::size_t m = 0; m < mesh.size(); ++m) {
    placement const& p = placements[m];
    if (mesh[m] == 1) continue;
    if (p.how == placement::kind::replicate) {
      out.replicas.push_back({mesh[m], strides[m]});
      continue;
    }
    distributed_axis& axis = out.axes[static_cast<std::size_t>(p.axis)];
    std::int64_t const local = distributed::local_extent(axis);
    std::int64_t const block = p.how == placement::kind::block    ? std::max<std::int64_t>(1, blocks_of(local, mesh[m]))
                               : p.how == placement::kind::cyclic ? 1
                                                                  : p.block;
    split(axis, block, mesh[m], strides[m], static_cast<std::size_t>(p.axis));
  }
  set_offset_strides(out, order);
  validate(out);
  return out;
}

distributed_layout packed_in(distributed_layout layout, local_order order) {
  layout.packed.clear();
  layout.offset = 0;
  layout.swizzle = {};
  set_offset_strides(layout, order);
  validate(layout);
  return layout;
}

distributed_layout from_dtensor(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                                std::vector<placement> const& placements, std::vector<int> const& ranks) {
  check_mesh(shape, mesh, placements);
  for (placement const& p : placements)
    if (p.how != placement::kind::replicate && p.how != placement::kind::block)
      refuse_placement("DTensor has the placements Shard and Replicate, and {} is neither", to_text(p));
  // DTensor cuts the last, smaller block by its own size; the layout cuts all blocks alike.
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<std::int64_t> sizes{shape[axis]};  // full blocks first, then the ragged one
    for (std::size_t m = 0; m < mesh.size(); ++m) {
      if (placements[m].how != placement::kind::block || placements[m].axis != static_cast<int>(axis)) continue;
      std::int64_t const block = std::max<std::int64_t>(1, blocks_of(sizes[0], mesh[m]));
      std::vector<std::int64_t> next{block};
      for (std::int64_t const size : sizes) {
        std::int64_t const own = std::max<std::int64_t>(1, blocks_of(size, mesh[m]));
        if (own != block && size > 1)
          refuse_placement(
              "DTensor cuts the last block of axis {}, which has {} of {} indices, into pieces of {}, and the "
              "others into pieces of {}; no layout describes both",
              axis, size, sizes[0], own, block);
        if (std::int64_t const ragged = size % block; ragged != 0) next.push_back(ragged);
      }
      sizes = next;
    }
  }
  distributed_layout out = distribute(shape, mesh, placements, local_order::row_major);
  out.on = ranks;
  validate(out);
  return out;
}

distributed_layout from_scalapack(scalapack_descriptor const& d, int rows, int columns, bool column_major_grid) {
  if (rows < 1 || columns < 1) refuse_placement("a grid of {} x {} has no ranks", rows, columns);
  if (d.m < 0 || d.n < 0 || d.mb < 1 || d.nb < 1)
    refuse_placement("the descriptor has M = {}, N = {}, MB = {}, NB = {}; sizes are 0 or more and blocks 1 or more",
                     d.m, d.n, d.mb, d.nb);
  if (d.rsrc < 0 || d.rsrc >= rows || d.csrc < 0 || d.csrc >= columns)
    refuse_placement("the descriptor's first block belongs to ({}, {}), which is outside of the grid of {} x {}",
                     d.rsrc, d.csrc, rows, columns);
  std::int64_t const row_rounds = std::max<std::int64_t>(1, blocks_of(blocks_of(d.m, d.mb), rows));
  std::int64_t const column_rounds = std::max<std::int64_t>(1, blocks_of(blocks_of(d.n, d.nb), columns));
  // What the first process row has: no other has more.
  std::int64_t const needed = d.m / (d.mb * rows) * d.mb + std::min(d.mb, d.m % (d.mb * rows));
  if (d.lld < std::max<std::int64_t>(1, needed))
    refuse_placement("the descriptor's LLD = {} is below the {} rows of a local matrix", d.lld, needed);
  int const row_stride = column_major_grid ? 1 : columns, column_stride = column_major_grid ? rows : 1;
  distributed_layout out;
  out.axes.push_back(
      {d.m, {{d.mb, 1, 1, false}, {rows, d.mb, row_stride, true}, {row_rounds, d.mb * rows, d.mb, false}}});
  out.axes.push_back({d.n,
                      {{d.nb, 1, d.lld, false},
                       {columns, d.nb, column_stride, true},
                       {column_rounds, d.nb * columns, d.nb * d.lld, false}}});
  out.ranks = rows * columns;
  if (d.rsrc != 0 || d.csrc != 0) {
    out.on.resize(static_cast<std::size_t>(out.ranks));
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        out.on[static_cast<std::size_t>(r * row_stride + c * column_stride)] =
            (r + d.rsrc) % rows * row_stride + (c + d.csrc) % columns * column_stride;
  }
  validate(out);
  return out;
}

}  // namespace tilewright
