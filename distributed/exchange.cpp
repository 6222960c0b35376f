// Who sends what to whom. A rank meets each peer axis by axis: what two ranks have in common on an axis depends on their
// digits there alone, so each combination of digits is computed once and the pairs are products of them.
#include "tilewright/distributed/exchange.hpp"

#include "distributed/meet.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <map>
#include <numeric>

namespace tilewright {
namespace distributed {

meet::meet(distributed_layout const& src, distributed_layout const& dst, exchange_options const& options)
    : src_(src),
      dst_(dst),
      options_(options) {
  if (shape_of(src) != shape_of(dst))
    throw copy_error(
        copy_errc::different_shapes,
        fmt::format("the source is distributed over the shape ({}) and the destination over ({}); both must "
                    "describe one tensor",
                    fmt::join(shape_of(src), ","), fmt::join(shape_of(dst), ",")));
  if (options.ranks_per_node < 0)
    throw copy_error(copy_errc::bad_option, fmt::format("{} ranks per node; give 0 for no nodes, or a number above it",
                                                        options.ranks_per_node));
  ranks_ = std::max(src.ranks, dst.ranks);
  boxes_.resize(src.axes.size());
}

std::vector<shared_box> const& meet::boxes(int axis, int src_key, int dst_key) {
  auto& table = boxes_[static_cast<std::size_t>(axis)];
  std::int64_t const at = static_cast<std::int64_t>(src_key) * dst_.keys(axis) + dst_key;
  auto const [found, is_new] = table.try_emplace(at);
  if (is_new) found->second = intersection(src_.set(axis, src_key), dst_.set(axis, dst_key));
  return found->second;
}

namespace {

constexpr std::int64_t max_pieces = 1 << 22;  // of a pair of ranks

/// Loops in order of the destination, joined.
void arrange(exchange_piece& piece) {
  std::stable_sort(piece.loops.begin(), piece.loops.end(), [](loop const& a, loop const& b) { return a.dst < b.dst; });
  std::vector<loop> out;
  for (loop const& l : piece.loops) {
    if (!out.empty() && l.src == out.back().src * out.back().extent && l.dst == out.back().dst * out.back().extent)
      out.back().extent *= l.extent;
    else out.push_back(l);
  }
  piece.loops = std::move(out);
}

}  // namespace

std::int64_t meet::count(int src_class, int dst_class) {
  std::int64_t n = 1;
  for (int i = 0; i < src_.axes() && n != 0; ++i)
    n *= count_of(boxes(i, src_.key(src_class, i), dst_.key(dst_class, i)));
  return n;
}

transfer meet::pieces(int from, int to) {
  transfer out{from, to, 0, {}};
  int const a = src_.class_of(from), b = dst_.class_of(to);
  if (a < 0 || b < 0) return out;
  std::vector<std::vector<shared_box> const*> by_axis;
  for (int i = 0; i < src_.axes(); ++i) {
    by_axis.push_back(&boxes(i, src_.key(a, i), dst_.key(b, i)));
    if (by_axis.back()->empty()) return out;
  }
  std::int64_t number = 1;
  for (auto const* boxes : by_axis) {
    number *= static_cast<std::int64_t>(boxes->size());
    if (number > max_pieces)
      throw copy_error(
          copy_errc::bad_option,
          fmt::format("ranks {} and {} have more than {} separate pieces in common; choose blocks that divide one "
                      "another",
                      from, to, max_pieces));
  }
  std::vector<std::int64_t> const s = src_.scales(a), d = dst_.scales(b);
  out.pieces.push_back({1, src_.layout().offset, dst_.layout().offset, {}});
  for (std::size_t i = 0; i < by_axis.size(); ++i) {
    std::vector<exchange_piece> next;
    next.reserve(out.pieces.size() * by_axis[i]->size());
    for (exchange_piece const& p : out.pieces)
      for (shared_box const& box : *by_axis[i]) {
        exchange_piece q = p;
        q.src += box.src * s[i];
        q.dst += box.dst * d[i];
        for (shared_mode const& m : box.modes) {
          q.elements *= m.count;
          q.loops.push_back({m.count, m.src * s[i], m.dst * d[i]});
        }
        next.push_back(std::move(q));
      }
    out.pieces = std::move(next);
  }
  for (exchange_piece& p : out.pieces) {
    arrange(p);
    out.elements += p.elements;
  }
  return out;
}

std::vector<std::pair<int, std::int64_t>> meet::owners_of(int src_class) {
  // Receivers in order of their rank; each takes the member of its node, or else any, that sends least so far.
  std::vector<int> const& members = src_.members(src_class);
  std::vector<std::int64_t> load(members.size(), 0);
  std::vector<std::pair<int, std::int64_t>> out(static_cast<std::size_t>(ranks_), {-1, 0});
  for (int to = 0; to < ranks_; ++to) {
    int const cls = dst_.class_of(to);
    if (cls < 0) continue;
    std::int64_t const n = count(src_class, cls);
    if (n == 0) continue;
    auto& [owner, elements] = out[static_cast<std::size_t>(to)];
    elements = n;
    if (members.size() == 1 || src_.class_of(to) == src_class) {
      owner = members.size() == 1 ? members[0] : to;
      continue;
    }
    auto const cost = [&](std::size_t m) {
      bool const far =
          options_.ranks_per_node > 0 && members[m] / options_.ranks_per_node != to / options_.ranks_per_node;
      return std::pair{far, load[m]};
    };
    std::size_t best = 0;
    for (std::size_t m = 1; m < members.size(); ++m)
      if (cost(m) < cost(best)) best = m;
    load[best] += n;
    owner = members[best];
  }
  return out;
}

}  // namespace distributed

using distributed::meet;

std::int64_t rank_plan::sent() const {
  return std::accumulate(sends.begin(), sends.end(), std::int64_t{0},
                         [](std::int64_t n, transfer const& t) { return n + t.elements; });
}
std::int64_t rank_plan::received() const {
  return std::accumulate(receives.begin(), receives.end(), std::int64_t{0},
                         [](std::int64_t n, transfer const& t) { return n + t.elements; });
}

rank_plan plan_exchange(distributed_layout const& src, distributed_layout const& dst, int rank,
                        exchange_options const& options) {
  meet all(src, dst, options);
  if (rank < 0 || rank >= all.ranks())
    throw copy_error(copy_errc::bad_option, fmt::format("rank {} is outside of the {} ranks of the layouts (0 to {})",
                                                        rank, all.ranks(), all.ranks() - 1));
  int const holds = all.src().class_of(rank), wants = all.dst().class_of(rank);
  rank_plan out;
  out.rank = rank;
  out.held = all.src().elements(holds);
  out.wanted = all.dst().elements(wants);
  out.own = holds < 0 || wants < 0 ? transfer{rank, rank, 0, {}} : all.pieces(rank, rank);
  if (holds >= 0 && out.held > 0) {
    auto const owners = all.owners_of(holds);
    for (int k = 1; k < all.ranks(); ++k) {
      int const to = (rank + k) % all.ranks();
      if (owners[static_cast<std::size_t>(to)].first == rank) out.sends.push_back(all.pieces(rank, to));
    }
  }
  if (wants < 0 || out.wanted == 0) return out;
  std::vector<transfer> by_distance(static_cast<std::size_t>(all.ranks()));
  for (int cls = 0; cls < all.src().classes(); ++cls) {
    if (cls == holds || all.src().members(cls).empty() || all.count(cls, wants) == 0) continue;
    std::vector<int> const& members = all.src().members(cls);
    int const from = members.size() == 1 ? members[0] : all.owners_of(cls)[static_cast<std::size_t>(rank)].first;
    by_distance[static_cast<std::size_t>((rank - from + all.ranks()) % all.ranks())] = all.pieces(from, rank);
  }
  for (transfer& t : by_distance)
    if (t.elements > 0) out.receives.push_back(std::move(t));
  return out;
}

std::vector<pair_traffic> traffic_of(distributed_layout const& src, distributed_layout const& dst,
                                     exchange_options const& options) {
  meet all(src, dst, options);
  std::vector<pair_traffic> out;
  for (int cls = 0; cls < all.src().classes(); ++cls) {
    if (all.src().members(cls).empty() || all.src().elements(cls) == 0) continue;
    auto const owners = all.owners_of(cls);
    for (int to = 0; to < all.ranks(); ++to) {
      auto const& [owner, elements] = owners[static_cast<std::size_t>(to)];
      if (owner < 0) continue;
      std::int64_t pieces = 1;
      int const wanted = all.dst().class_of(to);
      for (int i = 0; i < all.src().axes(); ++i)
        pieces *= static_cast<std::int64_t>(all.boxes(i, all.src().key(cls, i), all.dst().key(wanted, i)).size());
      out.push_back({owner, to, elements, pieces});
    }
  }
  std::sort(out.begin(), out.end(),
            [](pair_traffic const& a, pair_traffic const& b) { return a.to != b.to ? a.to < b.to : a.from < b.from; });
  return out;
}

namespace {

composed_value one_side(std::int64_t offset, std::vector<loop> const& loops, std::int64_t loop::*stride,
                        swizzle_value const& swizzle) {
  layout_value layout;
  layout.open(static_cast<int>(loops.size()));
  for (loop const& l : loops) layout.add_leaf(constant_leaf(l.extent), constant_leaf(l.*stride));
  if (loops.empty()) {
    layout = layout_value{};
    layout.add_leaf(constant_leaf(1), constant_leaf(0));
  }
  return {swizzle, constant_leaf(offset), layout};
}

}  // namespace

composed_value source_layout(exchange_piece const& piece, distributed_layout const& src) {
  return one_side(piece.src, piece.loops, &loop::src, src.swizzle);
}
composed_value destination_layout(exchange_piece const& piece, distributed_layout const& dst) {
  return one_side(piece.dst, piece.loops, &loop::dst, dst.swizzle);
}

}  // namespace tilewright
