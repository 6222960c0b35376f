// Which process plays which rank of a layout, so that fewest elements are sent: an assignment problem, solved exactly by shortest
// augmenting paths (the Hungarian method).
#include "distributed/meet.hpp"
#include "tilewright/distributed/exchange.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilewright {
namespace {

/// The column of each row, so that the sum of cost[row][column] is the smallest there is.
/// cost: O(n³)
std::vector<int> cheapest_assignment(std::vector<std::vector<std::int64_t>> const& cost) {
  std::size_t const n = cost.size();
  std::vector<std::int64_t> row_price(n + 1, 0), column_price(n + 1, 0);
  std::vector<std::size_t> row_of(n + 1, 0), before(n + 1, 0);  // from 1; column 0 is that of the row to be assigned
  for (std::size_t row = 1; row <= n; ++row) {
    row_of[0] = row;
    std::size_t at = 0;
    std::vector<std::int64_t> slack(n + 1, std::numeric_limits<std::int64_t>::max());
    std::vector<bool> used(n + 1, false);
    do {
      used[at] = true;
      std::size_t const r = row_of[at];
      std::size_t next = 0;
      std::int64_t step = std::numeric_limits<std::int64_t>::max();
      for (std::size_t c = 1; c <= n; ++c) {
        if (used[c]) continue;
        std::int64_t const reduced = cost[r - 1][c - 1] - row_price[r] - column_price[c];
        if (reduced < slack[c]) {
          slack[c] = reduced;
          before[c] = at;
        }
        if (slack[c] < step) {
          step = slack[c];
          next = c;
        }
      }
      for (std::size_t c = 0; c <= n; ++c) {
        if (used[c]) {
          row_price[row_of[c]] += step;
          column_price[c] -= step;
        } else if (c > 0) {
          slack[c] -= step;
        }
      }
      at = next;
    } while (row_of[at] != 0);
    for (; at != 0; at = before[at]) row_of[at] = row_of[before[at]];
  }
  std::vector<int> out(n, 0);
  for (std::size_t c = 1; c <= n; ++c) out[row_of[c] - 1] = static_cast<int>(c - 1);
  return out;
}

}  // namespace

distributed_layout relabelled(distributed_layout const& src, distributed_layout const& dst) {
  distributed::meet all(src, dst, {});
  int const ranks = all.ranks();
  distributed_layout out = dst;
  out.ranks = ranks;
  out.on.resize(static_cast<std::size_t>(ranks));
  std::iota(out.on.begin() + static_cast<std::ptrdiff_t>(dst.on.size()), out.on.end(), static_cast<int>(dst.on.size()));
  // Rows: the parts that dst gives to processes; columns: the processes that could have them.
  std::vector<std::vector<std::int64_t>> sent(static_cast<std::size_t>(ranks),
                                              std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 0));
  for (int part = 0; part < ranks; ++part)
    for (int process = 0; process < ranks; ++process) {
      int const has = all.src().class_of(process), wants = all.dst().class_of(part);
      if (has >= 0 && wants >= 0)
        sent[static_cast<std::size_t>(part)][static_cast<std::size_t>(process)] = -all.count(has, wants);
    }
  // Of equal assignments, the one in which most processes keep their part; sums of products must fit.
  std::int64_t const n = ranks + 1;
  bool const fits = elements_of(dst) < std::numeric_limits<std::int64_t>::max() / 4 / n / n;
  for (std::size_t i = 0; fits && i < sent.size(); ++i)
    for (std::size_t j = 0; j < sent.size(); ++j) sent[i][j] = sent[i][j] * n - (i == j ? 1 : 0);
  std::vector<int> const process_of = cheapest_assignment(sent);
  for (int& p : out.on) p = process_of[static_cast<std::size_t>(p)];
  validate(out);
  return out;
}

}  // namespace tilewright
