// Two distributed layouts of one tensor, side by side: what ranks have in common, and which replica sends.
#pragma once

#include "distributed/prepared.hpp"
#include "tilewright/distributed/exchange.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilewright::distributed {

class meet {
 public:
  /// error: copy_error different_shapes, bad_layout, bad_option
  meet(distributed_layout const& src, distributed_layout const& dst, exchange_options const& options);

  prepared const& src() const { return src_; }
  prepared const& dst() const { return dst_; }
  int ranks() const { return ranks_; }

  /// What two keys of an axis have in common; computed once.
  std::vector<shared_box> const& boxes(int axis, int src_key, int dst_key);
  /// Elements that two classes have in common.
  std::int64_t count(int src_class, int dst_class);
  transfer pieces(int from, int to);
  /// For each rank, who sends it the elements of the class, and how many they are; -1 where it wants none of them. A rank of
  /// the class has them itself.
  /// law: a class's members belong to no other class, so that each class is balanced by itself
  std::vector<std::pair<int, std::int64_t>> owners_of(int src_class);

 private:
  prepared src_, dst_;
  exchange_options options_;
  int ranks_ = 1;
  std::vector<std::unordered_map<std::int64_t, std::vector<shared_box>>> boxes_;  // by axis
};

}  // namespace tilewright::distributed
