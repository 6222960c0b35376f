// A transfer in chunks that sender and receiver cut alike, since both know the layouts of both sides.
#pragma once

#include "tilewright/distributed/exchange.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::distributed {

/// Elements of one piece in the order that they travel: the first loop fastest.
struct box {
  std::int64_t elements = 1;
  std::int64_t src = 0, dst = 0;
  std::vector<loop> loops;
};

struct chunk {
  int from = 0, to = 0;
  std::int64_t bytes = 0;
  bool src_direct = false,
       dst_direct = false;  // one box, contiguous there: sent from, or received in, the tensor itself
  std::vector<box> boxes;
  // All boxes are copied `rounds` times, each time src_step and dst_step elements further on. With more than one round, loops[0]
  // of each box is contiguous on both sides.
  std::int64_t rounds = 1, src_step = 0, dst_step = 0;
};

struct chunk_limits {
  int element_bits = 32;
  std::int64_t staged_bytes = 0;  // of a chunk that is packed on one side at least
  std::int64_t direct_bytes = 0;  // of one that is packed on none
  bool src_swizzled = false, dst_swizzled = false;
};

/// Pieces that have their outermost loop in common, such as the many row blocks of a block-cyclic matrix that all loop over its
/// columns, are cut along that loop: a chunk has a few columns of all of them, so that memory is read and written in order.
/// post: the boxes of all chunks have each element of the transfer once; pieces below 1/8 of staged_bytes share chunks
std::vector<chunk> cut(transfer const& t, chunk_limits const& limits);

/// Bytes of so many elements; the last one of 4 bits fills its byte.
inline std::int64_t bytes_of(std::int64_t elements, int element_bits) { return (elements * element_bits + 7) / 8; }

}  // namespace tilewright::distributed
