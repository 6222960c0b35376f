// The conditions of the asynchronous copies, each by name with the value found and the value asked for: cp.async, bulk
// copies and TMA. All are checked, so that a report can say everything that is wrong at once. (The broken rule of a
// tensor map alone is machine/tma_tensor.hpp's broken_rule.)
#pragma once

#include "tilewright/base/config.hpp"

#include <vector>

#include "tilewright/analysis/tiling.hpp"
#include "tilewright/machine/tma_tensor.hpp"
#include "tilewright/tiling/warp_access.hpp"

namespace tilewright::analysis {

enum class async_rule : int {
  instruction_exists,      // found: the architecture has it, 0 or 1
  cp_async_width,          // found: bytes of one thread's copy; 4, 8 or 16
  cp_async_l2_only_width,  // found: bytes; 16 for .cg
  source_contiguous,       // found: contiguous bytes of the source; at least one copy's
  destination_contiguous,  // likewise
  source_alignment,        // found: bytes
  destination_alignment,   // found: bytes
  size,                    // found: bytes, a multiple of the needed
  size_counted,            // found: bytes of one phase of an mbarrier, at most the needed
  tma_rank,                // found: modes, 1 to 5
  tma_extent,              // found: the extent of `mode`, 1 to 2^32
  tma_stride,              // found: bytes between elements of `mode`, a multiple of the needed
  tma_stride_range,        // found: bytes, 0 to 2^40 - 1
  tma_box,                 // found: elements of the box in `mode`, 1 to 256
  tma_row,                 // found: bytes of the box's contiguous mode, a multiple of the needed
  tma_swizzle_exists,      // found: bytes of the swizzle's rows
  tma_swizzle_span,        // found: bytes of the box's contiguous mode, at most the needed
  tma_store_row,           // found: bytes of the tensor's contiguous mode, a multiple of the needed
};

struct condition {
  async_rule rule;
  bool holds;
  long long found;
  long long needed;
  int mode = -1;  // of the tensor, where the rule is about one
  friend constexpr bool operator==(condition const&, condition const&) = default;
};

constexpr bool all_hold(std::vector<condition> const& all) {
  for (condition const& c : all)
    if (!c.holds) return false;
  return true;
}

namespace detail {
constexpr bool is_multiple(long long a, long long n) { return a % n == 0; }
}  // namespace detail

/// One thread's cp.async (PTX ISA, "Non-bulk copy: cp.async"): 4, 8 or 16 bytes, both sides aligned to that; 16 alone
/// where it bypasses L1 (.cg).
struct cp_async_question {
  bytes width{16};
  bool l2_only = false;
  bytes source_run{16}, destination_run{16};  // contiguous bytes on each side
  bytes source_alignment{16}, destination_alignment{16};
};
inline std::vector<condition> check_cp_async(cp_async_question const& q, architecture const& machine) {
  long long const w = q.width.count;
  std::vector<condition> out{{async_rule::instruction_exists, machine.cp_async, machine.cp_async, 1},
                             {async_rule::cp_async_width, w == 4 || w == 8 || w == 16, w, 16}};
  if (q.l2_only) out.push_back({async_rule::cp_async_l2_only_width, w == 16, w, 16});
  out.push_back({async_rule::source_contiguous, q.source_run.count >= w, q.source_run.count, w});
  out.push_back({async_rule::destination_contiguous, q.destination_run.count >= w, q.destination_run.count, w});
  if (w > 0) {
    out.push_back(
        {async_rule::source_alignment, detail::is_multiple(q.source_alignment.count, w), q.source_alignment.count, w});
    out.push_back({async_rule::destination_alignment, detail::is_multiple(q.destination_alignment.count, w),
                   q.destination_alignment.count, w});
  }
  return out;
}

/// One cp.async.bulk (PTX ISA, "Bulk copy"): a run of bytes; size and both addresses are multiples of 16. What one phase
/// of an mbarrier waits for is at most 2^20 - 1 bytes.
struct bulk_question {
  bytes size{};
  bytes source_alignment{16}, destination_alignment{16};
  bytes phase{};  // all bytes of the phase; 0: this copy alone
};
inline std::vector<condition> check_bulk(bulk_question const& q, architecture const& machine) {
  constexpr long long unit = 16, most = (1LL << 20) - 1;
  long long const phase = q.phase.count == 0 ? q.size.count : q.phase.count;
  return {{async_rule::instruction_exists, machine.bulk, machine.bulk, 1},
          {async_rule::size, q.size.count > 0 && detail::is_multiple(q.size.count, unit), q.size.count, unit},
          {async_rule::source_alignment, detail::is_multiple(q.source_alignment.count, unit), q.source_alignment.count,
           unit},
          {async_rule::destination_alignment, detail::is_multiple(q.destination_alignment.count, unit),
           q.destination_alignment.count, unit},
          {async_rule::size_counted, phase <= most, phase, most}};
}

/// The box of a tensor map and where it is. Global addresses and strides are multiples of 16 bytes; shared memory is
/// aligned to 128 bytes, and with a swizzle to 8 of its rows' spans, its period, for the layout to hold by address.
struct tma_question {
  tma_tensor tensor{};  // its address plays no part
  bytes global_alignment{16}, shared_alignment{128};
  bool stores = false;
};
inline std::vector<condition> check_tma(tma_question const& q, architecture const& machine) {
  tma_tensor const& t = q.tensor;
  constexpr long long unit = tma_tensor::alignment;
  int const rank = t.rank < 0 ? 0 : t.rank > tma_tensor::max_rank ? tma_tensor::max_rank : t.rank;
  std::vector<condition> out{
      {async_rule::instruction_exists, machine.tma, machine.tma, 1},
      {async_rule::tma_rank, t.rank >= 1 && t.rank <= tma_tensor::max_rank, t.rank, tma_tensor::max_rank},
      {async_rule::source_alignment, detail::is_multiple(q.global_alignment.count, unit), q.global_alignment.count,
       unit}};
  for (int i = 0; i < rank; ++i) {
    out.push_back({async_rule::tma_extent, t.extent[i] >= 1 && t.extent[i] <= tma_tensor::max_extent, t.extent[i],
                   tma_tensor::max_extent, i});
    if (i > 0) {
      out.push_back({async_rule::tma_stride, detail::is_multiple(t.stride[i], unit), t.stride[i], unit, i});
      out.push_back({async_rule::tma_stride_range, t.stride[i] >= 0 && t.stride[i] <= tma_tensor::max_stride,
                     t.stride[i], tma_tensor::max_stride, i});
    }
    out.push_back(
        {async_rule::tma_box, t.box[i] >= 1 && t.box[i] <= tma_tensor::max_box, t.box[i], tma_tensor::max_box, i});
  }
  long long const row = static_cast<long long>(t.box[0]) * t.element_bytes, span = span_bytes(t.swizzle);
  out.push_back({async_rule::tma_row, row > 0 && detail::is_multiple(row, unit), row, unit, 0});
  if (span != 0) {
    bool known = false;
    for (bytes const b : machine.tma_swizzles) known = known || b.count == span;
    out.push_back({async_rule::tma_swizzle_exists, known, span, 0});
    out.push_back({async_rule::tma_swizzle_span, row <= span, row, span, 0});
  }
  long long const aligned = span == 0 ? 128 : 8 * span;
  out.push_back({async_rule::destination_alignment, detail::is_multiple(q.shared_alignment.count, aligned),
                 q.shared_alignment.count, aligned});
  if (q.stores) {
    long long extent_bytes = 0;
    bool const fits = math::multiply(t.extent[0], t.element_bytes, extent_bytes);
    out.push_back({async_rule::tma_store_row, fits && detail::is_multiple(extent_bytes, unit), extent_bytes, unit, 0});
  }
  return out;
}

}  // namespace tilewright::analysis
