// Implements the watch over memory: which accesses conflict, with whom, and which are ordered.
#include "tilewright/exec/checked_memory.hpp"

#include "tilewright/machine/host_thread.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tilewright::exec {

// --- accesses -------------------------------------------------------------------------------------------------------

std::byte const* checked_allocation::read(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment) {
  check_range(offset, bytes, alignment);
  if (history_ != nullptr) {
    for (std::size_t i = 0; i < bytes; ++i) read_byte(offset + static_cast<std::ptrdiff_t>(i));
  }
  return begin_ + offset;
}

std::byte* checked_allocation::write(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment) {
  check_range(offset, bytes, alignment);
  if (history_ != nullptr) {
    for (std::size_t i = 0; i < bytes; ++i) write_byte(offset + static_cast<std::ptrdiff_t>(i));
  }
  return begin_ + offset;
}

void checked_allocation::check_range(std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment) {
  auto const size = static_cast<std::ptrdiff_t>(bytes_);
  if (offset < 0 || offset >= size) report(fault::out_of_bounds, offset, std::nullopt);
  // The first faulting byte of an access that starts inside is the first one outside.
  if (static_cast<std::ptrdiff_t>(bytes) > size - offset) report(fault::out_of_bounds, size, std::nullopt);
  if (reinterpret_cast<std::uintptr_t>(begin_ + offset) % alignment != 0) {
    report(fault::misaligned, offset, std::nullopt);
  }
}

/// Shared memory begins anew with each block, so only this epoch's accesses can conflict there. Between blocks no
/// access to global memory is ordered.
bool checked_allocation::unordered(std::uint32_t epoch, int thread) const {
  if (epoch == 0) return false;
  if (epoch < session_->block_first_epoch_) return !shared_;
  int const running = session_->state_->running;
  if (epoch < session_->barrier_epoch_ || thread == running) return false;
  auto const warp = static_cast<std::size_t>(running / warp_size);
  return thread / warp_size != running / warp_size || warp >= session_->warp_epochs_.size() ||
         epoch >= session_->warp_epochs_[warp];
}

void checked_allocation::read_byte(std::ptrdiff_t offset) {
  byte_history& h = history_[offset];
  if (shared_ && h.write_epoch < session_->block_first_epoch_) {
    report(fault::uninitialised_read, offset, std::nullopt);
  }
  if (unordered(h.write_epoch, h.writer)) report(fault::unordered_read, offset, conflict{h.write_epoch, h.writer});

  auto const thread = static_cast<std::uint16_t>(session_->state_->running);
  bool const earlier_reads_are_ordered = h.read_epoch < session_->barrier_epoch_ ||
                                         (h.read_epoch != session_->epoch_ && !unordered(h.read_epoch, h.reader) &&
                                          !unordered(h.read_epoch, h.second_reader));
  if (earlier_reads_are_ordered) {
    if (h.read_epoch != 0 && h.read_epoch < session_->block_first_epoch_) {
      h.earlier_read_epoch = h.read_epoch;
      h.earlier_reader = h.reader;
    }
    h.read_epoch = session_->epoch_;
    h.reader = h.second_reader = thread;
  } else {
    h.read_epoch = session_->epoch_;
    if (h.reader != thread) h.second_reader = thread;
  }
}

void checked_allocation::write_byte(std::ptrdiff_t offset) {
  byte_history& h = history_[offset];
  if (unordered(h.write_epoch, h.writer)) report(fault::unordered_write, offset, conflict{h.write_epoch, h.writer});
  if (unordered(h.read_epoch, h.reader)) report(fault::write_after_read, offset, conflict{h.read_epoch, h.reader});
  if (unordered(h.read_epoch, h.second_reader)) {
    report(fault::write_after_read, offset, conflict{h.read_epoch, h.second_reader});
  }
  if (unordered(h.earlier_read_epoch, h.earlier_reader)) {
    report(fault::write_after_read, offset, conflict{h.earlier_read_epoch, h.earlier_reader});
  }
  h.write_epoch = session_->epoch_;
  h.writer = static_cast<std::uint16_t>(session_->state_->running);
}

