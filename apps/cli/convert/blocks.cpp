// Chooses and walks blocks; asks the system how much memory there is.
#include "apps/cli/convert/blocks.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>

namespace tilewright::cli {
namespace {

constexpr std::int64_t page = 4096;  // bytes
constexpr std::int64_t without_a_limit = std::int64_t{1} << 60;

std::int64_t magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

std::int64_t stride_of(loop const& l, bool of_source) { return magnitude(of_source ? l.src : l.dst); }

/// The loops of one side, the nearest elements first; those that stand still last.
std::vector<std::size_t> nearest_first(movement const& m, bool of_source) {
  std::vector<std::size_t> order(m.loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const key = [&](std::size_t i) {
    std::int64_t const stride = stride_of(m.loops[i], of_source);
    return stride == 0 ? std::numeric_limits<std::int64_t>::max() : stride;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  return order;
}

/// How many elements follow each other without a gap.
std::int64_t run_of(movement const& m, std::vector<std::int64_t> const& block, bool of_source,
                    std::vector<std::size_t> const& order) {
  std::int64_t run = 1;
  for (std::size_t const i : order) {
    if (stride_of(m.loops[i], of_source) != run) break;
    run *= block[i];
    if (block[i] != m.loops[i].extent) break;
  }
  return run;
}

std::int64_t elements_of(std::vector<std::int64_t> const& block) {
  return std::accumulate(block.begin(), block.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t side_bytes(movement const& m, std::vector<std::int64_t> const& block, bool of_source) {
  std::int64_t const run = run_of(m, block, of_source, nearest_first(m, of_source));
  std::int64_t const run_bytes = run * m.element_bits / 8;
  // A run may begin in the middle of a page.
  std::int64_t const pages = run_bytes / page + (run_bytes % page == 0 ? 0 : 1) + (run_bytes < page ? 0 : 1);
  return std::min(elements_of(block) / run * pages, without_a_limit / page) * page;
}

/// A number from a file of the system, in bytes; none for "max" and for files that are not there.
std::int64_t number_in(std::string const& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  return file >> number ? number : without_a_limit;
}

std::int64_t available_to_the_machine() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::int64_t kilobytes = 0;
    if (word == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  }
  return without_a_limit;
}

/// What the control group of the process may take in all, caches included.
std::int64_t available_to_the_group() {
  // In a container the group's own folder is often the only one to be seen.
  std::int64_t least =
      std::min(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    std::size_t const first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string const controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, number_in("/sys/fs/cgroup" + group + "/memory.max"));
    if (controllers.find("memory") != std::string::npos)
      least = std::min(least, number_in("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

std::int64_t touched_bytes(movement const& m, std::vector<std::int64_t> const& block) {
  return side_bytes(m, block, true) + side_bytes(m, block, false);
}

std::vector<std::int64_t> choose_block(movement const& m, std::int64_t most_bytes) {
  std::vector<std::int64_t> whole;
  for (loop const& l : m.loops) whole.push_back(l.extent);
  if (touched_bytes(m, whole) <= most_bytes) return whole;

  std::vector<std::int64_t> block(m.loops.size(), 1);
  std::vector<std::size_t> const order[] = {nearest_first(m, false), nearest_first(m, true)};
  bool can_grow[] = {true, true};
  while (can_grow[0] || can_grow[1]) {
    std::int64_t const runs[] = {run_of(m, block, false, order[0]), run_of(m, block, true, order[1])};
    std::size_t const side = !can_grow[0] || (can_grow[1] && runs[1] < runs[0]) ? 1 : 0;
    auto const next = std::find_if(order[side].begin(), order[side].end(),
                                   [&](std::size_t i) { return block[i] < m.loops[i].extent; });
    if (next == order[side].end()) {
      can_grow[side] = false;
      continue;
    }
    std::int64_t const before = block[*next];
    block[*next] = std::min(before * 2, m.loops[*next].extent);
    if (touched_bytes(m, block) <= most_bytes) continue;
    block[*next] = before;
    can_grow[side] = false;
  }
  return block;
}

void for_each_block(movement const& m, std::vector<std::int64_t> const& block,
                    std::function<bool(block_at const&)> const& f) {
  std::vector<std::int64_t> at(m.loops.size(), 0);
  while (true) {
    block_at here{m.src_offset, m.dst_offset, {}};
    for (std::size_t i = 0; i < at.size(); ++i) {
      here.src += at[i] * m.loops[i].src;
      here.dst += at[i] * m.loops[i].dst;
      here.extents.push_back(std::min(block[i], m.loops[i].extent - at[i]));
    }
    if (!f(here)) return;
    std::size_t i = 0;
    for (; i < at.size(); ++i) {
      at[i] += block[i];
      if (at[i] < m.loops[i].extent) break;
      at[i] = 0;
    }
    if (i == at.size()) return;
  }
}

void for_each_source_run(movement const& m, block_at const& at, std::int64_t least_bytes,
                         std::function<void(std::int64_t, std::int64_t)> const& f) {
  std::int64_t const element_bytes = m.element_bits / 8;
  std::vector<std::size_t> order = nearest_first(m, true);
  std::int64_t const run = run_of(m, at.extents, true, order);
  if (run * element_bytes < least_bytes) return;
  std::int64_t covered = 1;  // loops inside the run need no walk
  std::vector<std::size_t> outer;
  std::int64_t begin = at.src;
  for (std::size_t const i : order) {
    bool const inside = covered < run && stride_of(m.loops[i], true) == covered;
    if (!inside) outer.push_back(i);
    else if (m.loops[i].src < 0) begin += (at.extents[i] - 1) * m.loops[i].src;
    if (inside) covered *= at.extents[i];
  }
  std::vector<std::int64_t> x(outer.size(), 0);
  while (true) {
    std::int64_t offset = begin;
    for (std::size_t k = 0; k < outer.size(); ++k) offset += x[k] * m.loops[outer[k]].src;
    f(offset * element_bytes, run * element_bytes);
    std::size_t k = 0;
    for (; k < x.size(); ++k) {
      if (++x[k] < at.extents[outer[k]]) break;
      x[k] = 0;
    }
    if (k == x.size()) return;
  }
}

std::int64_t usable_memory() { return std::min(available_to_the_machine(), available_to_the_group()) / 2; }

}  // namespace tilewright::cli
