// The copy itself, from file to file: block by block through two buffers on the CPU, or through the memory of a GPU. What
// was read and what is written are summed up by position, so that a wrong element shows.
#pragma once

#include "apps/cli/convert/file.hpp"
#include "apps/cli/convert/target.hpp"
#include "tilewright/engine/copy.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace tilewright::cli {

/// The data of an array in an open file.
struct array_place {
  int file = -1;
  std::int64_t begin = 0;  // of its first element, in bytes
  /// What to say of bytes that could not be read or written: errno, or 0 for the end of the file, and the byte.
  std::function<file_error(int code, std::int64_t at)> failure;
};

/// What moves the elements of one block; tilewright::copy but in tests.
using copy_function = std::function<void(const_tensor_view const&, tensor_view const&, copy_options const&)>;

struct array_copy {
  conversion const& what;
  npy_element const& element;
  std::optional<byte_order> order;  // of the output's numbers; none: that of the input
  array_place in, out;              // the output reads as zeros where nothing was written
  device where = cpu;
  int threads = 0;                                 // of the CPU; 0: all
  std::int64_t max_bytes = std::int64_t{1} << 26;  // of both buffers
  bool verify = true;
  /// Called now and then, from one thread, with the bytes written so far.
  std::function<void(std::int64_t done)> progress = [](std::int64_t) {};
  /// Called between blocks.
  std::function<void()> after_block = [] {};
  copy_function copier = [](const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
    copy(src, dst, options);
  };
};

/// What the sums by position say.
enum class sums { not_taken, agree, differ };

/// post: the output has every element; `not_taken` where verification was not asked for, and where the output's layout
///       has none: swizzles, negative strides, loops that interleave
/// error: file_error, copy_error, usage_error where max_bytes has no room for one element or for a swizzle's period
sums copy_array(array_copy const& job);

/// Can the output of that conversion be verified by sums?
bool has_sums(conversion const& c, npy_element const& element);

/// The extents of the blocks that copy_array takes on a CPU, one a loop of loops_of().
std::vector<std::int64_t> blocks_of(array_copy const& job);

/// The views of one block, for plans: source and destination in buffers at these addresses.
struct block_views {
  const_tensor_view src;
  tensor_view dst;
};
block_views views_of_block(array_copy const& job, std::vector<std::int64_t> const& extents, std::byte* in,
                           std::byte* out);

}  // namespace tilewright::cli
