#include "distributed/packer.hpp"

#include "engine/cpu/kernels.hpp"

#include <algorithm>

namespace tilewright::distributed {
namespace {

layout_value layout_of_loops(std::vector<loop> const& loops, std::int64_t loop::*stride) {
  layout_value out;
  if (loops.empty()) {
    out.add_leaf(constant_leaf(1), constant_leaf(0));
    return out;
  }
  out.open(static_cast<int>(loops.size()));
  for (loop const& l : loops) out.add_leaf(constant_leaf(l.extent), constant_leaf(l.*stride));
  return out;
}

layout_value compact(std::vector<loop> loops) {
  std::int64_t stride = 1;
  for (loop& l : loops) {
    l.src = stride;
    stride *= l.extent;
  }
  return layout_of_loops(loops, &loop::src);
}

constexpr std::int64_t min_run_bytes = 128, min_streamed_tensor = 8 << 20, fetched_bytes = 2048;

/// Contiguous bytes, from and to so many bytes behind the start of the memory.
struct run {
  std::int64_t src = 0, dst = 0, bytes = 0;
};

/// Asks for the lines of a run that is read soon. Of a long one the prefetcher of the processor needs the beginning alone.
void fetch(cpu_engine::byte const* from, std::int64_t bytes) {
  for (std::int64_t i = 0; i < std::min<std::int64_t>(bytes, 512); i += 64) __builtin_prefetch(from + i);
}

/// The runs of a box in order of its loops. A side that is packed is the message: its runs follow one another from `message`
/// on, which is moved behind them.
void append_runs(box const& b, std::int64_t item, bool src_packed, bool dst_packed, std::int64_t& message,
                 std::vector<run>& table) {
  std::int64_t const bytes = item * (b.loops.empty() ? 1 : b.loops[0].extent);
  std::vector<std::int64_t> at(b.loops.size(), 0);
  std::int64_t src = b.src * item, dst = b.dst * item;
  for (;;) {
    table.push_back({src_packed ? message : src, dst_packed ? message : dst, bytes});
    message += bytes;
    std::size_t k = 1;
    for (; k < b.loops.size(); ++k) {
      src += b.loops[k].src * item;
      dst += b.loops[k].dst * item;
      if (++at[k] < b.loops[k].extent) break;
      src -= b.loops[k].extent * b.loops[k].src * item;
      dst -= b.loops[k].extent * b.loops[k].dst * item;
      at[k] = 0;
    }
    if (k >= b.loops.size()) return;
  }
}

}  // namespace

packer::packer(chunk_limits const& limits, memory_side const& src, memory_side const& dst, element_type element,
               int threads)
    : limits_(limits),
      src_(src),
      dst_(dst),
      element_(element) {
  options_.threads = threads;
}

std::byte* packer::address(memory_side const& side, std::int64_t offset) const {
  return side.pointer + offset * limits_.element_bits / 8;
}

/// Elements are whole bytes at the addresses that the loops give. The message, a null side, always is.
bool packer::is_plain(memory_side const* side) const {
  return side == nullptr || (side->swizzle.bits == 0 && limits_.element_bits >= 8);
}

/// From tensor or message to tensor or message; a null side is the message, where the box is compact.
void packer::copy_box(box const& b, memory_side const* src, memory_side const* dst, std::byte* packed) const {
  auto const view = [&](memory_side const* side, std::int64_t offset, std::int64_t loop::*stride) {
    if (side == nullptr) return tensor_view{packed, composed(compact(b.loops)), element_};
    layout_value const layout = layout_of_loops(b.loops, stride);
    if (is_plain(side)) return tensor_view{address(*side, offset), composed(layout), element_};
    return tensor_view{side->pointer, {side->swizzle, constant_leaf(offset), layout}, element_};
  };
  copy(view(src, b.src, &loop::src), view(dst, b.dst, &loop::dst), options_);
}

/// Whether plain copies of contiguous bytes are as fast as a planned one.
bool packer::has_long_runs(box const& b, memory_side const* src, memory_side const* dst) const {
  if (!is_plain(src) || !is_plain(dst)) return false;
  if (b.loops.empty()) return true;
  loop const& run = b.loops[0];
  bool const contiguous = (src == nullptr || run.src == 1) && (dst == nullptr || run.dst == 1);
  return contiguous &&
         (b.loops.size() == 1 || (options_.threads == 1 && run.extent * limits_.element_bits / 8 >= min_run_bytes));
}

/// Round after round, each by a table of its contiguous bytes.
/// pre: each box is contiguous along its first loop on both sides
void packer::copy_runs(chunk const& c, memory_side const* src, memory_side const* dst, std::byte* packed) const {
  std::vector<run> table;
  std::int64_t message = 0;
  for (box const& b : c.boxes) append_runs(b, limits_.element_bits / 8, src == nullptr, dst == nullptr, message, table);
  std::int64_t const item = limits_.element_bits / 8;
  std::int64_t const src_step = src == nullptr ? message : c.src_step * item;
  std::int64_t const dst_step = dst == nullptr ? message : c.dst_step * item;
  auto const* from = reinterpret_cast<cpu_engine::byte const*>(src == nullptr ? packed : src->pointer);
  auto* to = reinterpret_cast<cpu_engine::byte*>(dst == nullptr ? packed : dst->pointer);
  std::size_t const fetched =
      src == nullptr || table.empty()
          ? 0
          : static_cast<std::size_t>(fetched_bytes * static_cast<std::int64_t>(table.size()) / message);
  bool const streaming = dst != nullptr && dst->bytes >= min_streamed_tensor;
  cpu_tuning const tuning;
  for (std::int64_t x = 0; x < c.rounds; ++x, from += src_step, to += dst_step)
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (fetched != 0) {
        std::size_t const next = (i + fetched) % table.size();
        fetch(from + table[next].src + (i + fetched >= table.size() ? src_step : 0), table[next].bytes);
      }
      cpu_engine::copy_run(to + table[i].dst, from + table[i].src, table[i].bytes, streaming, tuning);
    }
  if (streaming) cpu_engine::fence();
}

void packer::copy_chunk(chunk const& c, memory_side const* src, memory_side const* dst, std::byte* packed) const {
  if (c.rounds > 1 ||
      std::all_of(c.boxes.begin(), c.boxes.end(), [&](box const& b) { return has_long_runs(b, src, dst); }))
    return copy_runs(c, src, dst, packed);
  for (box const& b : c.boxes) {
    copy_box(b, src, dst, packed);
    if (packed != nullptr) packed += bytes_of(b.elements, limits_.element_bits);
  }
}

void packer::pack(chunk const& c, std::byte* to) const { copy_chunk(c, &src_, nullptr, to); }

void packer::unpack(chunk const& c, std::byte const* from) const {
  copy_chunk(c, nullptr, &dst_, const_cast<std::byte*>(from));  // read alone
}

void packer::copy_own(chunk const& c) const { copy_chunk(c, &src_, &dst_, nullptr); }

}  // namespace tilewright::distributed
