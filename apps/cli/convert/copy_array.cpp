// Reads the rows of a block, lets the engine copy it, writes the rows; both transfers on all threads.
#include "apps/cli/convert/copy_array.hpp"

#include "apps/cli/command.hpp"
#include "apps/cli/convert/blocks.hpp"
#include "engine/cuda/device_memory.hpp"
#include "engine/exec/parallel_ranges.hpp"
#include "engine/npy/position_sums.hpp"

#include <fcntl.h>
#include <algorithm>
#include <cstring>
#include <mutex>

namespace tilewright::cli {
namespace {

using npy::position_sums;
using npy::position_total;

constexpr std::int64_t moved_at_once = 256 * 1024;                // that a thread reads or writes at once
constexpr std::int64_t written_at_once = std::int64_t{32} << 20;  // between two hints to the disk
constexpr std::int64_t min_advised = 32 * 1024;                   // bytes of a row; shorter ones are left to the system

/// What goes wrong on one of several threads, and the sums of all.
class shared_outcome {
 public:
  void fail(std::exception_ptr error) {
    std::lock_guard const lock(mutex_);
    if (error_ == nullptr) error_ = std::move(error);
  }
  void add(position_total const& t) {
    std::lock_guard const lock(mutex_);
    total_ += t;
  }
  position_total const& total() const { return total_; }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  position_total total_;
};

/// Runs f(i) for i in [0, count) on the threads.
/// error: the first that f throws
template <class F>
void on_threads(int threads, std::int64_t count, F const& f) {
  struct state {
    F const& f;
    shared_outcome outcome;
  } s{f, {}};
  exec::parallel_ranges_on(threads, static_cast<std::uint64_t>(count), &s,
                           [](void* owner, std::uint64_t begin, std::uint64_t end) {
                             auto& mine = *static_cast<state*>(owner);
                             try {
                               for (std::uint64_t i = begin; i < end; ++i) mine.f(static_cast<std::int64_t>(i));
                             } catch (...) {
                               mine.outcome.fail(std::current_exception());
                             }
                           });
  s.outcome.rethrow();
}

class file_copy {
 public:
  explicit file_copy(array_copy const& job) : job_(job), loops_(loops_of(job.what)), bytes_(job.element.bytes) {
    if (job.verify && has_sums(job.what, job.element))
      sums_ = position_sums::of(loops_.loops, bytes_, loops_.src, loops_.dst);
  }

  sums run() {
    if (loops_.elements == 0 || bytes_ == 0) return job_.verify ? sums::agree : sums::not_taken;
    if (job_.where.kind == device_kind::cuda) run_on_gpu();
    else run_on_cpu();
    if (!sums_) return sums::not_taken;
    position_total const expected = sums_->expected(), &in = read_.total(), &out = written_.total();
    bool const complete = in.positions == expected.positions && out.positions == expected.positions &&
                          in.bytes == expected.bytes && out.bytes == expected.bytes;
    return complete && in.words == out.words && out.holes_are_zero ? sums::agree : sums::differ;
  }

 private:
  // --- transfers: elements [begin, begin + data.size() / bytes_) of a side ---------------------------------------------

  void read(std::int64_t begin, std::span<std::byte> data) {
    int code = 0;
    std::int64_t const at = job_.in.begin + begin * bytes_;
    std::size_t const got = read_at(job_.in.file, at, data, code);
    if (got != data.size()) throw job_.in.failure(code, at + static_cast<std::int64_t>(got));
    if (job_.order) convert_byte_order(data, job_.element, *job_.order);
    if (sums_) read_.add(sums_->sum(position_sums::source, begin * bytes_, data));
  }

  void write(std::int64_t begin, std::span<std::byte const> data) {
    if (sums_) written_.add(sums_->sum(position_sums::destination, begin * bytes_, data));
    std::int64_t const at = job_.out.begin + begin * bytes_;
    if (int const code = write_at(job_.out.file, at, data); code != 0) throw job_.out.failure(code, at);
  }

  /// Calls f(element of the file, bytes of the buffer) for pieces of all rows, on the threads.
  template <class F>
  void for_each_piece(block_rows const& rows, std::byte* buffer, F const& f) const {
    std::int64_t const piece = std::max<std::int64_t>(1, moved_at_once / bytes_);
    std::int64_t const pieces = (rows.row + piece - 1) / piece;
    on_threads(job_.threads, rows.rows * pieces, [&](std::int64_t i) {
      std::int64_t const row = i / pieces, from = i % pieces * piece, count = std::min(piece, rows.row - from);
      f(rows.row_begin(row) + from,
        std::span(buffer + (row * rows.pitch + from) * bytes_, static_cast<std::size_t>(count * bytes_)));
    });
  }

  // --- on a CPU ---------------------------------------------------------------------------------------------------------

