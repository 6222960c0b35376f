// The memory a checked launch watches. Each byte of it remembers who wrote and read it last, and in which epoch: the
// epochs of a launch are numbered through, a barrier starts a new one, of a block or a warp, and so does a block. Two
// accesses are ordered if one thread made both, or if their block, or the warp of both, passed a barrier between them;
// unordered conflicting accesses are faults
// whichever ran first, so one run finds them in any order of the threads.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/exec/block_state.hpp"
#include "tilewright/exec/report.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::exec {

/// Epoch 0 means no epoch: zeroed memory has no history.
struct byte_history {
  std::uint32_t write_epoch = 0;
  std::uint32_t read_epoch = 0;          // of the readers
  std::uint32_t earlier_read_epoch = 0;  // of a reader in an earlier block
  std::uint16_t writer = 0;
  std::uint16_t reader = 0;         // the first reader of read_epoch
  std::uint16_t second_reader = 0;  // another reader of read_epoch; equal to reader if no other thread read
  std::uint16_t earlier_reader = 0;
};

/// The text of the coordinate at an element offset, empty if no coordinate maps to it.
using coordinate_text = std::function<std::string(long long element_offset)>;

/// A range of memory that may be accessed, with the history of its bytes.
class checked_allocation {
 public:
  /// Checks an access of the running thread; the result is its address.
  /// Throws execution_error. cost: O(bytes)
  std::byte const* read(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment);
  std::byte* write(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment);

  /// The address, for accesses that need no order: those of barriers.
  std::byte* unwatched(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment) {
    check_range(offset, bytes, alignment);
    return begin_ + offset;
  }

  [[noreturn]] void refuse_alignment(std::ptrdiff_t offset) { report(fault::misaligned, offset, std::nullopt); }

  /// How reports name coordinates.
  void describe(coordinate_text text) { coordinate_ = std::move(text); }
  bool is_described() const { return static_cast<bool>(coordinate_); }

  std::byte const* begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }

 private:
  friend class checked_session;
  struct conflict {
    std::uint32_t epoch;
    int thread;
  };

  void check_range(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment);
  void read_byte(std::ptrdiff_t offset);
  void write_byte(std::ptrdiff_t offset);
  bool unordered(std::uint32_t epoch, int thread) const;
  [[noreturn]] void report(fault kind, std::ptrdiff_t offset, std::optional<conflict> other) const;

  checked_session* session_ = nullptr;
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t element_bits_ = 8;
  std::ptrdiff_t origin_ = 0;  // reports count bytes from here: where the tensor's pointer points
  bool shared_ = false;
  bool writable_ = true;
  std::string name_;
  coordinate_text coordinate_;
  byte_history* history_ = nullptr;  // of begin_[0]; null where only bounds are checked
};

/// The state of one checked launch.
class checked_session {
 public:
  /// seed 0 runs blocks and threads in order; any other shuffles both, the same way each time.
  checked_session(std::uint64_t seed, bool track_global, bool exited_threads_leave_barriers)
      : seed_(seed),
        track_global_(track_global),
        exited_threads_leave_barriers_(exited_threads_leave_barriers) {}
  checked_session(checked_session const&) = delete;
  checked_session& operator=(checked_session const&) = delete;

  /// Memory that the kernel reaches through an argument.
  struct argument {
    void const* begin;
    std::size_t bytes;
    std::size_t element_bits;
    std::ptrdiff_t origin;  // in bytes; not 0 where the strides are negative
    bool writable;
    std::string name;
  };
  checked_allocation& add_argument(argument a);
  /// The numbers 0, 1, 2 …, one for each argument of the launch.
  int next_argument() { return argument_number_++; }
  /// Allocations that overlap share one history; those that no thread may write keep none.
  void begin_launch();

  void begin_block(block_state& state);
  /// After a barrier of the block, or of one warp.
  void begin_epoch();
  void begin_warp_epoch(int warp);
  /// After the phase of an mbarrier, which is taken to order all that came before it.
  void begin_phase();
  checked_allocation& shared_allocation(int ordinal, void* begin, std::size_t bytes, std::size_t element_bits);

  /// The running thread reads shared memory by its address: that of a tensor of this block.
  void read_shared(std::byte const* begin, std::size_t bytes);

  /// Notes that the running thread waits at `place`; throws if another waits elsewhere.
  void arrive(source_place place);
  /// What is wrong with a barrier that `exited` left out and `waiting` waits at.
  std::optional<execution_report> barrier_fault(int waiting, int exited) const;

  bool exited_threads_leave_barriers() const { return exited_threads_leave_barriers_; }
  /// The running thread exits with asynchronous copies that it has not waited for.
  [[noreturn]] void report_unfinished_copies(int uncommitted, int not_waited_for);
  [[noreturn]] void report_unfinished_products(int uncommitted, int not_waited_for);
  [[noreturn]] void report_unfinished_stores(int uncommitted, int not_waited_for);
  /// The block ends with copies whose barrier no thread has waited for; the running thread started the first.
  [[noreturn]] void report_unfinished_loads(int copies);
  /// The block ends while columns of tensor memory are allocated, which blocks after it wait for.
  [[noreturn]] void report_unfreed_tensor_memory(int columns);

  /// Notes the report, so that a kernel that swallows the exception still fails, and throws it.
  [[noreturn]] void raise(execution_report report);
  /// What a layout's own check says of the running thread.
  execution_report refused(layout_error const& e) const;
  std::optional<execution_report> const& first_report() const { return first_report_; }

  std::uint64_t seed() const { return seed_; }

 private:
  friend class checked_allocation;
  struct block_epochs {
    std::uint32_t first;
    dim3 index;
  };
  struct global_region {
    std::byte* begin;
    std::byte* end;
    bool writable;
    std::vector<byte_history> history;
  };

  [[noreturn]] void report_unfinished(std::string detail);
  dim3 block_of(std::uint32_t epoch) const;
  void next_epoch();

  std::uint64_t seed_;
  bool track_global_;
  bool exited_threads_leave_barriers_;
  int argument_number_ = 0;
  block_state* state_ = nullptr;
  std::uint32_t epoch_ = 0;
  std::uint32_t block_first_epoch_ = 0;
  std::uint32_t barrier_epoch_ = 0;                            // after the block's last barrier
  std::vector<std::uint32_t> warp_epochs_;                     // after each warp's last barrier
  std::vector<block_epochs> blocks_;                           // in the order they ran
  std::optional<std::pair<int, source_place>> first_arrival_;  // at the barrier of this epoch
  std::optional<execution_report> first_report_;
  std::deque<checked_allocation> arguments_;
  std::deque<global_region> regions_;
  std::deque<checked_allocation> shared_;
  std::deque<std::vector<byte_history>> shared_history_;
  int shared_in_block_ = 0;
};

}  // namespace tilewright::exec