void checked_allocation::report(fault kind, std::ptrdiff_t offset, std::optional<conflict> other) const {
  auto const element_bits = static_cast<std::ptrdiff_t>(element_bits_);
  execution_report r;
  r.kind = kind;
  r.block = session_->state_->index;
  r.thread = session_->state_->running;
  r.other_block = r.block;
  if (other) {
    r.other_block = session_->block_of(other->epoch);
    r.other_thread = other->thread;
  }
  r.allocation = name_;
  r.byte_offset = offset - origin_;
  auto const bits = (offset - origin_) * 8;
  r.element_offset = bits / element_bits - (bits % element_bits < 0 ? 1 : 0);
  if (coordinate_) r.coordinate = coordinate_(r.element_offset);
  session_->raise(std::move(r));
}

// --- a launch -------------------------------------------------------------------------------------------------------

checked_allocation& checked_session::add_argument(argument given) {
  checked_allocation& a = arguments_.emplace_back();
  a.session_ = this;
  a.begin_ = static_cast<std::byte*>(const_cast<void*>(given.begin));
  a.bytes_ = given.bytes;
  a.element_bits_ = given.element_bits;
  a.origin_ = given.origin;
  a.writable_ = given.writable;
  a.name_ = std::move(given.name);
  return a;
}

void checked_session::begin_launch() {
  if (!track_global_) return;
  std::vector<checked_allocation*> sorted;
  for (checked_allocation& a : arguments_) {
    if (a.bytes_ != 0) sorted.push_back(&a);
  }
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->begin_ < b->begin_; });
  for (checked_allocation* a : sorted) {
    std::byte* const end = a->begin_ + a->bytes_;
    if (regions_.empty() || regions_.back().end <= a->begin_) {
      regions_.push_back({a->begin_, end, a->writable_, {}});
    } else {
      regions_.back().end = std::max(regions_.back().end, end);
      regions_.back().writable |= a->writable_;
    }
  }
  for (global_region& region : regions_) {
    if (region.writable) region.history.resize(static_cast<std::size_t>(region.end - region.begin));
  }
  auto region = regions_.begin();
  for (checked_allocation* a : sorted) {
    while (region->end <= a->begin_) ++region;
    if (region->writable) a->history_ = region->history.data() + (a->begin_ - region->begin);
  }
}

void checked_session::begin_block(block_state& state) {
  state_ = &state;
  shared_in_block_ = 0;
  begin_epoch();
  warp_epochs_.clear();
  block_first_epoch_ = epoch_;
  blocks_.push_back({epoch_, state.index});
}

void checked_session::begin_epoch() {
  next_epoch();
  barrier_epoch_ = epoch_;
  first_arrival_.reset();
}

void checked_session::begin_warp_epoch(int warp) {
  next_epoch();
  auto const i = static_cast<std::size_t>(warp);
  if (warp_epochs_.size() <= i) warp_epochs_.resize(i + 1);
  warp_epochs_[i] = epoch_;
}

void checked_session::begin_phase() {
  next_epoch();
  barrier_epoch_ = epoch_;
}

void checked_session::next_epoch() {
  if (epoch_ == std::numeric_limits<std::uint32_t>::max()) {
    throw launch_error(
        "launch_checked: a launch of more than 4294967295 blocks and barriers cannot be watched; check a "
        "smaller grid");
  }
  ++epoch_;
}

checked_allocation& checked_session::shared_allocation(int ordinal, void* begin, std::size_t bytes,
                                                       std::size_t element_bits) {
  auto const i = static_cast<std::size_t>(ordinal);
  if (ordinal < shared_in_block_) return shared_[i];
  if (i == shared_.size()) {
    shared_.emplace_back();
    shared_history_.emplace_back();
  }
  checked_allocation& a = shared_[i];
  a = checked_allocation{};
  a.session_ = this;
  a.begin_ = static_cast<std::byte*>(begin);
  a.bytes_ = bytes;
  a.element_bits_ = element_bits;
  a.shared_ = true;
  a.name_ = std::string("shared memory ") + std::to_string(ordinal);
  if (shared_history_[i].size() < bytes) shared_history_[i].resize(bytes);
  a.history_ = shared_history_[i].data();
  shared_in_block_ = ordinal + 1;
  return a;
}