  void run_on_cpu() {
    std::vector<std::int64_t> const block = blocks_of(job_);
    block_memory in(static_cast<std::size_t>(buffer_bytes(loops_, block, bytes_, true)));
    block_memory out(static_cast<std::size_t>(buffer_bytes(loops_, block, bytes_, false)));
    std::int64_t const all = loops_.elements * bytes_;
    bool const fits = all <= usable_memory() / 2;
    if (fits) (void)posix_fadvise(job_.in.file, job_.in.begin, all, POSIX_FADV_WILLNEED);
    std::int64_t done = 0, hinted = 0;
    for_each_block(loops_, block, [&](block_at const& at) {
      copy_block(at, in, out, !fits);
      std::int64_t elements = 1;
      for (std::int64_t const extent : at.extents) elements *= extent;
      done += elements * bytes_;
      job_.progress(done);
      if (done - hinted >= written_at_once) job_.after_block(), hinted = done;
      return true;
    });
    if (job_.what.dst.swizzle.bits != 0) swizzle_output();
  }

  void copy_block(block_at const& at, block_memory& in, block_memory& out, bool advise) {
    block_rows const src = rows_of(loops_, at, true, bytes_), dst = rows_of(loops_, at, false, bytes_);
    if (advise && src.row * bytes_ >= min_advised)
      for (std::int64_t r = 0; r < src.rows; ++r)
        (void)posix_fadvise(job_.in.file, job_.in.begin + src.row_begin(r) * bytes_, src.row * bytes_,
                            POSIX_FADV_WILLNEED);
    for_each_piece(src, in.data(), [&](std::int64_t begin, std::span<std::byte> data) { read(begin, data); });
    if (dst.has_holes) std::memset(out.data(), 0, static_cast<std::size_t>(dst.elements() * bytes_));
    block_views const views = views_of_block(job_, at.extents, in.data(), out.data());
    copy_options options;
    options.threads = job_.threads;
    job_.copier(views.src, views.dst, options);
    for_each_piece(dst, out.data(), [&](std::int64_t begin, std::span<std::byte> data) { write(begin, data); });
  }

  /// The offsets of a swizzle's period are permuted among themselves: each period of the output is read, permuted and
  /// written back.
  void swizzle_output() {
    swizzle_value const& swizzle = job_.what.dst.swizzle;
    int const reach = swizzle.base + swizzle.bits + (swizzle.shift < 0 ? -swizzle.shift : swizzle.shift);
    std::int64_t const period = std::int64_t{1} << reach;
    std::int64_t const count = std::max<std::int64_t>(1, job_.max_bytes / 2 / bytes_ / period) * period;
    block_memory before(static_cast<std::size_t>(count * bytes_)), after(static_cast<std::size_t>(count * bytes_));
    for (std::int64_t begin = 0; begin < job_.what.out_elements; begin += count) {
      std::int64_t const here = std::min(count, job_.what.out_elements - begin);
      std::span const data(before.data(), static_cast<std::size_t>(here * bytes_));
      std::int64_t const at = job_.out.begin + begin * bytes_;
      int code = 0;
      if (read_at(job_.out.file, at, data, code) != data.size()) throw job_.out.failure(code, at);
      auto const width = static_cast<std::size_t>(bytes_);
      on_threads(job_.threads, here, [&](std::int64_t i) {
        std::memcpy(after.data() + swizzle(i) * bytes_, before.data() + i * bytes_, width);
      });
      code = write_at(job_.out.file, at, std::span(after.data(), data.size()));
      if (code != 0) throw job_.out.failure(code, at);
    }
  }

  // --- on a GPU ---------------------------------------------------------------------------------------------------------

  void run_on_gpu() {
    auto const in_bytes = static_cast<std::size_t>(loops_.elements * bytes_);
    auto const out_bytes = static_cast<std::size_t>(job_.what.out_elements * bytes_);
    gpu::gpu_device const& device = gpu::device_of(job_.where.ordinal);
    gpu::device_memory src(device, in_bytes), dst(device, out_bytes);
    std::int64_t const count = std::max<std::int64_t>(1, job_.max_bytes / bytes_);
    block_memory buffer(static_cast<std::size_t>(std::min(count, job_.what.out_elements) * bytes_));
    in_pieces(loops_.elements, count, buffer, [&](std::size_t at, std::span<std::byte> data, block_rows const& rows) {
      for_each_piece(rows, data.data(), [&](std::int64_t begin, std::span<std::byte> part) { read(begin, part); });
      src.upload(data.data(), data.size(), at);
    });
    if (out_bytes > in_bytes) dst.fill(0);
    block_views views = views_of_whole(job_);
    views.src.pointer = src.data(), views.dst.pointer = dst.data();
    job_.copier(views.src, views.dst, {});
    in_pieces(
        job_.what.out_elements, count, buffer, [&](std::size_t at, std::span<std::byte> data, block_rows const& rows) {
          dst.download(data.data(), data.size(), at);
          for_each_piece(rows, data.data(), [&](std::int64_t begin, std::span<std::byte> part) { write(begin, part); });
          job_.progress(static_cast<std::int64_t>(std::min(at + data.size(), in_bytes)));
        });
  }

