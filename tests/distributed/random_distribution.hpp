// Random distributed layouts, and what they mean, worked out index by index.
#pragma once

#include "tilewright/distributed/placements.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tilewright::distributed_test {

class random_source {
 public:
  explicit random_source(unsigned seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool one_in(int n) { return between(1, n) == 1; }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

struct family {
  bool uneven = false;
  bool replicas = false;
};

inline std::vector<int> random_mesh(random_source& random, int ranks) {
  std::vector<int> mesh;
  for (int rest = ranks; rest > 1;) {
    std::vector<int> divisors;
    for (int d = 2; d <= rest; ++d)
      if (rest % d == 0) divisors.push_back(d);
    int const d = divisors[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(divisors.size()) - 1))];
    mesh.push_back(d);
    rest /= d;
  }
  if (mesh.empty() || random.one_in(6)) mesh.push_back(1);
  return mesh;
}

inline std::vector<placement> random_placements(random_source& random, std::size_t mesh_axes, std::size_t axes,
                                                family const& f) {
  std::vector<placement> out;
  for (std::size_t m = 0; m < mesh_axes; ++m) {
    int const axis = static_cast<int>(random.between(0, static_cast<std::int64_t>(axes) - 1));
    switch (random.between(0, 5)) {
      case 0:
        if (f.replicas) {
          out.push_back(replicate());
          break;
        }
        [[fallthrough]];
      case 1:
      case 2: out.push_back(shard(axis)); break;
      case 3: out.push_back(cyclic(axis)); break;
      default: out.push_back(block_cyclic(axis, random.between(1, 4))); break;
    }
  }
  if (f.replicas && mesh_axes > 0)
    out[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(mesh_axes) - 1))] = replicate();
  return out;
}

/// A distribution of that shape on exactly `ranks` ranks; sometimes with strides that leave gaps, an offset, a swizzle, other
/// processes.
inline distributed_layout random_distribution(random_source& random, std::vector<std::int64_t> const& shape, int ranks,
                                              family const& f) {
  for (;;) {
    std::vector<int> const mesh = random_mesh(random, ranks);
    distributed_layout out;
    try {
      out = distribute(shape, mesh, random_placements(random, mesh.size(), shape.size(), f),
                       random.one_in(2) ? local_order::row_major : local_order::column_major);
    } catch (copy_error const&) {
      continue;  // blocks that do not divide each other
    }
    if (random.one_in(3)) {  // the same strides on every rank, with gaps
      out.packed.clear();
      std::int64_t const factor = random.between(1, 3);
      for (distributed_axis& axis : out.axes)
        for (axis_digit& d : axis.digits)
          if (!d.of_rank) d.stride *= factor;
    }
    if (random.one_in(4)) out.offset = random.between(1, 5);
    if (random.one_in(4))
      out.swizzle = {static_cast<int>(random.between(1, 2)), static_cast<int>(random.between(0, 1)), 2};
    if (random.one_in(4)) {
      for (int r = 0; r < ranks; ++r) out.on.push_back(r);
      std::shuffle(out.on.begin(), out.on.end(), random.engine());
    }
    validate(out);
    return out;
  }
}

inline std::vector<std::int64_t> random_shape(random_source& random, bool uneven) {
  std::vector<std::int64_t> shape;
  std::int64_t const axes = random.between(1, 4);
  for (std::int64_t i = 0; i < axes; ++i) {
    std::int64_t const widest = axes == 1 ? 60 : axes == 2 ? 18 : 8;
    shape.push_back(uneven ? random.between(1, widest) : std::int64_t{1} << random.between(0, axes == 1 ? 6 : 3));
  }
  return shape;
}

/// Calls `use(coordinate, index)` for each coordinate, the first axis fastest.
template <class Use>
void for_each_coordinate(std::vector<std::int64_t> const& shape, Use const& use) {
  std::int64_t all = 1;
  for (std::int64_t const n : shape) all *= n;
  for (std::int64_t i = 0; i < all; ++i) {
    std::vector<std::int64_t> x;
    std::int64_t rest = i;
    for (std::int64_t const n : shape) {
      x.push_back(rest % n);
      rest /= n;
    }
    use(x, i);
  }
}

}  // namespace tilewright::distributed_test
