// Cuts, advises the system what will be read next, copies.
#include "apps/cli/convert/copy_array.hpp"

#include "apps/cli/convert/blocks.hpp"
#include "engine/cuda/device_memory.hpp"
#include "tilewright/engine/copy.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>

namespace tilewright::cli {
namespace {

/// Shorter runs are left to the system's own guesses.
constexpr std::int64_t least_advised = 32 * 1024;  // bytes

void will_need(std::byte const* begin, std::int64_t bytes) {
  auto const address = reinterpret_cast<std::uintptr_t>(begin);
  std::uintptr_t const into_page = address % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  // Only advice: a refusal costs speed at most.
  (void)madvise(reinterpret_cast<void*>(address - into_page), static_cast<std::size_t>(bytes) + into_page,
                MADV_WILLNEED);
}

copy_options options_of(array_copy const& job, std::int64_t done_before) {
  copy_options out;
  out.threads = job.threads;
  out.progress = [&job, done_before](std::int64_t done, std::int64_t) { return job.go_on(done_before + done); };
  return out;
}

/// post: false when it was stopped
bool copy_piece(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  try {
    copy(src, dst, options);
    return true;
  } catch (copy_error const& e) {
    if (e.code() == copy_errc::cancelled) return false;
    throw;
  }
}

bool copy_in_blocks(array_copy const& job, movement const& m, std::vector<std::int64_t> const& block) {
  std::int64_t const element_bytes = m.element_bits / 8;
  std::int64_t done = 0;
  bool going_on = true;
  for_each_block(m, block, [&](block_at const& at) {
    for_each_source_run(m, at, least_advised,
                        [&](std::int64_t begin, std::int64_t bytes) { will_need(job.in + begin, bytes); });
    layout_value src{}, dst{};
    src.open(static_cast<int>(m.loops.size()));
    dst.open(static_cast<int>(m.loops.size()));
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < m.loops.size(); ++i) {
      src.add_leaf(constant_leaf(at.extents[i]), constant_leaf(m.loops[i].src));
      dst.add_leaf(constant_leaf(at.extents[i]), constant_leaf(m.loops[i].dst));
      elements *= at.extents[i];
    }
    going_on = copy_piece({job.in + at.src * element_bytes, composed(src), job.element, cpu},
                          {job.out + at.dst * element_bytes, composed(dst), job.element, cpu}, options_of(job, done));
    done += elements * element_bytes;
    going_on = going_on && job.go_on(done);
    if (going_on) job.after_block();
    return going_on;
  });
  return going_on;
}

bool copy_on_cpu(array_copy const& job, movement const& m) {
  if (m.has_loops() && !m.is_swizzled()) {
    std::int64_t const most = job.most_memory > 0 ? job.most_memory : usable_memory();
    std::vector<std::int64_t> const block = choose_block(m, most);
    bool const is_whole = std::equal(block.begin(), block.end(), m.loops.begin(), m.loops.end(),
                                     [](std::int64_t extent, loop const& l) { return extent == l.extent; });
    if (!is_whole) return copy_in_blocks(job, m, block);
  }
  return copy_piece({job.in, job.what.src, job.element, cpu}, {job.out, job.what.dst, job.element, cpu},
                    options_of(job, 0));
}

bool copy_on_gpu(array_copy const& job, movement const& m) {
  auto const element_bytes = static_cast<std::size_t>(m.element_bits / 8);
  std::size_t const in_bytes = static_cast<std::size_t>(m.elements) * element_bytes;
  std::size_t const out_bytes = static_cast<std::size_t>(job.what.out_elements) * element_bytes;
  gpu::gpu_device const& device = gpu::device_of(job.where.ordinal);
  gpu::device_memory src(device, in_bytes), dst(device, out_bytes);
  constexpr std::size_t piece = std::size_t{256} << 20;  // between two questions whether to go on
  for (std::size_t at = 0; at < in_bytes; at += piece) {
    src.upload(job.in + at, std::min(piece, in_bytes - at), at);
    if (!job.go_on(0)) return false;
  }
  if (out_bytes > in_bytes) dst.fill(0);
  copy(const_tensor_view{src.data(), job.what.src, job.element, job.where},
       tensor_view{dst.data(), job.what.dst, job.element, job.where});
  for (std::size_t at = 0; at < out_bytes; at += piece) {
    dst.download(job.out + at, std::min(piece, out_bytes - at), at);
    if (!job.go_on(static_cast<std::int64_t>(std::min(at + piece, in_bytes)))) return false;
  }
  return true;
}

}  // namespace

bool copy_array(array_copy const& job) {
  movement const m = make_movement(job.what.src, job.what.dst, bits_of(job.element));
  if (m.elements == 0) return true;
  return job.where.kind == device_kind::cuda ? copy_on_gpu(job, m) : copy_on_cpu(job, m);
}

}  // namespace tilewright::cli
