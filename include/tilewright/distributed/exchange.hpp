// The plan of a redistribution: who sends which elements to whom, as layouts on both sides. A rank's plan is computed from
// the digits of the two layouts alone, without communication and in time that depends on ranks and digits, not on elements.
// What travels is the lower bound: each element that a rank lacks arrives at it once, and what it has it copies itself.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/distributed/distributed_layout.hpp"
#include "tilewright/plan/prove.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// Elements that one rank has and another wants: the element at (x0, x1, …) is at src + Σ xi·loops[i].src of the sender and at
/// dst + Σ xi·loops[i].dst of the receiver, before the swizzle of each side.
/// law: loops are ordered by dst, extents > 1, neighbours are joined where both sides allow it
struct exchange_piece {
  std::int64_t elements = 1;
  std::int64_t src = 0, dst = 0;
  std::vector<loop> loops;
  friend bool operator==(exchange_piece const&, exchange_piece const&) = default;
};

struct transfer {
  int from = 0, to = 0;
  std::int64_t elements = 0;
  std::vector<exchange_piece> pieces;
  friend bool operator==(transfer const&, transfer const&) = default;
};

/// What one rank does.
struct rank_plan {
  int rank = 0;
  std::int64_t held = 0;                  // elements of the source that the rank has
  std::int64_t wanted = 0;                // elements of the destination that it is to have
  transfer own;                           // those of them that it has already
  std::vector<transfer> sends, receives;  // by ascending distance (peer - rank) mod ranks, and (rank - peer) mod ranks
  std::int64_t sent() const;
  std::int64_t received() const;
  /// wanted - own.elements: no plan receives less.
  std::int64_t bound() const { return wanted - own.elements; }
};

struct exchange_options {
  int ranks_per_node =
      0;  // ranks n·k … n·k+n-1 share a node; a replica on the receiver's node is preferred. 0: no nodes
};

/// One rank's plan.
/// pre: 0 <= rank < max(src.ranks, dst.ranks)
/// error: copy_error different_shapes, bad_layout
rank_plan plan_exchange(distributed_layout const& src, distributed_layout const& dst, int rank,
                        exchange_options const& options = {});

/// Elements from one rank to another; from == to where a rank copies its own.
struct pair_traffic {
  int from = 0, to = 0;
  std::int64_t elements = 0;
  std::int64_t pieces = 0;
};
/// All pairs that have elements in common, by `to`, then `from`.
/// cost: O(ranks²) products at worst; no piece is made
std::vector<pair_traffic> traffic_of(distributed_layout const& src, distributed_layout const& dst,
                                     exchange_options const& options = {});

/// `dst` with its parts given to other processes (its `on`), so that as few elements as possible are sent: for a caller that does
/// not mind which process has which part.
///   distribute((8,8),4,S0) to the same blocks in reverse order: on (3,2,1,0), and nothing is sent
/// post: no other `on` sends fewer; of equal ones, the most processes keep their part
/// error: as plan_exchange
/// cost: O(ranks³)
distributed_layout relabelled(distributed_layout const& src, distributed_layout const& dst);

/// The proof for all ranks. It holds when
/// - both layouts are valid, so that each element has an owner on both sides and distinct offsets on each rank;
/// - on each axis, every box of common indices has digits on both sides that step as the box does, without a carry;
/// - the boxes of one axis and one receiver are disjoint, and as many indices as the receiver has;
/// - each rank receives each class of owners once, and as many elements as it lacks.
/// cost: O(pairs of ranks), not elements
plan_proof prove(distributed_layout const& src, distributed_layout const& dst, exchange_options const& options = {});

/// A copy between two layouts as the engine takes it: one piece of a transfer.
composed_value source_layout(exchange_piece const& piece, distributed_layout const& src);
composed_value destination_layout(exchange_piece const& piece, distributed_layout const& dst);

}  // namespace tilewright
