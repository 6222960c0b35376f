// The memory that a checked launch on a GPU watches, and where its first fault is noted: what checked_memory.hpp is to
// the CPU, without the order of accesses, which a GPU does not tell. Threads go on after a fault; what they read then is
// zero, what they write is dropped. The code runs on the host too, so that it is tested without a GPU.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"
#include "tilewright/exec/report.hpp"

#if defined(__CUDACC__)
#include "tilewright/atom/ptx/registers.hpp"
#endif

namespace tilewright::exec {

/// The first fault of a grid, in memory that the device writes and the host reads. All bytes 0: none.
struct device_fault {
  unsigned taken;  // set by the thread whose fault this is
  fault kind;
  bool shared;  // of shared memory `number`, else of argument `number`
  int number;
  unsigned block[3];
  int thread;
  int element_bits;
  long long byte_offset;  // of the first faulting byte, from the range's begin
};

/// A range of bytes that may be accessed.
struct watched_range {
  unsigned char* begin = nullptr;
  long long bytes = 0;
  device_fault* record = nullptr;
  int number = 0;
  int element_bits = 8;
  bool shared = false;

  /// May `count` bytes at `offset` be accessed as one word of that alignment? Notes the fault if not.
  TILEWRIGHT_FN bool allows(long long offset, long long count, unsigned long long alignment) const {
    if (offset < 0 || offset >= bytes) return note(fault::out_of_bounds, offset);
    // The first faulting byte of an access that starts inside is the first one outside.
    if (count > bytes - offset) return note(fault::out_of_bounds, bytes);
    if (reinterpret_cast<std::uintptr_t>(begin + offset) % alignment != 0) return note(fault::misaligned, offset);
    return true;
  }

  TILEWRIGHT_FN bool note(fault kind, long long offset) const {
    if (is_first()) {
      record->kind = kind;
      record->shared = shared;
      record->number = number;
      record->element_bits = element_bits;
      record->byte_offset = offset;
      note_thread();
    }
    return false;
  }

  friend constexpr bool operator==(watched_range const&, watched_range const&) = default;

 private:
  TILEWRIGHT_FN bool is_first() const {
#if TILEWRIGHT_ON_DEVICE
    return atomicCAS(&record->taken, 0u, 1u) == 0;
#else
    bool const first = record->taken == 0;
    record->taken = 1;
    return first;
#endif
  }
  TILEWRIGHT_FN void note_thread() const {
#if TILEWRIGHT_ON_DEVICE
    auto const at = ptx::thread_index(), of = ptx::block_extents(), block = ptx::block_index();
    record->thread = static_cast<int>(at.x + of.x * (at.y + of.y * at.z));
    record->block[0] = block.x;
    record->block[1] = block.y;
    record->block[2] = block.z;
#endif
  }
};

}  // namespace tilewright::exec
