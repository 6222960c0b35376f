// Chooses and walks blocks; asks the system how much memory there is.
#include "apps/cli/convert/blocks.hpp"

#include "tilewright/machine/arch.hpp"

#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>

namespace tilewright::cli {
namespace {

constexpr std::int64_t without_a_limit = std::int64_t{1} << 60;
constexpr std::int64_t cache_line = arch(arch_id::cpu).line.count;  // bytes
constexpr std::int64_t max_gap = 16 * 1024;  // bytes that are written as zeros rather than skipped
constexpr std::int64_t short_row = 64;       // bytes; shorter rows take a gap of any size that is not much larger

std::int64_t stride_of(loop const& l, bool of_input) { return of_input ? l.src : l.dst; }

/// The loops of one side, the nearest elements first.
std::vector<std::size_t> nearest_first(copy_loops const& c, bool of_input) {
  std::vector<std::size_t> order(c.loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return math::abs(stride_of(c.loops[i], of_input)) < math::abs(stride_of(c.loops[j], of_input));
  });
  return order;
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

/// May a loop of that stride be part of a row of `row` elements?
bool joins(std::int64_t stride, std::int64_t row, bool inside_is_whole, std::int64_t element_bytes) {
  if (stride == row) return inside_is_whole;
  if (!inside_is_whole || stride < row) return false;
  std::int64_t const gap = (stride - row) * element_bytes;
  return gap <= max_gap && gap <= std::max(row * element_bytes, short_row);
}

/// Merges loops that continue one another on both sides.
void merge_adjacent(std::vector<loop>& loops) {
  for (std::size_t i = 1; i < loops.size();) {
    loop& below = loops[i - 1];
    bool const continues = loops[i].src == below.src * below.extent && loops[i].dst == below.dst * below.extent;
    if (continues) below.extent *= loops[i].extent, loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    else ++i;
  }
}

block_at whole_block(copy_loops const& c, std::vector<std::int64_t> const& extents) { return {c.src, c.dst, extents}; }

/// Are the output's offsets those of nested loops, each of which steps over all of those inside?
bool is_nested(copy_loops const& c) {
  std::int64_t span = 1;
  for (std::size_t const i : nearest_first(c, false)) {
    std::int64_t const stride = math::abs(c.loops[i].dst);
    if (stride < span) return false;
    span += (c.loops[i].extent - 1) * stride;
  }
  return true;
}

}  // namespace

copy_loops loops_of(conversion const& c) {
  copy_loops out;
  out.src = c.src.offset.number, out.dst = c.dst.offset.number;
  for (int i = 0; i < c.src.layout.leaves; ++i) {
    std::int64_t const extent = c.src.layout.shape[i].number;
    out.elements *= extent;
    if (extent != 1) out.loops.push_back({extent, c.src.layout.stride[i].number, c.dst.layout.stride[i].number});
  }
  if (out.elements == 0) out.loops.clear();
  std::stable_sort(out.loops.begin(), out.loops.end(),
                   [](loop const& a, loop const& b) { return math::abs(a.dst) < math::abs(b.dst); });
  merge_adjacent(out.loops);
  out.is_nested = is_nested(out);
  return out;
}

std::int64_t block_rows::row_begin(std::int64_t r) const {
  std::int64_t at = first;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    at += r % extents[i] * strides[i];
    r /= extents[i];
  }
  return at;
}