void checked_session::read_shared(std::byte const* begin, std::size_t bytes) {
  for (int i = 0; i < shared_in_block_; ++i) {
    checked_allocation& a = shared_[static_cast<std::size_t>(i)];
    if (begin < a.begin_ || begin >= a.begin_ + a.bytes_) continue;
    (void)a.read(begin - a.begin_, bytes, 1);
    return;
  }
  execution_report r;
  r.kind = fault::refused;
  r.block = r.other_block = state_->index;
  r.thread = state_->running;
  r.detail = "reads " + std::to_string(bytes) +
             " bytes of shared memory that no shared<T>() of the block made; make the matrix descriptor from a tensor "
             "of block.shared<T>()";
  raise(std::move(r));
}

// --- barriers -------------------------------------------------------------------------------------------------------

namespace {

std::string text(source_place place) { return std::string(place.file) + ":" + std::to_string(place.line); }

bool same(source_place const& a, source_place const& b) {
  return a.line == b.line && std::string_view(a.file) == b.file;
}

}  // namespace

void checked_session::arrive(source_place place) {
  if (!first_arrival_) {
    first_arrival_.emplace(state_->running, place);
    return;
  }
  auto const& [other, other_place] = *first_arrival_;
  if (same(place, other_place)) return;
  execution_report r;
  r.kind = fault::divergent_barrier;
  r.block = r.other_block = state_->index;
  r.thread = state_->running;
  r.other_thread = other;
  r.place = text(place);
  r.other_place = text(other_place);
  raise(std::move(r));
}

std::optional<execution_report> checked_session::barrier_fault(int waiting, int exited) const {
  if (exited_threads_leave_barriers_) return std::nullopt;
  execution_report r;
  r.kind = fault::divergent_barrier;
  r.block = r.other_block = state_->index;
  r.thread = waiting;
  r.other_thread = exited;
  if (first_arrival_) r.place = text(first_arrival_->second);
  return r;
}

dim3 checked_session::block_of(std::uint32_t epoch) const {
  auto const after = std::upper_bound(blocks_.begin(), blocks_.end(), epoch,
                                      [](std::uint32_t e, block_epochs const& b) { return e < b.first; });
  return std::prev(after)->index;
}

execution_report checked_session::refused(layout_error const& e) const {
  execution_report r;
  r.kind = e.cause().code == errc::coordinate_out_of_range ? fault::out_of_bounds : fault::refused;
  r.block = r.other_block = state_->index;
  r.thread = state_->running;
  r.detail = e.what();
  return r;
}

void checked_session::report_unfinished(std::string detail) {
  execution_report r;
  r.kind = fault::unfinished_copy;
  r.block = r.other_block = state_->index;
  r.thread = state_->running;
  r.detail = std::move(detail);
  raise(std::move(r));
}

void checked_session::report_unfinished_copies(int uncommitted, int not_waited_for) {
  report_unfinished("exits while " + std::to_string(uncommitted + not_waited_for) + " of its asynchronous copies, " +
                    std::to_string(uncommitted) +
                    " of them in no committed group, may be in flight; call cp_async_fence() and cp_async_wait<0>() "
                    "before the barrier that hands the data on");
}

void checked_session::report_unfinished_products(int uncommitted, int not_waited_for) {
  report_unfinished("exits while " + std::to_string(uncommitted + not_waited_for) + " of its matrix products, " +
                    std::to_string(uncommitted) +
                    " of them in no committed group, may be in flight; call warpgroup_commit_batch() and "
                    "warpgroup_wait<0>() before the accumulators are read");
}

void checked_session::report_unfinished_stores(int uncommitted, int not_waited_for) {
  report_unfinished("exits while " + std::to_string(uncommitted + not_waited_for) + " of its bulk copies, " +
                    std::to_string(uncommitted) +
                    " of them in no committed group, may still read shared memory; call tma_store_arrive() and "
                    "tma_store_wait<0>() before the kernel ends");
}

void checked_session::report_unfinished_loads(int copies) {
  report_unfinished("started the first of " + std::to_string(copies) +
                    " copies whose barrier no thread waits for until the block ends; call wait_barrier(barrier, phase) "
                    "with the parity of the phase that counts their bytes");
}

void checked_session::report_unfreed_tensor_memory(int columns) {
  report_unfinished(
      "and its block exit while " + std::to_string(columns) +
      " columns of tensor memory are allocated; let the warp that allocated them call free(address, columns) "
      "of the allocator");
}

void checked_session::raise(execution_report report) {
  if (!first_report_) first_report_ = report;
  throw execution_error(std::move(report));
}

}  // namespace tilewright::exec
