// Blocks start in the order of their numbers, so that at any time a contiguous range of tiles is in flight. Over such a
// range each side's tiles form a box of its layout, and how many pages of memory that box touches, against how many its
// bytes would fill, says how far apart they are. Three of these ratios explain most of what orders differ by; their weights
// were fitted to 1,970 orders of 172 tilings measured on an H200 (docs/adr/0015).
#include "engine/plan/cuda_order.hpp"

#include "engine/plan/cuda_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace tilewright::plan {
namespace {

using std::int64_t;

constexpr double bytes_under_way = 64 * 1024;           // of tiles, for each multiprocessor
constexpr double usual_cache_bytes = 60.0 * (1 << 20);  // where the machine's is not known
constexpr int max_orders = 256;                         // that are tried
constexpr double share_of_reads = 0.5;                  // of a copy's time

/// What pages of one side cost.
struct page_cost {
  bool source;
  double page;    // bytes
  bool by_cache;  // of the tiles that fill the second-level cache; else of those in flight
  double weight;  // for each doubling of the pages
  double most;    // doublings that count
};
constexpr std::array<page_cost, 3> page_costs{{
    {false, 2 << 20, false, 0.0176, 4},   // pages of the address translation that are written to at a time
    {false, 512, true, 0.041, 64},        // pieces of memory rows that leave the cache before they are whole
    {true, 16 << 10, false, 0.0076, 64},  // memory rows that are read from at a time
}};

/// The extents of what the first `tiles` tiles cover.
std::vector<double> extents_of(movement const& m, std::vector<int64_t> const& tile, std::vector<int> const& order,
                               double tiles) {
  std::vector<double> out(tile.begin(), tile.end());
  for (int const l : order) {
    if (tiles <= 1) break;
    auto const i = static_cast<std::size_t>(l);
    double const extent = static_cast<double>(m.loops[i].extent);
    double const all = std::ceil(extent / out[i]), some = std::min(all, std::floor(tiles));
    out[i] = std::min(extent, out[i] * some);
    if (some < all) break;
    tiles /= all;
  }
  return out;
}

/// log2 of the pages that a box touches over those that its bytes fill. The box may begin anywhere in a page.
/// by_stride: the loops, the smallest stride first
double spread_over(movement const& m, std::vector<int> const& by_stride, std::vector<double> const& extents,
                   bool source, double page) {
  double const element = m.element_bits / 8.0;
  double pieces = 1, span = element, bytes = element;
  for (int const l : by_stride) {
    auto const i = static_cast<std::size_t>(l);
    double const stride = static_cast<double>(std::abs(source ? m.loops[i].src : m.loops[i].dst)) * element;
    if (extents[i] <= 1 || stride == 0) continue;
    if (stride < page || stride == span) span += (extents[i] - 1) * stride;
    else pieces *= extents[i];
    bytes *= extents[i];
  }
  return std::log2(std::max(1.0, pieces * (span + page - element) / bytes));
}

class order_search {
 public:
  order_search(movement const& m, machine_model const& machine, std::vector<int64_t> const& tile)
      : m_(m),
        tile_(tile),
        by_stride_{loops_by(m, false), loops_by(m, true)} {
    double tile_bytes = m.element_bits / 8.0;
    for (int64_t const t : tile) tile_bytes *= static_cast<double>(t);
    under_way_ = bytes_under_way * machine.processors / tile_bytes;
    cached_ = (machine.far_bytes > 0 ? static_cast<double>(machine.far_bytes) : usual_cache_bytes) / tile_bytes;
  }

  double cost(std::vector<int> const& order) const {
    std::array const extents{extents_of(m_, tile_, order, under_way_), extents_of(m_, tile_, order, cached_)};
    double out = 0;
    for (page_cost const& c : page_costs)
      out += c.weight * std::min(c.most, spread_over(m_, by_stride_[c.source ? 1 : 0], extents[c.by_cache ? 1 : 0],
                                                     c.source, c.page));
    return out + rereading(order);
  }

  cuda_tile_order best(std::vector<int> const& usual) {
    usual_ = usual;
    found_ = {usual, cost(usual)};
    std::vector<int> order;
    extend(order, 1);
    return found_;
  }

 private:
  /// Of a source that is read again along a loop, whose tiles until then, with what they write, leave no room in the cache for all
  /// that was read: from a quarter of it on, as both halves of the cache keep what they need.
  double rereading(std::vector<int> const& order) const {
    double tiles = 1, out = 0;
    for (int const l : order) {
      double const count = tiles_of(l);
      if (count > 1 && m_.loops[static_cast<std::size_t>(l)].src == 0)
        out += share_of_reads * (1 - 1 / count) * std::clamp(4 * tiles / cached_ - 1, 0.0, 1.0);
      tiles *= count;
    }
    return out;
  }

  double tiles_of(int l) const {
    auto const i = static_cast<std::size_t>(l);
    return std::ceil(static_cast<double>(m_.loops[i].extent) / static_cast<double>(tile_[i]));
  }

  /// Tries every next loop until the tiles outgrow the cache; the order of the others does not matter.
  void extend(std::vector<int>& order, double tiles) {
    bool is_leaf = true;
    for (int const l : usual_) {
      if (tiles > cached_ || tried_ >= max_orders) break;
      if (tiles_of(l) <= 1 || std::find(order.begin(), order.end(), l) != order.end()) continue;
      is_leaf = false;
      order.push_back(l);
      extend(order, tiles * tiles_of(l));
      order.pop_back();
    }
    if (!is_leaf || tried_ >= max_orders) return;
    ++tried_;
    std::vector<int> whole = order;
    for (int const l : usual_)
      if (std::find(order.begin(), order.end(), l) == order.end()) whole.push_back(l);
    double const c = cost(whole);
    if (c < found_.cost - 1e-4) found_ = {whole, c};
  }

  movement const& m_;
  std::vector<int64_t> const& tile_;
  double under_way_ = 1, cached_ = 1;          // tiles
  std::array<std::vector<int>, 2> by_stride_;  // destination, source
  std::vector<int> usual_;
  cuda_tile_order found_;
  int tried_ = 0;
};

}  // namespace

cuda_tile_order order_of_tiles(movement const& m, machine_model const& machine, std::vector<int64_t> const& tile,
                               std::vector<int> const& usual) {
  return order_search(m, machine, tile).best(usual);
}

double cost_of_order(movement const& m, machine_model const& machine, std::vector<int64_t> const& tile,
                     std::vector<int> const& order) {
  return order_search(m, machine, tile).cost(order);
}

}  // namespace tilewright::plan