  static array_copy on_device(array_copy const& job) { return job; }

  /// Both layouts as they are, with the words of an element as one more mode.
  static block_views views_of_whole(array_copy const& job) {
    std::int64_t const units = job.element.units();
    auto const widened = [&](composed_value const& a) {
      composed_value out = a;
      if (units == 1) return out;
      layout_value modes{};
      int kept = 0;
      for (int i = 0; i < a.layout.leaves; ++i) kept += a.layout.shape[i].number != 1 ? 1 : 0;
      modes.open(kept + 1);
      modes.add_leaf(constant_leaf(units), constant_leaf(1));
      for (int i = 0; i < a.layout.leaves; ++i)
        if (a.layout.shape[i].number != 1)
          modes.add_leaf(a.layout.shape[i], constant_leaf(a.layout.stride[i].number * units));
      out.layout = modes;
      out.offset = constant_leaf(a.offset.number * units);
      return out;
    };
    return {{nullptr, widened(job.what.src), job.element.unit, job.where},
            {nullptr, widened(job.what.dst), job.element.unit, job.where}};
  }

  template <class F>
  void in_pieces(std::int64_t elements, std::int64_t count, block_memory& buffer, F const& f) const {
    for (std::int64_t begin = 0; begin < elements; begin += count) {
      std::int64_t const here = std::min(count, elements - begin);
      block_rows rows;
      rows.row = rows.pitch = here;
      rows.first = begin;
      f(static_cast<std::size_t>(begin * bytes_), std::span(buffer.data(), static_cast<std::size_t>(here * bytes_)),
        rows);
    }
  }

  array_copy const& job_;
  copy_loops loops_;
  std::int64_t bytes_;
  std::optional<position_sums> sums_;
  shared_outcome read_, written_;
};

/// The layout of a block in its buffer, in units.
composed_value layout_in_buffer(block_rows const& rows, std::vector<std::int64_t> const& extents, std::int64_t units) {
  layout_value out{};
  auto const modes = std::count_if(extents.begin(), extents.end(), [](std::int64_t extent) { return extent > 1; });
  out.open(static_cast<int>(modes) + 1);
  out.add_leaf(constant_leaf(units), constant_leaf(units > 1 ? 1 : 0));
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (extents[i] > 1) out.add_leaf(constant_leaf(extents[i]), constant_leaf(rows.in_buffer[i] * units));
  return composed(out);
}

}  // namespace

bool has_sums(conversion const& c, npy_element const& element) {
  if (c.dst.swizzle.bits != 0) return false;
  copy_loops const l = loops_of(c);
  if (l.elements == 0 || element.bytes == 0) return true;
  return position_sums::of(l.loops, element.bytes, l.src, l.dst).has_value();
}

std::vector<std::int64_t> blocks_of(array_copy const& job) {
  copy_loops const loops = loops_of(job.what);
  swizzle_value const& swizzle = job.what.dst.swizzle;
  int const reach = swizzle.bits == 0 ? 0 : swizzle.base + swizzle.bits + std::abs(swizzle.shift);
  std::int64_t const least = 2 * job.element.bytes;
  if (least > job.max_bytes || (job.max_bytes / least) >> reach == 0)
    throw usage_error(fmt::format("convert: --memory leaves {} for buffers, and {} needs {} of {}; give it more",
                                  text_of_bytes(job.max_bytes), reach == 0 ? "the copy" : "the period of the swizzle",
                                  reach == 0 ? "two elements" : fmt::format("twice 2^{} elements", reach),
                                  text_of_bytes(job.element.bytes)));
  return choose_block(loops, job.element.bytes, job.max_bytes);
}

block_views views_of_block(array_copy const& job, std::vector<std::int64_t> const& extents, std::byte* in,
                           std::byte* out) {
  copy_loops const loops = loops_of(job.what);
  block_at const at{loops.src, loops.dst, extents};
  block_rows const src = rows_of(loops, at, true, job.element.bytes),
                   dst = rows_of(loops, at, false, job.element.bytes);
  std::int64_t const units = job.element.units();
  return {{in + src.origin * job.element.bytes, layout_in_buffer(src, extents, units), job.element.unit, cpu},
          {out + dst.origin * job.element.bytes, layout_in_buffer(dst, extents, units), job.element.unit, cpu}};
}

sums copy_array(array_copy const& job) { return file_copy(job).run(); }

}  // namespace tilewright::cli