block_rows rows_of(copy_loops const& c, block_at const& at, bool of_input, std::int64_t element_bytes) {
  block_rows out;
  out.first = of_input ? at.src : at.dst;
  out.in_buffer.assign(c.loops.size(), 0);
  std::vector<std::size_t> const order = nearest_first(c, of_input);
  bool is_whole = true, in_row = true;
  std::int64_t elements = 1;
  std::vector<std::size_t> from_row_to_row;
  for (std::size_t const i : order) {
    std::int64_t const extent = at.extents[i], signed_stride = stride_of(c.loops[i], of_input);
    std::int64_t const stride = math::abs(signed_stride);
    if (signed_stride < 0) out.first -= (extent - 1) * stride;
    if (extent != 1 && in_row) {
      in_row = joins(stride, out.row, is_whole, element_bytes) && (c.is_nested || stride == out.row);
      if (in_row) out.row += (extent - 1) * stride, elements *= extent, out.in_buffer[i] = stride;
    }
    if (extent != 1 && !in_row) from_row_to_row.push_back(i);
    is_whole = is_whole && extent == c.loops[i].extent;
  }
  out.has_holes = elements != out.row;
  out.pitch = out.row;
  if (!from_row_to_row.empty() && out.row * element_bytes >= 4 * cache_line) {
    // An odd number of lines: rows below one another are in different sets of the cache.
    std::int64_t const lines = (out.row * element_bytes + cache_line - 1) / cache_line | 1;
    out.pitch = (lines * cache_line + element_bytes - 1) / element_bytes;
  }
  for (std::size_t const i : from_row_to_row) {
    out.in_buffer[i] = out.rows * out.pitch;
    out.extents.push_back(at.extents[i]);
    out.strides.push_back(math::abs(stride_of(c.loops[i], of_input)));
    out.rows *= at.extents[i];
  }
  for (std::size_t i = 0; i < c.loops.size(); ++i) {
    if (stride_of(c.loops[i], of_input) >= 0) continue;
    out.origin += (at.extents[i] - 1) * out.in_buffer[i];
    out.in_buffer[i] = -out.in_buffer[i];
  }
  return out;
}

std::int64_t buffer_bytes(copy_loops const& c, std::vector<std::int64_t> const& block, std::int64_t element_bytes,
                          bool of_input) {
  block_rows const rows = rows_of(c, whole_block(c, block), of_input, element_bytes);
  long long bytes = 0;
  if (!math::multiply(rows.pitch, rows.rows, bytes) || !math::multiply(bytes, element_bytes, bytes))
    return without_a_limit;
  return std::min<std::int64_t>(bytes, without_a_limit);
}

std::vector<std::int64_t> choose_block(copy_loops const& c, std::int64_t element_bytes, std::int64_t max_bytes) {
  auto const needed = [&](std::vector<std::int64_t> const& block) {
    return buffer_bytes(c, block, element_bytes, true) + buffer_bytes(c, block, element_bytes, false);
  };
  std::vector<std::int64_t> whole;
  for (loop const& l : c.loops) whole.push_back(l.extent);
  if (needed(whole) <= max_bytes) return whole;

  std::vector<std::int64_t> block(c.loops.size(), 1);
  std::vector<std::size_t> const order[] = {nearest_first(c, false), nearest_first(c, true)};
  bool can_grow[] = {true, true};
  auto const row = [&](bool of_input) { return rows_of(c, whole_block(c, block), of_input, element_bytes).row; };
  while (can_grow[0] || can_grow[1]) {
    std::size_t const side = !can_grow[0] || (can_grow[1] && row(true) < row(false)) ? 1 : 0;
    auto const next = std::find_if(order[side].begin(), order[side].end(),
                                   [&](std::size_t i) { return block[i] < c.loops[i].extent; });
    if (next == order[side].end()) {
      can_grow[side] = false;
      continue;
    }
    std::int64_t const before = block[*next];
    block[*next] = std::min(before * 2, c.loops[*next].extent);
    if (needed(block) <= max_bytes) continue;
    block[*next] = before;
    can_grow[side] = false;
  }
  return block;
}

void for_each_block(copy_loops const& c, std::vector<std::int64_t> const& block,
                    std::function<bool(block_at const&)> const& f) {
  std::vector<std::int64_t> at(c.loops.size(), 0);
  while (true) {
    block_at here{c.src, c.dst, {}};
    for (std::size_t i = 0; i < at.size(); ++i) {
      here.src += at[i] * c.loops[i].src;
      here.dst += at[i] * c.loops[i].dst;
      here.extents.push_back(std::min(block[i], c.loops[i].extent - at[i]));
    }
    if (!f(here)) return;
    std::size_t i = 0;
    for (; i < at.size(); ++i) {
      at[i] += block[i];
      if (at[i] < c.loops[i].extent) break;
      at[i] = 0;
    }
    if (i == at.size()) return;
  }
}

std::int64_t usable_memory() { return std::min(available_to_the_machine(), available_to_the_group()) / 2; }

std::int64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  return file >> all >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace tilewright::cli
